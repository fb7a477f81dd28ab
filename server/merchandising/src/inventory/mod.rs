//! Stock: items, the locations they lie at, what is promised of them, and every change of it.
//!
//! Invariants: what a level has reserved is the sum of its reservations; without backorders nobody is promised more
//! pieces than are stocked and not reserved, at every location; stock is never negative; each change of stock leaves a
//! movement. All of it happens in the caller's transaction. Start at [`availability()`], [`reserve`] and [`ship`].

pub mod availability;
mod error;
mod import;
mod item;
mod level;
mod location;
mod order;
mod promise;
mod queries;
mod reservation;
mod routes;
mod variants;

pub use availability::Availability;
pub use error::InventoryError;
pub use import::{import_shipment, items_of};
pub use item::InventoryItem;
pub use level::{restock, set_level};
pub use location::{
    FULFILLMENT_PROVIDERS, LocationAddress, NewLocation, StockLocation, connect_channel,
    connect_provider, create_location,
};
pub use order::{LineQuantity, release, reserve, ship, unship};
pub use variants::{availability, check, short_locations};

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Stock locations, inventory items, their levels and reservations.
pub fn router() -> OpenApiRouter<AppState> {
    routes::router()
}

#[cfg(test)]
mod tests;
