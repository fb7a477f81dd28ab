//! What is sent to make and change locations, items and reservations, by the names that their handlers use.

pub(super) use super::item_requests::{CreateInventoryItemRequest, UpdateInventoryItemRequest};
pub(super) use super::location_requests::{CreateStockLocationRequest, UpdateStockLocationRequest};
pub(super) use super::reservation_requests::{CreateReservationRequest, UpdateReservationRequest};
