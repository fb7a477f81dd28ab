//! Bundles: variants of several products sold together at a special price.
//!
//! Invariants: the pieces of a bundle remain lines of a cart with their own variants, so that stock, taxes and returns
//! need not know about bundles; the discount applies only to complete sets, and its parts add up to it, to the minor
//! unit. Start at [`Bundle`] and [`discounts`].

mod bundle;
mod error;
mod offer;
mod pricing;
mod queries;
mod routes;
mod sets;

pub use bundle::{Bundle, BundleStatus, Slot};
pub use error::BundleError;
pub use offer::default_variant;
pub use queries::{with_ids, with_slot};
pub use routes::router;
pub use sets::{Piece, complete_sets, discounts};
