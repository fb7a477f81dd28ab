//! Visits: what visitors do in a storefront, as counts.
//!
//! Invariants: an acknowledged event is written, unless the queue is more than half full, in which case it is counted
//! as dropped, so that a page never fails because of statistics; an event with the id of an earlier one is not counted
//! again; without consent nothing is stored that identifies anybody. Start at [`Queue::push`].

mod event;
mod event_keys;
mod queries;
mod queue;
mod records;
mod retention;
mod routes;
mod visitor;

pub use queue::Queue;
pub use retention::forget_old;
pub use routes::router;
