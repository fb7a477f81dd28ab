//! `/admin/inventory-items/location-levels/batch`: levels of several items.

use axum::extract::State;

use super::levels::LocationLevelsChangedResponse;
use crate::auth::AdminWriter;
use crate::database::{Db, Tx};
use crate::http::{HttpError, Json, request};
use crate::ids::{ById, InventoryItemId, InventoryLevelId, StockLocationId};
use crate::inventory::level;
use crate::inventory::{InventoryError, queries};

/// Limit: levels in one list of a request.
const MAX_LEVELS: usize = 200;

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
    fn check(&self) -> Result<(), InventoryError> {
        let counts = [self.create.len(), self.update.len(), self.delete.len()];
        if counts.iter().any(|count| *count > MAX_LEVELS) {
            return Err(InventoryError::Invalid(format!("at most {MAX_LEVELS} levels at once")));
        }
        Ok(())
    }

    fn apply(self, tx: &Tx<'_>) -> Result<LocationLevelsChangedResponse, InventoryError> {
        self.check()?;
        let places = queries::levels::places_of(tx, &self.delete)?;
        let (mut created, mut updated): (Vec<Place>, Vec<Place>) = (Vec::new(), Vec::new());
        for one in self.create {
            let (item, location) = (one.inventory_item_id, one.location_id);
            level::create(tx, &item, &location, one.stocked_quantity, one.incoming_quantity)?;
            created.push((item, location));
        }
        for one in self.update {
            let (item, location) = (one.inventory_item_id, one.location_id);
            level::change(tx, &item, &location, one.stocked_quantity, one.incoming_quantity)?;
            updated.push((item, location));
        }
        let mut deleted = Vec::with_capacity(self.delete.len());
        for id in self.delete {
            let missing = || InventoryError::not_found("Inventory level", &id);
            let (item, location) = places.get(&id).ok_or_else(missing)?;
            deleted.push(level::delete(tx, item, location)?.to_string());
        }
        let items: Vec<_> = created.iter().chain(&updated).map(|(item, _)| item.clone()).collect();
        let levels = queries::levels::of_items(tx, &items)?;
        let levels = ById::grouped_by(levels, |level| &level.inventory_item_id);
        let at = |(item, location): &Place| {
            levels.group(item).iter().find(|level| level.location_id == *location).cloned()
        };
        let among = |places: Vec<Place>| places.iter().filter_map(at).collect();
        let (created, updated) = (among(created), among(updated));
        Ok(LocationLevelsChangedResponse { created, updated, deleted })
    }
}

/// Creates, changes and deletes levels of several items, all or none.
#[crate::http::operation(post, path = "/admin/inventory-items/location-levels/batch", tag = "Admin inventory",
    request_body = ChangeLevelsOfItemsRequest,
    responses((status = 200, description = "The result", body = LocationLevelsChangedResponse)))]
pub(super) async fn change_levels_of_items(
    _admin: AdminWriter,
    State(db): State<Db>,
    Json(request): Json<ChangeLevelsOfItemsRequest>,
) -> Result<Json<LocationLevelsChangedResponse>, HttpError> {
    Ok(Json(db.write(move |tx| request.apply(tx)).await?))
}
