//! Columns against the evaluator, row by row.
