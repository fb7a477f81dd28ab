//! `/admin/inventory-items/{id}/location-levels`.

use axum::extract::State;
use serde::Serialize;

use super::level_requests::{
    ChangeLevelsOfItemsRequest, ChangeLocationLevelsRequest, UpdateLocationLevelRequest,
};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Table};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, One, OneRequest, Page, PartDeleted, Path,
    ToSchema,
};
use crate::ids::{InventoryItemId, StockLocationId};
use crate::inventory::level::{self, Level};
use crate::inventory::{InventoryError, InventoryItem, queries};
use crate::resource::View;

type InventoryItemResponse = One<InventoryItem>;
type LocationLevelDeletedResponse = PartDeleted<InventoryItem>;
type LocationLevelListResponse = Page<Level>;

/// A request about the level of an item at a location.
type OneLevel<Caller, R> = OneRequest<Caller, (InventoryItemId, StockLocationId), R>;

/// The result of changing several levels.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct LocationLevelsChangedResponse {
    pub(super) created: Vec<Level>,
    pub(super) updated: Vec<Level>,
    /// The ids of the deleted levels.
    pub(super) deleted: Vec<String>,
}

/// Lists the levels of an inventory item.
#[crate::http::operation(get, path = "/admin/inventory-items/{id}/location-levels", tag = "Admin inventory",
    params(("id" = InventoryItemId, Path), ListRequest<Level>),
    responses((status = 200, description = "A page", body = LocationLevelListResponse)))]
pub(super) async fn list_location_levels(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<InventoryItemId>,
    list: ListRequest<Level>,
) -> Result<Answer, HttpError> {
    list.read(db, move |tx, query, _| {
        InventoryItem::require::<InventoryError>(tx, &id)?;
        Ok::<_, InventoryError>(queries::levels::page(tx, query, &id)?)
    })
    .await
}

/// Changes the level of an item at a location.
#[crate::http::operation(post, path = "/admin/inventory-items/{id}/location-levels/{location_id}", tag = "Admin inventory",
    params(("id" = InventoryItemId, Path), ("location_id" = StockLocationId, Path), Fields<InventoryItem>),
    request_body = UpdateLocationLevelRequest,
    responses((status = 200, description = "The item", body = InventoryItemResponse)))]
pub(super) async fn update_location_level(
    OneRequest { db, id: (id, location_id), fields, .. }: OneLevel<AdminWriter, InventoryItem>,
    Json(request): Json<UpdateLocationLevelRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            let UpdateLocationLevelRequest { stocked_quantity, incoming_quantity } = request;
            level::change(tx, &id, &location_id, stocked_quantity, incoming_quantity)?;
            InventoryItem::show(tx, &id, selection)
        })
        .await
}

/// Deletes the level of an item at a location. A level with reserved pieces cannot be deleted.
#[crate::http::operation(delete, path = "/admin/inventory-items/{id}/location-levels/{location_id}", tag = "Admin inventory",
    params(("id" = InventoryItemId, Path), ("location_id" = StockLocationId, Path), Fields<InventoryItem>),
    responses((status = 200, description = "Deleted", body = LocationLevelDeletedResponse)))]
pub(super) async fn delete_location_level(
    OneRequest { db, id: (item_id, location_id), fields, .. }: OneLevel<AdminWriter, InventoryItem>,
) -> Result<Answer, HttpError> {
    fields
        .delete_part(db, "inventory-level", move |tx, selection| {
            let id = level::delete(tx, &item_id, &location_id)?;
            Ok::<_, InventoryError>((id, InventoryItem::show(tx, &item_id, selection)?))
        })
        .await
}

/// Creates, changes and deletes levels of an item, all or none.
#[crate::http::operation(post, path = "/admin/inventory-items/{id}/location-levels/batch", tag = "Admin inventory",
    params(("id" = InventoryItemId, Path)), request_body = ChangeLocationLevelsRequest,
    responses((status = 200, description = "The result", body = LocationLevelsChangedResponse)))]
pub(super) async fn change_location_levels(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<InventoryItemId>,
    Json(request): Json<ChangeLocationLevelsRequest>,
) -> Result<Json<LocationLevelsChangedResponse>, HttpError> {
    let response = db
        .write(move |tx| {
            InventoryItem::require::<InventoryError>(tx, &id)?;
            request.apply(tx, &id)
        })
        .await?;
    Ok(Json(response))
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
