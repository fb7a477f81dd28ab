//! `/admin/shipping-option-types`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::requests::{CreateShippingOptionTypeRequest, UpdateShippingOptionTypeRequest};
use super::shape::AdminShippingOptionTypes;
use super::views::load_types;
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Selection};
use crate::ids::ShippingOptionTypeId;
use crate::shipping::stored::{self, ShippingOptionType};
use crate::shipping::{ShippingError, queries};

/// A shipping option type.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShippingOptionTypeResponse {
    /// The shipping option type.
    shipping_option_type: ShippingOptionType,
}

/// A page of shipping option types.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShippingOptionTypeListResponse {
    /// The page.
    shipping_option_types: Vec<ShippingOptionType>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a shipping option type is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "sotype_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "shipping_option_type", "deleted": true }))]
pub(super) struct ShippingOptionTypeDeletedResponse {
    /// The shipping option type.
    id: ShippingOptionTypeId,
    /// Always `shipping_option_type`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Lists shipping option types.
#[utoipa::path(get, path = "/admin/shipping-option-types", tag = "Admin shipping", params(ListRequest<AdminShippingOptionTypes>),
    responses((status = 200, description = "A page", body = ShippingOptionTypeListResponse)))]
pub(super) async fn list_shipping_option_types(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminShippingOptionTypes>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (views, count) = db
        .read(move |tx| {
            let (rows, count) = queries::admin::types(tx, &query)?;
            Ok::<_, ShippingError>((load_types(tx, rows, &selection)?, count))
        })
        .await?;
    list.answer(&views, count)
}

/// Makes a shipping option type.
#[utoipa::path(post, path = "/admin/shipping-option-types", tag = "Admin shipping", params(Fields<AdminShippingOptionTypes>),
    request_body = CreateShippingOptionTypeRequest,
    responses((status = 200, description = "The shipping option type", body = ShippingOptionTypeResponse)))]
pub(super) async fn create_shipping_option_type(
    admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<AdminShippingOptionTypes>,
    Json(request): Json<CreateShippingOptionTypeRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            let id = request.create(tx, admin.actor_id())?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("shipping_option_type", &view)
}

/// Shows a shipping option type.
#[utoipa::path(get, path = "/admin/shipping-option-types/{id}", tag = "Admin shipping",
    params(("id" = ShippingOptionTypeId, Path), Fields<AdminShippingOptionTypes>),
    responses((status = 200, description = "The shipping option type", body = ShippingOptionTypeResponse)))]
pub(super) async fn show_shipping_option_type(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<ShippingOptionTypeId>,
    fields: Fields<AdminShippingOptionTypes>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db.read(move |tx| one(tx, &id, &selection)).await?;
    fields.selection.answer("shipping_option_type", &view)
}

/// Changes a shipping option type.
#[utoipa::path(post, path = "/admin/shipping-option-types/{id}", tag = "Admin shipping",
    params(("id" = ShippingOptionTypeId, Path), Fields<AdminShippingOptionTypes>), request_body = UpdateShippingOptionTypeRequest,
    responses((status = 200, description = "The shipping option type", body = ShippingOptionTypeResponse)))]
pub(super) async fn update_shipping_option_type(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ShippingOptionTypeId>,
    fields: Fields<AdminShippingOptionTypes>,
    Json(request): Json<UpdateShippingOptionTypeRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            request.apply(tx, &id)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("shipping_option_type", &view)
}

/// Deletes a shipping option type. One that options have stays.
#[utoipa::path(delete, path = "/admin/shipping-option-types/{id}", tag = "Admin shipping", params(("id" = ShippingOptionTypeId, Path)),
    responses((status = 200, description = "It is deleted", body = ShippingOptionTypeDeletedResponse)))]
pub(super) async fn delete_shipping_option_type(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ShippingOptionTypeId>,
) -> Result<Json<ShippingOptionTypeDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| stored::delete_type(tx, &deleted_id)).await?;
    Ok(Json(ShippingOptionTypeDeletedResponse {
        id,
        object: "shipping_option_type",
        deleted: true,
    }))
}

/// One shipping option type with what is asked for.
pub(super) fn one(
    tx: &Tx<'_>,
    id: &ShippingOptionTypeId,
    selection: &Selection,
) -> Result<ShippingOptionType, ShippingError> {
    let views = load_types(tx, vec![stored::find_type(tx, id)?], selection)?;
    views.into_iter().next().ok_or_else(|| ShippingError::not_found("Shipping option type", id))
}
