//! `/admin/shipping-profiles`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::requests::{CreateShippingProfileRequest, UpdateShippingProfileRequest};
use super::shape::AdminShippingProfiles;
use super::views::load_profiles;
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Selection};
use crate::ids::ShippingProfileId;
use crate::shipping::stored::{self, ShippingProfile};
use crate::shipping::{ShippingError, queries};

/// A shipping profile.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShippingProfileResponse {
    /// The shipping profile.
    shipping_profile: ShippingProfile,
}

/// A page of shipping profiles.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ShippingProfileListResponse {
    /// The page.
    shipping_profiles: Vec<ShippingProfile>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a shipping profile is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "sp_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "shipping_profile", "deleted": true }))]
pub(super) struct ShippingProfileDeletedResponse {
    /// The shipping profile.
    id: ShippingProfileId,
    /// Always `shipping_profile`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Lists shipping profiles.
#[utoipa::path(get, path = "/admin/shipping-profiles", tag = "Admin shipping", params(ListRequest<AdminShippingProfiles>),
    responses((status = 200, description = "A page", body = ShippingProfileListResponse)))]
pub(super) async fn list_shipping_profiles(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminShippingProfiles>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (views, count) = db
        .read(move |tx| {
            let (rows, count) = queries::admin::profiles(tx, query)?;
            Ok::<_, ShippingError>((load_profiles(tx, rows, &selection)?, count))
        })
        .await?;
    list.answer(&views, count)
}

/// Makes a shipping profile.
#[utoipa::path(post, path = "/admin/shipping-profiles", tag = "Admin shipping", params(Fields<AdminShippingProfiles>),
    request_body = CreateShippingProfileRequest,
    responses((status = 200, description = "The shipping profile", body = ShippingProfileResponse)))]
pub(super) async fn create_shipping_profile(
    admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<AdminShippingProfiles>,
    Json(request): Json<CreateShippingProfileRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            let id = request.create(tx, admin.actor_id())?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("shipping_profile", &view)
}

/// Shows a shipping profile.
#[utoipa::path(get, path = "/admin/shipping-profiles/{id}", tag = "Admin shipping",
    params(("id" = ShippingProfileId, Path), Fields<AdminShippingProfiles>),
    responses((status = 200, description = "The shipping profile", body = ShippingProfileResponse)))]
pub(super) async fn show_shipping_profile(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<ShippingProfileId>,
    fields: Fields<AdminShippingProfiles>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db.read(move |tx| one(tx, &id, &selection)).await?;
    fields.selection.answer("shipping_profile", &view)
}

/// Changes a shipping profile.
#[utoipa::path(post, path = "/admin/shipping-profiles/{id}", tag = "Admin shipping",
    params(("id" = ShippingProfileId, Path), Fields<AdminShippingProfiles>), request_body = UpdateShippingProfileRequest,
    responses((status = 200, description = "The shipping profile", body = ShippingProfileResponse)))]
pub(super) async fn update_shipping_profile(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ShippingProfileId>,
    fields: Fields<AdminShippingProfiles>,
    Json(request): Json<UpdateShippingProfileRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            request.apply(tx, &id)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("shipping_profile", &view)
}

/// Deletes a shipping profile. One that products or options have stays.
#[utoipa::path(delete, path = "/admin/shipping-profiles/{id}", tag = "Admin shipping", params(("id" = ShippingProfileId, Path)),
    responses((status = 200, description = "It is deleted", body = ShippingProfileDeletedResponse)))]
pub(super) async fn delete_shipping_profile(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<ShippingProfileId>,
) -> Result<Json<ShippingProfileDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| stored::delete_profile(tx, &deleted_id)).await?;
    Ok(Json(ShippingProfileDeletedResponse { id, object: "shipping_profile", deleted: true }))
}

/// One shipping profile with what is asked for.
pub(super) fn one(
    tx: &Tx<'_>,
    id: &ShippingProfileId,
    selection: &Selection,
) -> Result<ShippingProfile, ShippingError> {
    let views = load_profiles(tx, vec![stored::find_profile(tx, id)?], selection)?;
    views.into_iter().next().ok_or_else(|| ShippingError::not_found("Shipping profile", id))
}
