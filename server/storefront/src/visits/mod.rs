//! Visits: what visitors do in a storefront, counted.
//!
//! Invariants: what is acknowledged is written, unless the queue is more than half full, when it is counted as dropped:
//! a page never fails by its statistics; an event with the id of another one is not counted again; without a consent
//! nothing is kept that tells who somebody is. Start at [`Queue::push`].

mod event;
mod queries;
mod queue;
mod records;
mod retention;
mod routes;
mod seen;
mod visitor;

pub use queue::Queue;
pub use retention::forget_old;
pub use routes::router;
