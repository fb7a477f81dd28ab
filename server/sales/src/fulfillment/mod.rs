//! Fulfillment: goods of an order that are packed, sent and delivered together.
//!
//! Invariants: no piece is in two fulfillments that were not called off; a parcel leaves as a whole; what was handed
//! over is called off no more. Packing takes the goods out of stock together with their reservation, and calling it
//! off puts both back. After every step the order's own state follows, and an event tells it.
//!
//! Start at [`steps::pack`]; a history is written with [`fulfil_all`] and [`import()`].

mod error;
mod import;
mod packing;
mod queries;
mod routes;
pub mod steps;

pub use error::FulfillmentError;
pub use import::{ImportedFulfillment, import};
pub use packing::Pieces;
pub use routes::router;
pub use steps::fulfil_all;
