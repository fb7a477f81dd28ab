//! `/admin/sales-channels`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::requests::{CreateSalesChannelRequest, UpdateSalesChannelRequest};
use super::shape::AdminSalesChannels;
use super::views::load_channels;
use crate::auth::{AdminReader, AdminWriter, Credentials};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Selection};
use crate::ids::SalesChannelId;
use crate::regions::{self, RegionError, SalesChannel, queries};

/// A sales channel.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SalesChannelResponse {
    /// The sales channel.
    sales_channel: SalesChannel,
}

/// A page of sales channels.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SalesChannelListResponse {
    /// The page.
    sales_channels: Vec<SalesChannel>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a sales channel is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "sc_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "sales-channel", "deleted": true }))]
pub(super) struct SalesChannelDeletedResponse {
    /// The sales channel.
    id: SalesChannelId,
    /// Always `sales-channel`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Lists sales channels.
#[utoipa::path(get, path = "/admin/sales-channels", tag = "Admin sales channels", params(ListRequest<AdminSalesChannels>),
    responses((status = 200, description = "A page", body = SalesChannelListResponse)))]
pub(super) async fn list_sales_channels(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminSalesChannels>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (views, count) = db
        .read(move |tx| {
            let (rows, count) = queries::channels::page(tx, query)?;
            Ok::<_, RegionError>((load_channels(tx, rows, &selection)?, count))
        })
        .await?;
    list.answer(&views, count)
}

/// Makes a sales channel.
#[utoipa::path(post, path = "/admin/sales-channels", tag = "Admin sales channels", params(Fields<AdminSalesChannels>),
    request_body = CreateSalesChannelRequest,
    responses((status = 200, description = "The sales channel", body = SalesChannelResponse)))]
pub(super) async fn create_sales_channel(
    admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<AdminSalesChannels>,
    Json(request): Json<CreateSalesChannelRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            let id = request.create(tx, admin.actor_id())?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("sales_channel", &view)
}

/// Shows a sales channel.
#[utoipa::path(get, path = "/admin/sales-channels/{id}", tag = "Admin sales channels",
    params(("id" = SalesChannelId, Path), Fields<AdminSalesChannels>),
    responses((status = 200, description = "The sales channel", body = SalesChannelResponse)))]
pub(super) async fn show_sales_channel(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<SalesChannelId>,
    fields: Fields<AdminSalesChannels>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db.read(move |tx| one(tx, &id, &selection)).await?;
    fields.selection.answer("sales_channel", &view)
}

/// Changes a sales channel. What keys show follows at once.
#[utoipa::path(post, path = "/admin/sales-channels/{id}", tag = "Admin sales channels",
    params(("id" = SalesChannelId, Path), Fields<AdminSalesChannels>), request_body = UpdateSalesChannelRequest,
    responses((status = 200, description = "The sales channel", body = SalesChannelResponse)))]
pub(super) async fn update_sales_channel(
    _admin: AdminWriter,
    State(credentials): State<Credentials>,
    Path(id): Path<SalesChannelId>,
    fields: Fields<AdminSalesChannels>,
    Json(request): Json<UpdateSalesChannelRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = credentials
        .change(move |tx| {
            request.apply(tx, &id)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("sales_channel", &view)
}

/// Deletes a sales channel.
#[utoipa::path(delete, path = "/admin/sales-channels/{id}", tag = "Admin sales channels", params(("id" = SalesChannelId, Path)),
    responses((status = 200, description = "It is deleted", body = SalesChannelDeletedResponse)))]
pub(super) async fn delete_sales_channel(
    _admin: AdminWriter,
    State(credentials): State<Credentials>,
    Path(id): Path<SalesChannelId>,
) -> Result<Json<SalesChannelDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    credentials.change(move |tx| regions::delete_channel(tx, &deleted_id)).await?;
    Ok(Json(SalesChannelDeletedResponse { id, object: "sales-channel", deleted: true }))
}

/// One sales channel with what is asked for.
pub(super) fn one(
    tx: &Tx<'_>,
    id: &SalesChannelId,
    selection: &Selection,
) -> Result<SalesChannel, RegionError> {
    let views = load_channels(tx, vec![regions::find_channel(tx, id)?], selection)?;
    views.into_iter().next().ok_or_else(|| RegionError::not_found("Sales channel", id))
}
