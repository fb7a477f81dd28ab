//! Inventory: items, locations, levels, reservations, and every change of stock.
//!
//! Invariants: the reserved quantity of a level is the sum of its reservations; without backorders no more pieces are
//! reserved than are stocked, at every location; stock is never negative; each change of stock records a movement. All
//! changes happen in the caller's transaction. Start at [`availability()`], [`reserve`] and [`ship`].

pub mod availability;
mod error;
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
pub use item::InventoryItem;
pub use level::{restock, set_level};
pub use location::{
    FULFILLMENT_PROVIDERS, LocationAddress, NewLocation, StockLocation, connect_channel,
    connect_provider, create_location,
};
pub use order::{LineQuantity, import_shipment, release, reserve, ship, unship};
pub use routes::router;
pub use variants::{availability, check, check_changed, items_of, short_locations};

#[cfg(test)]
mod tests;
