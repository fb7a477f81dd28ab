//! Offers: a code, the target of its link, and what an order that it brings earns.
//!
//! Invariants: a code is never reused, even if its offer is deleted; a link leads only to the offer's own URL;
//! conversions keep the terms with which they were recorded.

pub mod landing;
mod offer;
pub(crate) mod queries;
mod requests;
mod routes;
mod view;
mod write;

#[cfg(test)]
pub(crate) use offer::tests;
pub use offer::{Attribution, Offer, RenewalRule};
pub(crate) use requests::is_code;
pub(crate) use routes::router;
