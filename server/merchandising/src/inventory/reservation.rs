//! Reservations that admins create and change.

use serde::Serialize;

use super::InventoryError;
use super::item::{InventoryItem, ReservedItem};
use super::level::{self, LevelChanges, MAX_QUANTITY};
use super::queries::{levels, reservations as queries};
use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{InventoryItemId, OrderId, OrderLineId, ReservationId, StockLocationId};
use crate::metadata::Metadata;
use crate::proportion::{add, subtract};
use crate::resource::View;

/// Reserved pieces of an item at a location.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "reservation r", soft_delete)]
#[record(list(plural = "reservations", usual, search = ["r.description"]))]
#[resource(name = "reservation")]
pub(super) struct Reservation {
    pub(super) id: ReservationId,
    #[column(filter)]
    pub(super) location_id: StockLocationId,
    #[column(filter)]
    pub(super) inventory_item_id: InventoryItemId,
    /// The number of pieces.
    #[column(filter, order)]
    pub(super) quantity: i64,
    /// Pieces of the item in one piece of the line.
    #[field(extra)]
    pub(super) required_quantity: i64,
    /// The order line that they are for.
    #[column(filter)]
    pub(super) line_item_id: Option<OrderLineId>,
    #[column(filter)]
    #[field(extra)]
    pub(super) order_id: Option<OrderId>,
    /// Whether it may exceed the stock.
    #[field(extra)]
    pub(super) allow_backorder: bool,
    /// The reason.
    #[column(filter)]
    pub(super) description: Option<String>,
    /// The identifier in an external system.
    #[field(extra)]
    pub(super) external_id: Option<String>,
    #[column(filter)]
    #[field(extra)]
    pub(super) created_by: Option<String>,
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    #[field(relation(ReservedItem))]
    pub(super) inventory_item: Option<InventoryItem>,
}

impl View for Reservation {
    type Row = Self;
    type Error = InventoryError;

    fn attach(tx: &Tx<'_>, rows: &mut [Self], selection: &Selection) -> Result<(), InventoryError> {
        if selection.wants("inventory_item") {
            let ids: Vec<_> = rows.iter().map(|row| row.inventory_item_id.clone()).collect();
            let items = InventoryItem::with_levels(tx, &ids)?;
            for row in rows {
                let own = items.iter().find(|item| item.id == row.inventory_item_id);
                row.inventory_item = own.cloned();
            }
        }
        Ok(())
    }
}

/// Reserves free pieces. Those of a line are released with its other pieces: when the line is shipped or its
/// order canceled.
///
/// # Errors
/// [`InventoryError::Invalid`] for a line without managed stock, and for one of an order that is canceled, archived or not
/// placed; [`InventoryError::InsufficientStock`]; [`InventoryError::NotFound`] for the item and the location.
pub(super) fn create(tx: &Tx<'_>, mut reservation: Reservation) -> Result<(), InventoryError> {
    let Reservation { inventory_item_id, location_id, quantity, .. } = &reservation;
    level::check_places(tx, inventory_item_id, location_id)?;
    check_free(tx, inventory_item_id, location_id, *quantity, 0)?;
    let mut changes = LevelChanges::default();
    changes.add(inventory_item_id, location_id, 0, *quantity)?;
    if let Some(line_id) = &reservation.line_item_id {
        reservation.order_id = Some(open_order(tx, line_id)?);
    }
    reservation.insert(tx)?;
    changes.apply(tx, "reservation", None)
}

/// Returns the order of a line, for which pieces may be reserved.
fn open_order(tx: &Tx<'_>, line_id: &OrderLineId) -> Result<OrderId, InventoryError> {
    match queries::order_of_line(tx, line_id)? {
        Some((order_id, true)) => Ok(order_id),
        Some((order_id, false)) => {
            let sentence = format!("order {order_id} is canceled, archived or not placed");
            Err(InventoryError::Invalid(sentence))
        }
        // Nothing would release them.
        None => {
            let sentence = format!("there is no order line {line_id} with managed stock");
            Err(InventoryError::Invalid(sentence))
        }
    }
}

/// Changes a reservation. Additional pieces, or pieces at another location, must be free, unless backorders are
/// allowed.
pub(super) fn change(
    tx: &Tx<'_>,
    before: &Reservation,
    after: &Reservation,
) -> Result<(), InventoryError> {
    let stays = after.location_id == before.location_id;
    let is_more = after.quantity > before.quantity || !stays;
    let item_id = &before.inventory_item_id;
    level::check_places(tx, item_id, &after.location_id)?;
    if after.quantity < 1 || (is_more && !before.allow_backorder) {
        let own = if stays { before.quantity } else { 0 };
        check_free(tx, item_id, &after.location_id, after.quantity, own)?;
    }
    let mut changes = LevelChanges::default();
    changes.add(item_id, &before.location_id, 0, subtract(0, before.quantity)?)?;
    changes.add(item_id, &after.location_id, 0, after.quantity)?;
    levels::ensure(tx, &changes.places())?;
    after.update(tx)?;
    changes.apply(tx, "reservation", None)
}

/// Deletes a reservation and releases its pieces.
pub(super) fn delete(tx: &Tx<'_>, id: &ReservationId) -> Result<(), InventoryError> {
    let before = Reservation::require::<InventoryError>(tx, id)?;
    Reservation::remove::<InventoryError>(tx, id)?;
    let mut changes = LevelChanges::default();
    let pieces = subtract(0, before.quantity)?;
    changes.add(&before.inventory_item_id, &before.location_id, 0, pieces)?;
    changes.apply(tx, "release", None)
}

/// Checks that a quantity is free at a location; `own` reserved pieces belong to the reservation itself.
fn check_free(
    tx: &Tx<'_>,
    item_id: &InventoryItemId,
    location_id: &StockLocationId,
    quantity: i64,
    own: i64,
) -> Result<(), InventoryError> {
    if !(1..=MAX_QUANTITY).contains(&quantity) {
        return Err(InventoryError::Invalid(format!("{quantity} pieces cannot be reserved")));
    }
    let on_hand = levels::on_hand(tx, location_id, &[item_id])?;
    let on_hand = on_hand.get(item_id).copied().unwrap_or_default();
    let available = add(subtract(on_hand.stocked, on_hand.reserved)?, own)?.max(0);
    if available < quantity {
        return Err(InventoryError::InsufficientStock {
            item_id: item_id.clone(),
            location_id: location_id.clone(),
            requested: quantity,
            available,
        });
    }
    Ok(())
}
