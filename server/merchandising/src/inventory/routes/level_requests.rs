//! Request bodies of levels.

use super::levels::LocationLevelsChangedResponse;
use crate::database::Tx;
use crate::http::request;
use crate::ids::{ById, InventoryItemId, InventoryLevelId, StockLocationId};
use crate::inventory::queries::levels as queries;
use crate::inventory::{InventoryError, level};

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
    /// Creates the level, which must not exist.
    pub(super) fn create(
        self,
        tx: &Tx<'_>,
        item_id: &InventoryItemId,
    ) -> Result<(), InventoryError> {
        level::create(tx, item_id, &self.location_id, self.stocked_quantity, self.incoming_quantity)
    }
}

/// The fields of a level to change; absent fields stay.
#[request]
#[schema(example = json!({ "stocked_quantity": 80 }))]
pub(super) struct UpdateLocationLevelRequest {
    /// Pieces in stock, at least as many as are reserved.
    #[schema(minimum = 0)]
    pub(super) stocked_quantity: Option<i64>,
    /// Incoming pieces.
    #[schema(minimum = 0)]
    pub(super) incoming_quantity: Option<i64>,
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

/// Limit: levels in one list of a request.
const MAX_LEVELS: usize = 200;

fn check_counts(counts: [usize; 3]) -> Result<(), InventoryError> {
    if counts.iter().any(|count| *count > MAX_LEVELS) {
        return Err(InventoryError::Invalid(format!("at most {MAX_LEVELS} levels at once")));
    }
    Ok(())
}

impl ChangeLocationLevelsRequest {
    pub(super) fn apply(
        self,
        tx: &Tx<'_>,
        item_id: &InventoryItemId,
    ) -> Result<LocationLevelsChangedResponse, InventoryError> {
        let Self { create, update, delete, force: _ } = self;
        check_counts([create.len(), update.len(), delete.len()])?;
        let item = || item_id.clone();
        let create = create.into_iter().map(|one| CreateItemLevelRequest {
            inventory_item_id: item(),
            location_id: one.location_id,
            stocked_quantity: one.stocked_quantity,
            incoming_quantity: one.incoming_quantity,
        });
        let update = update.into_iter().map(|one| UpdateItemLevelRequest {
            id: None,
            inventory_item_id: item(),
            location_id: one.location_id,
            stocked_quantity: one.stocked_quantity,
            incoming_quantity: one.incoming_quantity,
        });
        let delete = delete.into_iter().map(|location_id| (item(), location_id));
        apply(tx, create.collect(), update.collect(), delete.collect())
    }
}

/// A level to create.
#[request]
pub(super) struct CreateItemLevelRequest {
    inventory_item_id: InventoryItemId,
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

/// The fields of a level to change; absent fields stay.
#[request]
pub(super) struct UpdateItemLevelRequest {
    /// Ignored: item and location identify the level.
    #[expect(dead_code, reason = "clients send it, but item and location identify the level")]
    id: Option<InventoryLevelId>,
    inventory_item_id: InventoryItemId,
    location_id: StockLocationId,
    /// Pieces in stock, at least as many as are reserved.
    #[schema(minimum = 0)]
    stocked_quantity: Option<i64>,
    /// Incoming pieces.
    #[schema(minimum = 0)]
    incoming_quantity: Option<i64>,
}

/// Levels of several items to create, change and delete together.
#[request]
#[schema(example = json!({ "update": [{
    "inventory_item_id": "iitem_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "location_id": "sloc_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
    "stocked_quantity": 80,
}] }))]
pub(super) struct ChangeLevelsOfItemsRequest {
    #[serde(default)]
    #[schema(max_items = 200)]
    create: Vec<CreateItemLevelRequest>,
    /// Levels to change.
    #[serde(default)]
    #[schema(max_items = 200)]
    update: Vec<UpdateItemLevelRequest>,
    /// Ids of levels to delete.
    #[serde(default)]
    #[schema(max_items = 200)]
    delete: Vec<InventoryLevelId>,
    /// Accepted for compatibility; stock without reservations can always be deleted.
    #[serde(default)]
    #[expect(dead_code, reason = "clients send it")]
    force: bool,
}

type Place = (InventoryItemId, StockLocationId);

impl ChangeLevelsOfItemsRequest {
    pub(super) fn apply(
        self,
        tx: &Tx<'_>,
    ) -> Result<LocationLevelsChangedResponse, InventoryError> {
        check_counts([self.create.len(), self.update.len(), self.delete.len()])?;
        let places = queries::places_of(tx, &self.delete)?;
        let mut delete = Vec::with_capacity(self.delete.len());
        for id in &self.delete {
            let place = places.get(id).cloned();
            delete.push(place.ok_or_else(|| InventoryError::not_found("Inventory level", id))?);
        }
        apply(tx, self.create, self.update, delete)
    }
}

fn apply(
    tx: &Tx<'_>,
    create: Vec<CreateItemLevelRequest>,
    update: Vec<UpdateItemLevelRequest>,
    delete: Vec<Place>,
) -> Result<LocationLevelsChangedResponse, InventoryError> {
    let (mut created, mut updated): (Vec<Place>, Vec<Place>) = (Vec::new(), Vec::new());
    for one in create {
        let (item, location) = (one.inventory_item_id, one.location_id);
        level::create(tx, &item, &location, one.stocked_quantity, one.incoming_quantity)?;
        created.push((item, location));
    }
    for one in update {
        let (item, location) = (one.inventory_item_id, one.location_id);
        level::change(tx, &item, &location, one.stocked_quantity, one.incoming_quantity)?;
        updated.push((item, location));
    }
    let mut deleted = Vec::with_capacity(delete.len());
    for (item, location) in delete {
        deleted.push(level::delete(tx, &item, &location)?.to_string());
    }
    let items: Vec<_> = created.iter().chain(&updated).map(|(item, _)| item.clone()).collect();
    let levels = queries::of_items(tx, &items)?;
    let levels = ById::grouped_by(levels, |level| &level.inventory_item_id);
    let at = |(item, location): &Place| {
        levels.group(item).iter().find(|level| level.location_id == *location).cloned()
    };
    let among = |places: Vec<Place>| places.iter().filter_map(at).collect();
    let (created, updated) = (among(created), among(updated));
    Ok(LocationLevelsChangedResponse { created, updated, deleted })
}
