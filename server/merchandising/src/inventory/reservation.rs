//! Reservations that people make and change by hand.

use serde::Serialize;
use utoipa::ToSchema;

use super::InventoryError;
use super::level::{self, LevelChanges, MAX_QUANTITY};
use super::queries::{admin_reservations as queries, levels};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{InventoryItemId, OrderId, OrderLineId, ReservationId, StockLocationId};
use crate::metadata::{Metadata, MetadataPatch};
use crate::proportion::{add, subtract};
use crate::sent::Sent;

/// Pieces of an item at a location that are promised.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct Reservation {
    /// Its id.
    pub(super) id: ReservationId,
    /// Where they lie.
    pub(super) location_id: StockLocationId,
    /// The item.
    pub(super) inventory_item_id: InventoryItemId,
    /// Pieces.
    pub(super) quantity: i64,
    /// Pieces in one of the line.
    pub(super) required_quantity: i64,
    /// The line of an order that they are for.
    pub(super) line_item_id: Option<OrderLineId>,
    /// The order that they are for.
    pub(super) order_id: Option<OrderId>,
    /// Whether they were promised before they were there.
    pub(super) allow_backorder: bool,
    /// Why.
    pub(super) description: Option<String>,
    /// What another system calls it.
    pub(super) external_id: Option<String>,
    /// Who made it.
    pub(super) created_by: Option<String>,
    /// What the store keeps with it.
    pub(super) metadata: Metadata,
    /// When it was made.
    pub(super) created_at: Timestamp,
    /// When it was changed last.
    pub(super) updated_at: Timestamp,
}

/// What a new reservation is made of.
#[derive(Debug, Clone)]
pub(super) struct NewReservation {
    /// The item.
    pub(super) item_id: InventoryItemId,
    /// Where it lies.
    pub(super) location_id: StockLocationId,
    /// Pieces.
    pub(super) quantity: i64,
    /// The line of an order that they are for.
    pub(super) line_id: Option<OrderLineId>,
    /// Why.
    pub(super) description: Option<String>,
    /// What another system calls it.
    pub(super) external_id: Option<String>,
    /// What the store keeps with it.
    pub(super) metadata: Metadata,
}

/// A change of a reservation; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub(super) struct ReservationChange {
    /// Where it lies.
    pub(super) location_id: Option<StockLocationId>,
    /// Pieces.
    pub(super) quantity: Option<i64>,
    /// Why.
    pub(super) description: Sent<String>,
    /// What is merged into its metadata.
    pub(super) metadata: Option<MetadataPatch>,
}

/// The reservation of this id whose pieces are still at their location.
pub(super) fn find(tx: &Tx<'_>, id: &ReservationId) -> Result<Reservation, InventoryError> {
    queries::find(tx, id)?.ok_or_else(|| InventoryError::not_found("Reservation", id))
}

/// Reserves pieces that nobody else was promised. The order of a line is known when something is reserved for the line
/// already.
pub(super) fn create(
    tx: &Tx<'_>,
    new: NewReservation,
    actor: &str,
) -> Result<ReservationId, InventoryError> {
    let NewReservation { item_id, location_id, quantity, line_id, .. } = new;
    level::check_places(tx, &item_id, &location_id)?;
    check_free(tx, (&item_id, &location_id), quantity, 0)?;
    let order_id = match &line_id {
        Some(line_id) => queries::order_of_line(tx, line_id)?,
        None => None,
    };
    let reservation = Reservation {
        id: ReservationId::new(),
        location_id,
        inventory_item_id: item_id,
        quantity,
        required_quantity: 1,
        line_item_id: line_id,
        order_id,
        allow_backorder: false,
        description: new.description,
        external_id: new.external_id,
        created_by: Some(actor.to_owned()),
        metadata: new.metadata,
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    queries::insert(tx, &reservation)?;
    let mut changes = LevelChanges::default();
    changes.add(&reservation.inventory_item_id, &reservation.location_id, 0, quantity)?;
    changes.apply(tx, "reservation", None)?;
    Ok(reservation.id)
}

/// Changes a reservation. More pieces, or another location, must be free, unless they were promised before they were
/// there.
pub(super) fn change(
    tx: &Tx<'_>,
    id: &ReservationId,
    change: ReservationChange,
) -> Result<(), InventoryError> {
    let before = find(tx, id)?;
    let mut after = before.clone();
    after.location_id = change.location_id.unwrap_or(after.location_id);
    after.quantity = change.quantity.unwrap_or(after.quantity);
    after.description = change.description.unwrap_or(after.description);
    if let Some(patch) = change.metadata {
        after.metadata = patch.merge(&before.metadata)?;
    }
    let stays = after.location_id == before.location_id;
    let is_more = after.quantity > before.quantity || !stays;
    let item_id = &before.inventory_item_id;
    level::check_places(tx, item_id, &after.location_id)?;
    if after.quantity < 1 || (is_more && !before.allow_backorder) {
        let own = if stays { before.quantity } else { 0 };
        check_free(tx, (item_id, &after.location_id), after.quantity, own)?;
    }
    let mut changes = LevelChanges::default();
    changes.add(item_id, &before.location_id, 0, subtract(0, before.quantity)?)?;
    changes.add(item_id, &after.location_id, 0, after.quantity)?;
    levels::ensure(tx, &changes.places())?;
    after.updated_at = tx.now();
    queries::update(tx, &after)?;
    changes.apply(tx, "reservation", None)
}

/// Gives reserved pieces back.
pub(super) fn delete(tx: &Tx<'_>, id: &ReservationId) -> Result<(), InventoryError> {
    let before = find(tx, id)?;
    queries::delete(tx, id)?;
    let mut changes = LevelChanges::default();
    let pieces = subtract(0, before.quantity)?;
    changes.add(&before.inventory_item_id, &before.location_id, 0, pieces)?;
    changes.apply(tx, "release", None)
}

/// Refuses a quantity that is not free at a location; `own` pieces of what is reserved are its own.
fn check_free(
    tx: &Tx<'_>,
    (item_id, location_id): (&InventoryItemId, &StockLocationId),
    quantity: i64,
    own: i64,
) -> Result<(), InventoryError> {
    if !(1..=MAX_QUANTITY).contains(&quantity) {
        return Err(InventoryError::Invalid(format!("{quantity} pieces cannot be reserved")));
    }
    let held = levels::held(tx, location_id, &[item_id])?;
    let held = held.get(item_id).copied().unwrap_or_default();
    let available = add(subtract(held.stocked, held.reserved)?, own)?.max(0);
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
