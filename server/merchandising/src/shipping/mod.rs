//! Shipping: profiles, the zones that locations ship to, and the options that shoppers can choose.
//!
//! Invariants: an option belongs to one zone and one profile; it is offered only if one of its zone's places covers the
//! address, its rules hold, its location serves the channel and it has a price in the currency. Start at [`options()`].

mod changes;
mod conditions;
mod error;
mod model;
mod options;
mod places;
mod queries;
mod routes;

#[cfg(test)]
mod tests;

pub use changes::{
    NewOption, NewProfile, NewSet, NewZone, create_option, create_profile, create_set, create_zone,
};
pub use conditions::{Audience, NewRule};
pub use error::ShippingError;
pub use options::{Offer, ShippingContext, attach_prices, option, options};
pub use places::GeoZone;
pub use queries::are_zones_narrow;

pub use crate::inventory::FULFILLMENT_PROVIDERS as PROVIDERS;
pub use routes::router;
