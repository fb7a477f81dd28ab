//! Stock: items, the locations they lie at, what is promised of them, and every change of it.
//!
//! Invariants: what a level has reserved is the sum of its reservations; without backorders nobody is promised more
//! pieces than are stocked and not reserved, at every location; stock is never negative; each change of stock leaves a
//! movement. All of it happens in the caller's transaction. Start at [`availability()`], [`reserve`] and [`ship`].

pub(crate) mod availability;
mod error;
mod item;
mod level;
mod location;
mod order;
mod past;
mod promise;
mod queries;
mod reservation;
mod routes;
mod variants;

pub(crate) use availability::Availability;
pub(crate) use error::InventoryError;
pub(crate) use item::{InventoryItem, NewItem, create_item};
pub(crate) use level::restock;
#[cfg(test)]
pub(crate) use level::set_level;
pub(crate) use location::{
    FULFILLMENT_PROVIDERS, LocationAddress, NewLocation, StockLocation, connect_channel,
    connect_provider, create_location,
};
pub(crate) use order::{Wanted, release, reserve, ship, unship};
pub(crate) use past::{items_of, past_shipment};
pub(crate) use routes::{AdminStockLocations, StockLocationResponse, one_location};
pub(crate) use variants::{availability, check, short_locations};

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Stock locations, inventory items, their levels and reservations.
pub(crate) fn router() -> OpenApiRouter<AppState> {
    routes::router()
}

#[cfg(test)]
mod tests;
