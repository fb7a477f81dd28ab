//! `/admin/inventory-items`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::requests::{CreateInventoryItemRequest, UpdateInventoryItemRequest};
use super::shape::AdminInventoryItems;
use super::views::{InventoryItemView, load_items};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Selection};
use crate::ids::InventoryItemId;
use crate::inventory::{InventoryError, item, queries};

/// An inventory item.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct InventoryItemResponse {
    /// The inventory item.
    inventory_item: InventoryItemView,
}

/// A page of inventory items.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct InventoryItemListResponse {
    /// The page.
    inventory_items: Vec<InventoryItemView>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That an inventory item is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "iitem_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "inventory_item", "deleted": true }))]
pub(super) struct InventoryItemDeletedResponse {
    /// The inventory item.
    id: InventoryItemId,
    /// Always `inventory_item`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Lists inventory items.
#[utoipa::path(get, path = "/admin/inventory-items", tag = "Admin inventory", params(ListRequest<AdminInventoryItems>),
    responses((status = 200, description = "A page", body = InventoryItemListResponse)))]
pub(super) async fn list_inventory_items(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminInventoryItems>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (views, count) = db
        .read(move |tx| {
            let (rows, count) = queries::items::page(tx, query)?;
            Ok::<_, InventoryError>((load_items(tx, rows, &selection)?, count))
        })
        .await?;
    list.answer(&views, count)
}

/// Makes an inventory item.
#[utoipa::path(post, path = "/admin/inventory-items", tag = "Admin inventory", params(Fields<AdminInventoryItems>),
    request_body = CreateInventoryItemRequest,
    responses((status = 200, description = "The inventory item", body = InventoryItemResponse)))]
pub(super) async fn create_inventory_item(
    admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<AdminInventoryItems>,
    Json(request): Json<CreateInventoryItemRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            let id = request.create(tx, admin.actor_id())?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("inventory_item", &view)
}

/// Shows an inventory item.
#[utoipa::path(get, path = "/admin/inventory-items/{id}", tag = "Admin inventory",
    params(("id" = InventoryItemId, Path), Fields<AdminInventoryItems>),
    responses((status = 200, description = "The inventory item", body = InventoryItemResponse)))]
pub(super) async fn show_inventory_item(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<InventoryItemId>,
    fields: Fields<AdminInventoryItems>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db.read(move |tx| one(tx, &id, &selection)).await?;
    fields.selection.answer("inventory_item", &view)
}

/// Changes an inventory item.
#[utoipa::path(post, path = "/admin/inventory-items/{id}", tag = "Admin inventory",
    params(("id" = InventoryItemId, Path), Fields<AdminInventoryItems>), request_body = UpdateInventoryItemRequest,
    responses((status = 200, description = "The inventory item", body = InventoryItemResponse)))]
pub(super) async fn update_inventory_item(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<InventoryItemId>,
    fields: Fields<AdminInventoryItems>,
    Json(request): Json<UpdateInventoryItemRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            request.apply(tx, &id)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("inventory_item", &view)
}

/// Deletes an inventory item. One that has reserved pieces stays.
#[utoipa::path(delete, path = "/admin/inventory-items/{id}", tag = "Admin inventory", params(("id" = InventoryItemId, Path)),
    responses((status = 200, description = "It is deleted", body = InventoryItemDeletedResponse)))]
pub(super) async fn delete_inventory_item(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<InventoryItemId>,
) -> Result<Json<InventoryItemDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| item::delete(tx, &deleted_id)).await?;
    Ok(Json(InventoryItemDeletedResponse { id, object: "inventory_item", deleted: true }))
}

/// One inventory item with what is asked for.
pub(super) fn one(
    tx: &Tx<'_>,
    id: &InventoryItemId,
    selection: &Selection,
) -> Result<InventoryItemView, InventoryError> {
    let views = load_items(tx, vec![item::find(tx, id)?], selection)?;
    views.into_iter().next().ok_or_else(|| InventoryError::not_found("Inventory item", id))
}
