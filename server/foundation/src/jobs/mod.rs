//! Jobs: work that is done later or again and again, kept in the database so that a restart loses none.
//!
//! Invariant: a job that fails is tried again, later each time; one of a key is there at most once.

mod queries;
mod worker;

#[cfg(test)]
mod tests;

pub use queries::{Job, schedule};
pub use worker::{JobError, Kind, Run, Worker};
