//! Fulfillments: items of an order that are packed, shipped and delivered together.
//!
//! Invariants: no piece is in two uncanceled fulfillments; a fulfillment ships as a whole; a shipped fulfillment
//! cannot be canceled. Packing removes the items from stock together with their reservation, and canceling restores
//! both. Every step updates the order's statuses and records an event.
//!
//! Start at [`steps::pack`], or at [`parcels`] for reports from carriers and warehouses; imports use [`fulfil_all`] and
//! [`import()`].

mod error;
mod import;
mod packing;
pub mod parcels;
mod queries;
mod routes;
pub mod steps;

pub use error::FulfillmentError;
pub use import::{ImportedFulfillment, import};
pub use packing::Pieces;
pub use routes::router;
pub use steps::fulfil_all;
