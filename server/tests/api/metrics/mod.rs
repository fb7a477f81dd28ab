//! Metrics: definitions, values, and what is told about them.

mod values;
