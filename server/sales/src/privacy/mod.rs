//! What the store knows of a customer: its export, and its erasure.
//!
//! The tables are those of [`quotient_foundation::privacy`]. Orders stay for the books, without what names somebody.
//!
//! Invariants: nobody is erased while a subscription runs or an order is open; a balance of store credit is forfeited only
//! with consent; saved payment methods are removed at the provider before the rows are; an erasure that a customer has asked
//! for can be taken back for thirty days.

mod erase;
mod error;
mod queries;
mod request;
mod routes;

pub use erase::{ERASE_EVERY_MS, erase_due};
pub use routes::router;
