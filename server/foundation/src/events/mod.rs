//! Events: what has happened, written to the outbox in the transaction that made it happen, and handed
//! to subscribers afterwards.
//!
//! Invariant: each subscriber sees each event once and in order, whatever restarts lie between: its
//! effect and its place in the outbox are kept in one transaction.

mod queries;
mod subscribers;

#[cfg(test)]
mod tests;

pub use queries::{Event, record};
pub use subscribers::{Subscriber, Subscribers};
