//! `/admin/regions`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::requests::{CreateRegionRequest, UpdateRegionRequest};
use super::shape::AdminRegions;
use super::views::{RegionView, load_regions};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Selection};
use crate::ids::RegionId;
use crate::regions::{self, RegionError, queries};

/// A region.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RegionResponse {
    /// The region.
    region: RegionView,
}

/// A page of regions.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RegionListResponse {
    /// The page.
    regions: Vec<RegionView>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a region is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "region", "deleted": true }))]
pub(super) struct RegionDeletedResponse {
    /// The region.
    id: RegionId,
    /// Always `region`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Lists regions.
#[utoipa::path(get, path = "/admin/regions", tag = "Admin regions", params(ListRequest<AdminRegions>),
    responses((status = 200, description = "A page", body = RegionListResponse)))]
pub(super) async fn list_regions(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminRegions>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (views, count) = db
        .read(move |tx| {
            let (rows, count) = queries::regions::page(tx, query)?;
            Ok::<_, RegionError>((load_regions(tx, rows, &selection)?, count))
        })
        .await?;
    list.answer(&views, count)
}

/// Makes a region.
#[utoipa::path(post, path = "/admin/regions", tag = "Admin regions", params(Fields<AdminRegions>),
    request_body = CreateRegionRequest,
    responses((status = 200, description = "The region", body = RegionResponse)))]
pub(super) async fn create_region(
    admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<AdminRegions>,
    Json(request): Json<CreateRegionRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            let id = request.create(tx, admin.actor_id())?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("region", &view)
}

/// Shows a region.
#[utoipa::path(get, path = "/admin/regions/{id}", tag = "Admin regions",
    params(("id" = RegionId, Path), Fields<AdminRegions>),
    responses((status = 200, description = "The region", body = RegionResponse)))]
pub(super) async fn show_region(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<RegionId>,
    fields: Fields<AdminRegions>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db.read(move |tx| one(tx, &id, &selection)).await?;
    fields.selection.answer("region", &view)
}

/// Changes a region.
#[utoipa::path(post, path = "/admin/regions/{id}", tag = "Admin regions",
    params(("id" = RegionId, Path), Fields<AdminRegions>), request_body = UpdateRegionRequest,
    responses((status = 200, description = "The region", body = RegionResponse)))]
pub(super) async fn update_region(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<RegionId>,
    fields: Fields<AdminRegions>,
    Json(request): Json<UpdateRegionRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            request.apply(tx, &id)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("region", &view)
}

/// Deletes a region. Its countries are free for another one; carts of it find no region any more.
#[utoipa::path(delete, path = "/admin/regions/{id}", tag = "Admin regions", params(("id" = RegionId, Path)),
    responses((status = 200, description = "It is deleted", body = RegionDeletedResponse)))]
pub(super) async fn delete_region(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<RegionId>,
) -> Result<Json<RegionDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| regions::delete(tx, &deleted_id)).await?;
    Ok(Json(RegionDeletedResponse { id, object: "region", deleted: true }))
}

/// One region with what is asked for.
pub(super) fn one(
    tx: &Tx<'_>,
    id: &RegionId,
    selection: &Selection,
) -> Result<RegionView, RegionError> {
    let views = load_regions(tx, vec![regions::find(tx, id)?], selection)?;
    views.into_iter().next().ok_or_else(|| RegionError::not_found("Region", id))
}
