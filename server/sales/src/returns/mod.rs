//! Returns: items of an order that are sent back.
//!
//! Invariants: only shipped pieces can be returned, each of them once; undamaged pieces are restocked, and the customer
//! is owed exactly the amount paid for them; the refund itself is a separate step. Every step adds an entry to the
//! order's history and an event.
//!
//! A return is opened, filled with items and requested; then it is unpacked and its receipt confirmed, in full or in
//! parts. Start at [`steps::begin`]; imports use [`return_lines`].

mod error;
mod pieces;
mod queries;
mod routes;
pub mod steps;
mod view;

pub use error::ReturnError;
pub use routes::router;
pub use steps::return_lines;
