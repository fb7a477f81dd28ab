//! Request bodies of reservations.

use crate::database::{Table, Tx};
use crate::http::{Patch, Text, request};
use crate::ids::{InventoryItemId, OrderLineId, ReservationId, StockLocationId};
use crate::inventory::InventoryError;
use crate::inventory::reservation::{self, Reservation};
use crate::metadata::MetadataPatch;

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
    pub(super) fn create(self, tx: &Tx<'_>, actor: &str) -> Result<ReservationId, InventoryError> {
        let id = ReservationId::new();
        let reservation = Reservation {
            id: id.clone(),
            location_id: self.location_id,
            inventory_item_id: self.inventory_item_id,
            quantity: self.quantity,
            required_quantity: 1,
            line_item_id: self.line_item_id,
            order_id: None,
            allow_backorder: false,
            description: self.description.map(String::from),
            external_id: self.external_id.map(String::from),
            created_by: Some(actor.to_owned()),
            metadata: self.metadata.unwrap_or_default().create()?,
            created_at: tx.now(),
            updated_at: tx.now(),
            inventory_item: None,
        };
        reservation::create(tx, reservation)?;
        Ok(id)
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
    pub(super) fn update(self, tx: &Tx<'_>, id: &ReservationId) -> Result<(), InventoryError> {
        let before = Reservation::require::<InventoryError>(tx, id)?;
        let mut after = before.clone();
        crate::assign!(self => after: location_id, quantity, description);
        after.metadata.merge(self.metadata)?;
        reservation::change(tx, &before, &after)
    }
}
