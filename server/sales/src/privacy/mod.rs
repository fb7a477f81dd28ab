//! The data that the store has about a customer: its export, and its erasure.
//!
//! The tables are those of [`quotient_foundation::privacy`]. Orders are kept for accounting, without anything that
//! identifies a person.
//!
//! Invariants: nobody is erased while a subscription is running or an order is open; store credit is forfeited only with
//! consent; saved payment methods are removed at the provider before the rows are; an erasure requested by a customer can be
//! revoked for thirty days.

mod erase;
mod error;
mod queries;
mod routes;

pub use erase::{ERASE_EVERY_MS, erase_due};
pub use routes::router;
