//! Returns: goods of an order that come back.
//!
//! Invariants: only what was handed over comes back, and no piece twice; what comes back whole goes into stock again,
//! and the customer is owed exactly what was paid for it; the refund itself is a step of its own. Every step leaves a
//! line in the order's history, and an event.
//!
//! A return is begun, put together and announced; then it is unpacked and its receipt confirmed, whole or in parts.
//! Start at [`steps::begin`]; a history is written with [`return_lines`].

mod error;
mod pieces;
mod queries;
mod reason;
mod routes;
pub mod steps;
mod view;

pub use error::ReturnError;
pub use routes::router;
pub use steps::return_lines;
