//! `/admin/stock-locations`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::requests::{CreateStockLocationRequest, UpdateStockLocationRequest};
use super::shape::AdminStockLocations;
use super::views::{StockLocationView, load_locations};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Selection};
use crate::ids::StockLocationId;
use crate::inventory::{InventoryError, location, queries};

/// A stock location.
#[derive(Debug, Serialize, ToSchema)]
pub struct StockLocationResponse {
    /// The stock location.
    stock_location: StockLocationView,
}

/// A page of stock locations.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct StockLocationListResponse {
    /// The page.
    stock_locations: Vec<StockLocationView>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a stock location is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "sloc_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "stock_location", "deleted": true }))]
pub(super) struct StockLocationDeletedResponse {
    /// The stock location.
    id: StockLocationId,
    /// Always `stock_location`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Lists stock locations.
#[utoipa::path(get, path = "/admin/stock-locations", tag = "Admin stock locations", params(ListRequest<AdminStockLocations>),
    responses((status = 200, description = "A page", body = StockLocationListResponse)))]
pub(super) async fn list_stock_locations(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminStockLocations>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (views, count) = db
        .read(move |tx| {
            let (rows, count) = queries::locations::page(tx, query)?;
            Ok::<_, InventoryError>((load_locations(tx, rows, &selection)?, count))
        })
        .await?;
    list.answer(&views, count)
}

/// Makes a stock location.
#[utoipa::path(post, path = "/admin/stock-locations", tag = "Admin stock locations", params(Fields<AdminStockLocations>),
    request_body = CreateStockLocationRequest,
    responses((status = 200, description = "The stock location", body = StockLocationResponse)))]
pub(super) async fn create_stock_location(
    admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<AdminStockLocations>,
    Json(request): Json<CreateStockLocationRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            let id = request.create(tx, admin.actor_id())?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("stock_location", &view)
}

/// Shows a stock location.
#[utoipa::path(get, path = "/admin/stock-locations/{id}", tag = "Admin stock locations",
    params(("id" = StockLocationId, Path), Fields<AdminStockLocations>),
    responses((status = 200, description = "The stock location", body = StockLocationResponse)))]
pub(super) async fn show_stock_location(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<StockLocationId>,
    fields: Fields<AdminStockLocations>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db.read(move |tx| one(tx, &id, &selection)).await?;
    fields.selection.answer("stock_location", &view)
}

/// Changes a stock location.
#[utoipa::path(post, path = "/admin/stock-locations/{id}", tag = "Admin stock locations",
    params(("id" = StockLocationId, Path), Fields<AdminStockLocations>), request_body = UpdateStockLocationRequest,
    responses((status = 200, description = "The stock location", body = StockLocationResponse)))]
pub(super) async fn update_stock_location(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<StockLocationId>,
    fields: Fields<AdminStockLocations>,
    Json(request): Json<UpdateStockLocationRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            request.apply(tx, &id)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("stock_location", &view)
}

/// Deletes a stock location. One that has reserved pieces stays.
#[utoipa::path(delete, path = "/admin/stock-locations/{id}", tag = "Admin stock locations", params(("id" = StockLocationId, Path)),
    responses((status = 200, description = "It is deleted", body = StockLocationDeletedResponse)))]
pub(super) async fn delete_stock_location(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<StockLocationId>,
) -> Result<Json<StockLocationDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| location::delete(tx, &deleted_id)).await?;
    Ok(Json(StockLocationDeletedResponse { id, object: "stock_location", deleted: true }))
}

/// One stock location with what is asked for.
pub fn one(
    tx: &Tx<'_>,
    id: &StockLocationId,
    selection: &Selection,
) -> Result<StockLocationView, InventoryError> {
    let views = load_locations(tx, vec![location::find(tx, id)?], selection)?;
    views.into_iter().next().ok_or_else(|| InventoryError::not_found("Stock location", id))
}
