//! `/admin/sales-channels/{id}/products`.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::sales_channels::{SalesChannelResponse, one};
use super::shape::AdminSalesChannels;
use crate::auth::AdminWriter;
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, Path};
use crate::ids::{ProductId, SalesChannelId};
use crate::regions;

/// Which products come into a channel, and which leave it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "add": ["prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE"] }))]
pub(super) struct ChangeSalesChannelProductsRequest {
    #[serde(default)]
    add: Vec<ProductId>,
    #[serde(default)]
    remove: Vec<ProductId>,
}

/// Puts products into a sales channel and takes others out of it.
#[utoipa::path(post, path = "/admin/sales-channels/{id}/products", tag = "Admin sales channels",
    params(("id" = SalesChannelId, Path), Fields<AdminSalesChannels>),
    request_body = ChangeSalesChannelProductsRequest,
    responses((status = 200, description = "The sales channel", body = SalesChannelResponse)))]
pub(super) async fn change_sales_channel_products(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<SalesChannelId>,
    fields: Fields<AdminSalesChannels>,
    Json(request): Json<ChangeSalesChannelProductsRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let channel = db
        .write(move |tx| {
            regions::change_channel_products(tx, &id, &request.add, &request.remove)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("sales_channel", &channel)
}
