//! `/admin/shipping-options`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::requests::{CreateShippingOptionRequest, UpdateShippingOptionRequest};
use super::shape::AdminShippingOptions;
use super::views::{ShippingOptionView, load_options};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Selection};
use crate::ids::ShippingOptionId;
use crate::shipping::{ShippingError, queries, stored};

/// A shipping option.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AdminShippingOptionResponse)]
pub(super) struct ShippingOptionResponse {
    /// The shipping option.
    shipping_option: ShippingOptionView,
}

/// A page of shipping options.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AdminShippingOptionListResponse)]
pub(super) struct ShippingOptionListResponse {
    /// The page.
    shipping_options: Vec<ShippingOptionView>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a shipping option is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "so_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "shipping_option", "deleted": true }))]
pub(super) struct ShippingOptionDeletedResponse {
    /// The shipping option.
    id: ShippingOptionId,
    /// Always `shipping_option`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Lists shipping options.
#[utoipa::path(get, path = "/admin/shipping-options", tag = "Admin shipping", params(ListRequest<AdminShippingOptions>),
    responses((status = 200, description = "A page", body = ShippingOptionListResponse)))]
pub(super) async fn list_shipping_options(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminShippingOptions>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (views, count) = db
        .read(move |tx| {
            let (rows, count) = queries::admin::options(tx, query)?;
            Ok::<_, ShippingError>((load_options(tx, rows, &selection)?, count))
        })
        .await?;
    list.answer(&views, count)
}

/// Makes a shipping option.
#[utoipa::path(post, path = "/admin/shipping-options", tag = "Admin shipping", params(Fields<AdminShippingOptions>),
    request_body = CreateShippingOptionRequest,
    responses((status = 200, description = "The shipping option", body = ShippingOptionResponse)))]
pub(super) async fn create_shipping_option(
    admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<AdminShippingOptions>,
    Json(request): Json<CreateShippingOptionRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            let id = request.create(tx, admin.actor_id())?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("shipping_option", &view)
}

/// Shows a shipping option.
#[utoipa::path(get, path = "/admin/shipping-options/{id}", tag = "Admin shipping",
    params(("id" = ShippingOptionId, Path), Fields<AdminShippingOptions>),
    responses((status = 200, description = "The shipping option", body = ShippingOptionResponse)))]
pub(super) async fn show_shipping_option(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<ShippingOptionId>,
    fields: Fields<AdminShippingOptions>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db.read(move |tx| one(tx, &id, &selection)).await?;
    fields.selection.answer("shipping_option", &view)
}

/// Changes a shipping option.
#[utoipa::path(post, path = "/admin/shipping-options/{id}", tag = "Admin shipping",
    params(("id" = ShippingOptionId, Path), Fields<AdminShippingOptions>), request_body = UpdateShippingOptionRequest,
    responses((status = 200, description = "The shipping option", body = ShippingOptionResponse)))]
pub(super) async fn update_shipping_option(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ShippingOptionId>,
    fields: Fields<AdminShippingOptions>,
    Json(request): Json<UpdateShippingOptionRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            request.apply(tx, &id)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("shipping_option", &view)
}

/// Deletes a shipping option.
#[utoipa::path(delete, path = "/admin/shipping-options/{id}", tag = "Admin shipping", params(("id" = ShippingOptionId, Path)),
    responses((status = 200, description = "It is deleted", body = ShippingOptionDeletedResponse)))]
pub(super) async fn delete_shipping_option(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ShippingOptionId>,
) -> Result<Json<ShippingOptionDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| stored::delete_option(tx, &deleted_id)).await?;
    Ok(Json(ShippingOptionDeletedResponse { id, object: "shipping_option", deleted: true }))
}

/// One shipping option with what is asked for.
pub(super) fn one(
    tx: &Tx<'_>,
    id: &ShippingOptionId,
    selection: &Selection,
) -> Result<ShippingOptionView, ShippingError> {
    let views = load_options(tx, vec![stored::find_option(tx, id)?], selection)?;
    views.into_iter().next().ok_or_else(|| ShippingError::not_found("Shipping option", id))
}
