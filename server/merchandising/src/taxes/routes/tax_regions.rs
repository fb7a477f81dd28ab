//! `/admin/tax-regions`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::requests::{CreateTaxRegionRequest, UpdateTaxRegionRequest};
use super::shape::AdminTaxRegions;
use super::views::{TaxRegionView, load_regions};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Selection};
use crate::ids::TaxRegionId;
use crate::taxes::{TaxError, queries, stored};

/// A tax region.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TaxRegionResponse {
    /// The tax region.
    tax_region: TaxRegionView,
}

/// A page of tax regions.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TaxRegionListResponse {
    /// The page.
    tax_regions: Vec<TaxRegionView>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a tax region is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "txreg_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "tax_region", "deleted": true }))]
pub(super) struct TaxRegionDeletedResponse {
    /// The tax region.
    id: TaxRegionId,
    /// Always `tax_region`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Lists tax regions.
#[utoipa::path(get, path = "/admin/tax-regions", tag = "Admin taxes", params(ListRequest<AdminTaxRegions>),
    responses((status = 200, description = "A page", body = TaxRegionListResponse)))]
pub(super) async fn list_tax_regions(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminTaxRegions>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (views, count) = db
        .read(move |tx| {
            let (rows, count) = queries::admin::regions(tx, &query)?;
            Ok::<_, TaxError>((load_regions(tx, rows, &selection)?, count))
        })
        .await?;
    list.answer(&views, count)
}

/// Makes a tax region.
#[utoipa::path(post, path = "/admin/tax-regions", tag = "Admin taxes", params(Fields<AdminTaxRegions>),
    request_body = CreateTaxRegionRequest,
    responses((status = 200, description = "The tax region", body = TaxRegionResponse)))]
pub(super) async fn create_tax_region(
    admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<AdminTaxRegions>,
    Json(request): Json<CreateTaxRegionRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            let id = request.create(tx, admin.actor_id())?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("tax_region", &view)
}

/// Shows a tax region.
#[utoipa::path(get, path = "/admin/tax-regions/{id}", tag = "Admin taxes",
    params(("id" = TaxRegionId, Path), Fields<AdminTaxRegions>),
    responses((status = 200, description = "The tax region", body = TaxRegionResponse)))]
pub(super) async fn show_tax_region(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<TaxRegionId>,
    fields: Fields<AdminTaxRegions>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db.read(move |tx| one(tx, &id, &selection)).await?;
    fields.selection.answer("tax_region", &view)
}

/// Changes a tax region.
#[utoipa::path(post, path = "/admin/tax-regions/{id}", tag = "Admin taxes",
    params(("id" = TaxRegionId, Path), Fields<AdminTaxRegions>), request_body = UpdateTaxRegionRequest,
    responses((status = 200, description = "The tax region", body = TaxRegionResponse)))]
pub(super) async fn update_tax_region(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<TaxRegionId>,
    fields: Fields<AdminTaxRegions>,
    Json(request): Json<UpdateTaxRegionRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            request.apply(tx, &id)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("tax_region", &view)
}

/// Deletes a tax region. Its rates go with it, and so do the regions of its provinces.
#[utoipa::path(delete, path = "/admin/tax-regions/{id}", tag = "Admin taxes", params(("id" = TaxRegionId, Path)),
    responses((status = 200, description = "It is deleted", body = TaxRegionDeletedResponse)))]
pub(super) async fn delete_tax_region(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<TaxRegionId>,
) -> Result<Json<TaxRegionDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| stored::delete_region(tx, &deleted_id)).await?;
    Ok(Json(TaxRegionDeletedResponse { id, object: "tax_region", deleted: true }))
}

/// One tax region with what is asked for.
pub(super) fn one(
    tx: &Tx<'_>,
    id: &TaxRegionId,
    selection: &Selection,
) -> Result<TaxRegionView, TaxError> {
    let views = load_regions(tx, vec![stored::find_region(tx, id)?], selection)?;
    views.into_iter().next().ok_or_else(|| TaxError::not_found("Tax region", id))
}
