//! Offers: a code, where its link leads, and what an order that it brings earns.
//!
//! Invariants: a code is never used again, whatever becomes of its offer; a link leads only where the offer's own address
//! says; conversions keep the terms that they were recorded with.

pub mod landing;
mod offer;
pub(crate) mod queries;
mod requests;
mod routes;
mod view;
mod write;

pub(crate) use offer::DAY_MS;
pub use offer::{Attribution, Offer, RenewalRule};
pub(crate) use requests::is_code;
pub(crate) use routes::router;
