//! `/admin/inventory-items/{id}/location-levels`.

use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::items::{InventoryItemResponse, one};
use super::level_requests::{
    ChangeLocationLevelsRequest, CreateLocationLevelRequest, UpdateLocationLevelRequest,
};
use super::shape::{AdminInventoryItems, AdminLevels};
use super::views::InventoryItemView;
use crate::auth::{AdminReader, AdminWriter};
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path};
use crate::ids::{InventoryItemId, InventoryLevelId, StockLocationId};
use crate::inventory::level::{self, Level};
use crate::inventory::{InventoryError, item, queries};

/// A page of an item's levels.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LocationLevelListResponse {
    /// The page.
    inventory_levels: Vec<Level>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a level is deleted.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LocationLevelDeletedResponse {
    /// The level.
    id: InventoryLevelId,
    /// Always `inventory-level`.
    #[schema(example = "inventory-level")]
    object: &'static str,
    /// Always true.
    deleted: bool,
    /// The item without it.
    #[schema(value_type = InventoryItemView)]
    parent: Value,
}

/// What became of levels that were changed together.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LocationLevelsChangedResponse {
    /// Levels that were made.
    pub(super) created: Vec<Level>,
    /// Levels that were changed.
    pub(super) updated: Vec<Level>,
    /// Ids of levels that were deleted.
    pub(super) deleted: Vec<String>,
}

/// Lists the levels of an inventory item.
#[utoipa::path(get, path = "/admin/inventory-items/{id}/location-levels", tag = "Admin inventory",
    params(("id" = InventoryItemId, Path), ListRequest<AdminLevels>),
    responses((status = 200, description = "A page", body = LocationLevelListResponse)))]
pub(super) async fn list_location_levels(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<InventoryItemId>,
    list: ListRequest<AdminLevels>,
) -> Result<Answer, HttpError> {
    let query = list.query.clone();
    let (levels, count) = db
        .read(move |tx| {
            item::find(tx, &id)?;
            Ok::<_, InventoryError>(queries::levels::page(tx, query, &id)?)
        })
        .await?;
    list.answer(&levels, count)
}

/// Says how many pieces of an item a location has that had none.
#[utoipa::path(post, path = "/admin/inventory-items/{id}/location-levels", tag = "Admin inventory",
    params(("id" = InventoryItemId, Path), Fields<AdminInventoryItems>),
    request_body = CreateLocationLevelRequest,
    responses((status = 200, description = "The item", body = InventoryItemResponse)))]
pub(super) async fn create_location_level(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<InventoryItemId>,
    fields: Fields<AdminInventoryItems>,
    Json(request): Json<CreateLocationLevelRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            request.create(tx, &id)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("inventory_item", &view)
}

/// Says how many pieces of an item a location has.
#[utoipa::path(post, path = "/admin/inventory-items/{id}/location-levels/{location_id}", tag = "Admin inventory",
    params(("id" = InventoryItemId, Path), ("location_id" = StockLocationId, Path), Fields<AdminInventoryItems>),
    request_body = UpdateLocationLevelRequest,
    responses((status = 200, description = "The item", body = InventoryItemResponse)))]
pub(super) async fn update_location_level(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path((id, location_id)): Path<(InventoryItemId, StockLocationId)>,
    fields: Fields<AdminInventoryItems>,
    Json(request): Json<UpdateLocationLevelRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            request.apply(tx, &id, &location_id)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("inventory_item", &view)
}

/// Says that an item lies at a location no more. What is promised there keeps it.
#[utoipa::path(delete, path = "/admin/inventory-items/{id}/location-levels/{location_id}", tag = "Admin inventory",
    params(("id" = InventoryItemId, Path), ("location_id" = StockLocationId, Path), Fields<AdminInventoryItems>),
    responses((status = 200, description = "It is deleted", body = LocationLevelDeletedResponse)))]
pub(super) async fn delete_location_level(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path((item_id, location_id)): Path<(InventoryItemId, StockLocationId)>,
    fields: Fields<AdminInventoryItems>,
) -> Result<Json<LocationLevelDeletedResponse>, HttpError> {
    let selection = fields.selection.clone();
    let (id, parent) = db
        .write(move |tx| {
            let id = level::delete(tx, &item_id, &location_id)?;
            Ok::<_, InventoryError>((id, one(tx, &item_id, &selection)?))
        })
        .await?;
    let parent = fields.selection.value(&parent)?;
    Ok(Json(LocationLevelDeletedResponse { id, object: "inventory-level", deleted: true, parent }))
}

/// Makes, changes and deletes levels of an item: all or none.
#[utoipa::path(post, path = "/admin/inventory-items/{id}/location-levels/batch", tag = "Admin inventory",
    params(("id" = InventoryItemId, Path)), request_body = ChangeLocationLevelsRequest,
    responses((status = 200, description = "What became of them", body = LocationLevelsChangedResponse)))]
pub(super) async fn change_location_levels(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<InventoryItemId>,
    Json(request): Json<ChangeLocationLevelsRequest>,
) -> Result<Json<LocationLevelsChangedResponse>, HttpError> {
    let response = db
        .write(move |tx| {
            item::find(tx, &id)?;
            let (created, updated, deleted) = request.apply(tx, &id)?;
            let levels = queries::levels::of_items(tx, &[id])?;
            let among = |places: &[StockLocationId]| {
                let levels = levels.iter().filter(|level| places.contains(&level.location_id));
                levels.cloned().collect()
            };
            let (created, updated) = (among(&created), among(&updated));
            Ok::<_, InventoryError>(LocationLevelsChangedResponse { created, updated, deleted })
        })
        .await?;
    Ok(Json(response))
}
