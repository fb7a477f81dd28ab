//! What a stock location serves and who sends from it.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::locations::{StockLocationResponse, one};
use super::shape::AdminStockLocations;
use crate::auth::AdminWriter;
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, Path, Text};
use crate::ids::{SalesChannelId, StockLocationId};
use crate::inventory::location;

/// Which channels a location is to serve, and which no more.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "add": ["sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE"] }))]
pub(super) struct ChangeStockLocationChannelsRequest {
    #[serde(default)]
    add: Vec<SalesChannelId>,
    #[serde(default)]
    remove: Vec<SalesChannelId>,
}

/// Says which sales channels sell what lies at a location.
#[utoipa::path(post, path = "/admin/stock-locations/{id}/sales-channels", tag = "Admin stock locations",
    params(("id" = StockLocationId, Path), Fields<AdminStockLocations>),
    request_body = ChangeStockLocationChannelsRequest,
    responses((status = 200, description = "The stock location", body = StockLocationResponse)))]
pub(super) async fn change_stock_location_channels(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<StockLocationId>,
    fields: Fields<AdminStockLocations>,
    Json(request): Json<ChangeStockLocationChannelsRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            location::change_channels(tx, &id, &request.add, &request.remove)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("stock_location", &view)
}

/// Which providers are to send from a location, and which no more.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "add": ["manual_manual"] }))]
pub(super) struct ChangeStockLocationProvidersRequest {
    #[serde(default)]
    #[schema(max_items = 50)]
    add: Vec<Text<100>>,
    #[serde(default)]
    #[schema(max_items = 50)]
    remove: Vec<Text<100>>,
}

/// Says which fulfillment providers send what lies at a location.
#[utoipa::path(post, path = "/admin/stock-locations/{id}/fulfillment-providers", tag = "Admin stock locations",
    params(("id" = StockLocationId, Path), Fields<AdminStockLocations>),
    request_body = ChangeStockLocationProvidersRequest,
    responses((status = 200, description = "The stock location", body = StockLocationResponse)))]
pub(super) async fn change_stock_location_providers(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<StockLocationId>,
    fields: Fields<AdminStockLocations>,
    Json(request): Json<ChangeStockLocationProvidersRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let texts = |sent: Vec<Text<100>>| sent.into_iter().map(String::from).collect::<Vec<_>>();
    let view = db
        .write(move |tx| {
            location::change_providers(tx, &id, &texts(request.add), &texts(request.remove))?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("stock_location", &view)
}
