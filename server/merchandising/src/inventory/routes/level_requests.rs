//! Request bodies of levels.

use crate::database::Tx;
use crate::http::request;
use crate::ids::{InventoryItemId, StockLocationId};
use crate::inventory::InventoryError;
use crate::inventory::level;

/// The stock of an item at a location.
#[request]
#[schema(example = json!({ "location_id": "sloc_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "stocked_quantity": 100 }))]
pub(super) struct CreateLocationLevelRequest {
    location_id: StockLocationId,
    /// Pieces in stock.
    #[serde(default)]
    #[schema(minimum = 0)]
    stocked_quantity: i64,
    /// Incoming pieces.
    #[serde(default)]
    #[schema(minimum = 0)]
    incoming_quantity: i64,
}

impl CreateLocationLevelRequest {
    pub(super) fn apply(
        self,
        tx: &Tx<'_>,
        item_id: &InventoryItemId,
    ) -> Result<(), InventoryError> {
        self.create(tx, item_id).map(drop)
    }

    /// Creates the level, which must not exist.
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        item_id: &InventoryItemId,
    ) -> Result<StockLocationId, InventoryError> {
        let Self { location_id, stocked_quantity, incoming_quantity } = self;
        level::create(tx, item_id, &location_id, stocked_quantity, incoming_quantity)?;
        Ok(location_id)
    }
}

/// The fields of a level to change; absent fields stay.
#[request]
#[schema(example = json!({ "stocked_quantity": 80 }))]
pub(super) struct UpdateLocationLevelRequest {
    /// Pieces in stock, at least as many as are reserved.
    #[schema(minimum = 0)]
    stocked_quantity: Option<i64>,
    /// Incoming pieces.
    #[schema(minimum = 0)]
    incoming_quantity: Option<i64>,
}

impl UpdateLocationLevelRequest {
    pub(super) fn apply(
        self,
        tx: &Tx<'_>,
        item_id: &InventoryItemId,
        location_id: &StockLocationId,
    ) -> Result<(), InventoryError> {
        level::change(tx, item_id, location_id, self.stocked_quantity, self.incoming_quantity)
    }
}

/// One of several levels to change.
#[request]
pub(super) struct UpdateOneLevelRequest {
    location_id: StockLocationId,
    #[schema(minimum = 0)]
    stocked_quantity: Option<i64>,
    #[schema(minimum = 0)]
    incoming_quantity: Option<i64>,
}

/// Levels of an item to create, change and delete together.
#[request]
#[schema(example = json!({ "create": [{ "location_id": "sloc_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "stocked_quantity": 5 }] }))]
pub(super) struct ChangeLocationLevelsRequest {
    #[serde(default)]
    #[schema(max_items = 200)]
    create: Vec<CreateLocationLevelRequest>,
    #[serde(default)]
    #[schema(max_items = 200)]
    update: Vec<UpdateOneLevelRequest>,
    /// Locations whose levels to delete.
    #[serde(default)]
    #[schema(max_items = 200)]
    delete: Vec<StockLocationId>,
    /// Accepted for compatibility; stock without reservations can always be deleted.
    #[serde(default)]
    #[expect(dead_code, reason = "clients send it")]
    force: bool,
}

/// The locations whose levels were created and changed, and the ids of the deleted levels.
pub(super) type Changed = (Vec<StockLocationId>, Vec<StockLocationId>, Vec<String>);

/// Limit: levels in one request.
const MAX_LEVELS: usize = 200;

impl ChangeLocationLevelsRequest {
    pub(super) fn apply(
        self,
        tx: &Tx<'_>,
        item_id: &InventoryItemId,
    ) -> Result<Changed, InventoryError> {
        let Self { create, update, delete, force: _ } = self;
        if [create.len(), update.len(), delete.len()].iter().any(|count| *count > MAX_LEVELS) {
            return Err(InventoryError::Invalid(format!("at most {MAX_LEVELS} levels at once")));
        }
        let (mut created, mut updated, mut deleted) = (Vec::new(), Vec::new(), Vec::new());
        for one in create {
            created.push(one.create(tx, item_id)?);
        }
        for UpdateOneLevelRequest { location_id, stocked_quantity, incoming_quantity } in update {
            level::change(tx, item_id, &location_id, stocked_quantity, incoming_quantity)?;
            updated.push(location_id);
        }
        for location_id in delete {
            deleted.push(level::delete(tx, item_id, &location_id)?.to_string());
        }
        Ok((created, updated, deleted))
    }
}
