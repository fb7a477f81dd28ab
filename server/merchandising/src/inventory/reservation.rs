//! Reservations that admins create and change.

use serde::Serialize;

use super::InventoryError;
use super::item::{InventoryItem, ReservedItem};
use super::level::{self, LevelChanges, MAX_QUANTITY};
use super::queries::{levels, reservations as queries};
use crate::clock::Timestamp;
use crate::database::listing::Kind;
use crate::database::{Record, Table, Tx};
use crate::http::{Patch, Resource, Selection, Text, ToSchema, request};
use crate::ids::{InventoryItemId, OrderId, OrderLineId, ReservationId, StockLocationId};
use crate::metadata::{Metadata, MetadataPatch};
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
    #[column(filter, kind = Kind::Id)]
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

/// A reservation to create.
#[request]
#[schema(example = json!({ "inventory_item_id": "iitem_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
    "location_id": "sloc_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 2 }))]
pub(super) struct CreateReservationRequest {
    inventory_item_id: InventoryItemId,
    location_id: StockLocationId,
    /// The number of pieces, which must be free.
    #[schema(minimum = 1)]
    quantity: i64,
    /// The order line that they are for. It must have managed stock, and its order must be placed and neither canceled nor
    /// archived.
    line_item_id: Option<OrderLineId>,
    description: Option<Text<2000>>,
    external_id: Option<Text<255>>,
    metadata: Option<MetadataPatch>,
}

impl CreateReservationRequest {
    /// Reserves free pieces. Those of a line leave with it, as far as it needs them; the others stay reserved until its order
    /// is canceled or they are released.
    ///
    /// # Errors
    /// [`InventoryError::Invalid`] for a line without managed stock, and for one of an order that is canceled, archived
    /// or not placed; [`InventoryError::InsufficientStock`]; [`InventoryError::NotFound`] for the item and the location.
    pub(super) fn create(self, tx: &Tx<'_>, actor: &str) -> Result<ReservationId, InventoryError> {
        let metadata = self.metadata.unwrap_or_default().create()?;
        let Self { inventory_item_id, location_id, quantity, line_item_id, .. } = self;
        level::check_places(tx, &inventory_item_id, &location_id)?;
        check_free(tx, &inventory_item_id, &location_id, quantity, 0)?;
        let mut changes = LevelChanges::default();
        changes.add(&inventory_item_id, &location_id, 0, quantity)?;
        let (order_id, required_quantity) = match &line_item_id {
            Some(line_id) => {
                let (order_id, required) = open_order(tx, line_id, &inventory_item_id)?;
                (Some(order_id), required)
            }
            None => (None, 1),
        };
        let reservation = Reservation {
            id: ReservationId::new(),
            location_id,
            inventory_item_id,
            quantity,
            required_quantity,
            line_item_id,
            order_id,
            allow_backorder: false,
            description: self.description.map(String::from),
            external_id: self.external_id.map(String::from),
            created_by: Some(actor.to_owned()),
            metadata,
            created_at: tx.now(),
            updated_at: tx.now(),
            inventory_item: None,
        };
        reservation.insert(tx)?;
        changes.apply(tx, "reservation", None)?;
        Ok(reservation.id)
    }
}

/// Returns the order of a line, for which pieces may be reserved, and the pieces of the item in one piece of the line.
fn open_order(
    tx: &Tx<'_>,
    line_id: &OrderLineId,
    item_id: &InventoryItemId,
) -> Result<(OrderId, i64), InventoryError> {
    match queries::order_of_line(tx, line_id, item_id)? {
        Some((order_id, true, required)) => Ok((order_id, required)),
        Some((order_id, false, _)) => {
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

/// The fields of a reservation to change; absent fields stay.
#[request]
#[schema(example = json!({ "quantity": 3 }))]
pub(super) struct UpdateReservationRequest {
    location_id: Option<StockLocationId>,
    /// The number of pieces.
    #[schema(minimum = 1)]
    quantity: Option<i64>,
    description: Patch<Text<2000>>,
    metadata: Option<MetadataPatch>,
}

impl UpdateReservationRequest {
    /// Changes a reservation. Additional pieces, or pieces at another location, must be free, unless backorders are
    /// allowed.
    pub(super) fn update(self, tx: &Tx<'_>, id: &ReservationId) -> Result<(), InventoryError> {
        let before = Reservation::require::<InventoryError>(tx, id)?;
        let mut after = before.clone();
        crate::assign!(self => after: location_id, quantity, description);
        after.metadata.merge(self.metadata)?;
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
    level::check_available(item_id, location_id, available, quantity)
}
