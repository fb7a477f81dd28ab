//! The SQL of fulfillments and parcels.

mod fulfillments;
pub(super) mod parcels;

pub(super) use fulfillments::*;
