//! Events: recorded in the outbox in the transaction that causes them, and delivered to subscribers afterwards.
//!
//! Invariant: each subscriber handles each event exactly once and in order, despite restarts: its effects and its
//! position in the outbox are written in one transaction. One that fails stays where it is and does not hold up the
//! others. The newest event is never deleted, so that no position comes again.

mod queries;
mod subscribers;

#[cfg(test)]
mod tests;

pub use queries::{Event, EventBacklog, backlog, record, record_all};
pub use subscribers::{EVERY, Subscriber, Subscribers};
