//! Why this number: an answer explained, a change attributed to its inputs, two answers compared.
//!
//! [`Engine::explain`](crate::Engine::explain) returns the tree of an answer: every part of its formula with its value, its
//! period and the number of its rows. [`Engine::decompose`](crate::Engine::decompose) attributes the change between two periods
//! or two groups to the inputs of the formula. [`Engine::counted_rows`](crate::Engine::counted_rows) lists the rows below an
//! aggregate of the tree. [`diff()`] finds the causes of the difference between two answers (definitions, data, zones, periods),
//! each with its amount. Amounts are whole units of the answer's last digit and always add up. All values come from the
//! evaluator.

mod counting;
mod decompose;
mod diff;
mod inputs;
mod labels;
mod quantum;
mod rows;
mod shapley;
mod tree;

pub use decompose::{
    ChangeKind, Contribution, DecomposeError, Decomposition, MAX_INPUTS, Method, Scope, Side,
};
pub use diff::{Cause, Diff, DiffError, DiffStep, FormulaRequest, causes, diff};
pub use rows::{CountedRow, CountedRows, RowLink};
pub use tree::{Explanation, RowsCounted};
