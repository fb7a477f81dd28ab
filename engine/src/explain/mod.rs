//! Why this number: an answer opened, a change split over its inputs, two answers compared.
//!
//! [`Engine::explain`](crate::Engine::explain) gives the tree of an answer: every part of its formula with the value it had, the
//! period it spoke of and the rows it counted. [`Engine::decompose`](crate::Engine::decompose) splits the change between two periods
//! or two groups over the inputs of the formula. [`diff()`] names what differs between two answers,
//! their definitions, data, zones and periods, each with its amount. Amounts are whole units of the answer's
//! last digit and always add up. Nothing here computes by itself: values come from the evaluator.

mod counting;
mod decompose;
mod described;
mod diff;
mod inputs;
mod quantum;
mod shapley;
mod tree;

pub use decompose::{
    ChangeKind, Contribution, DecomposeError, Decomposition, MAX_INPUTS, Method, Scope, Side,
};
pub use diff::{Cause, Diff, DiffError, DiffStep, FormulaRequest, causes, diff};
pub use tree::{Explanation, RowsCounted};
