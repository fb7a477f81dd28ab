//! Events: recorded in the outbox in the transaction that causes them, and delivered to subscribers afterwards.
//!
//! Invariant: each subscriber handles each event exactly once and in order, despite restarts: its effects and its
//! position in the outbox are written in one transaction.

mod queries;
mod subscribers;

#[cfg(test)]
mod tests;

pub use queries::{Event, EventBacklog, backlog, record, record_all};
pub use subscribers::{EVERY, Subscriber, Subscribers};
