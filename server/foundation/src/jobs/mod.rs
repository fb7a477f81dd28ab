//! Jobs: delayed and recurring work, stored in the database so that restarts lose none.
//!
//! Invariant: a failed job is retried, with growing delays; there is at most one job per kind and key; one that is scheduled
//! again while it runs is run again.

mod queries;
mod worker;

#[cfg(test)]
mod tests;

pub use queries::{Job, JobBacklog, JobError, backlog, cancel, payload, run_now, schedule};
pub use worker::{Kind, Run, Worker};
