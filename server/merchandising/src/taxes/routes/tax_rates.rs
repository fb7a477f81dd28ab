//! `/admin/tax-rates`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::requests::{CreateTaxRateRequest, UpdateTaxRateRequest};
use super::shape::AdminTaxRates;
use super::views::{TaxRateView, load_rates};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, Path, Selection};
use crate::ids::TaxRateId;
use crate::taxes::{TaxError, queries, stored};

/// A tax rate.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TaxRateResponse {
    /// The tax rate.
    tax_rate: TaxRateView,
}

/// A page of tax rates.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TaxRateListResponse {
    /// The page.
    tax_rates: Vec<TaxRateView>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// That a tax rate is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "id": "txr_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "tax_rate", "deleted": true }))]
pub(super) struct TaxRateDeletedResponse {
    /// The tax rate.
    id: TaxRateId,
    /// Always `tax_rate`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Lists tax rates.
#[utoipa::path(get, path = "/admin/tax-rates", tag = "Admin taxes", params(ListRequest<AdminTaxRates>),
    responses((status = 200, description = "A page", body = TaxRateListResponse)))]
pub(super) async fn list_tax_rates(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminTaxRates>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (views, count) = db
        .read(move |tx| {
            let (rows, count) = queries::admin::rates(tx, &query)?;
            Ok::<_, TaxError>((load_rates(tx, rows, &selection)?, count))
        })
        .await?;
    list.answer(&views, count)
}

/// Makes a tax rate.
#[utoipa::path(post, path = "/admin/tax-rates", tag = "Admin taxes", params(Fields<AdminTaxRates>),
    request_body = CreateTaxRateRequest,
    responses((status = 200, description = "The tax rate", body = TaxRateResponse)))]
pub(super) async fn create_tax_rate(
    admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<AdminTaxRates>,
    Json(request): Json<CreateTaxRateRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            let id = request.create(tx, admin.actor_id())?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("tax_rate", &view)
}

/// Shows a tax rate.
#[utoipa::path(get, path = "/admin/tax-rates/{id}", tag = "Admin taxes",
    params(("id" = TaxRateId, Path), Fields<AdminTaxRates>),
    responses((status = 200, description = "The tax rate", body = TaxRateResponse)))]
pub(super) async fn show_tax_rate(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<TaxRateId>,
    fields: Fields<AdminTaxRates>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db.read(move |tx| one(tx, &id, &selection)).await?;
    fields.selection.answer("tax_rate", &view)
}

/// Changes a tax rate.
#[utoipa::path(post, path = "/admin/tax-rates/{id}", tag = "Admin taxes",
    params(("id" = TaxRateId, Path), Fields<AdminTaxRates>), request_body = UpdateTaxRateRequest,
    responses((status = 200, description = "The tax rate", body = TaxRateResponse)))]
pub(super) async fn update_tax_rate(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<TaxRateId>,
    fields: Fields<AdminTaxRates>,
    Json(request): Json<UpdateTaxRateRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let view = db
        .write(move |tx| {
            request.apply(tx, &id)?;
            one(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("tax_rate", &view)
}

/// Deletes a tax rate.
#[utoipa::path(delete, path = "/admin/tax-rates/{id}", tag = "Admin taxes", params(("id" = TaxRateId, Path)),
    responses((status = 200, description = "It is deleted", body = TaxRateDeletedResponse)))]
pub(super) async fn delete_tax_rate(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<TaxRateId>,
) -> Result<Json<TaxRateDeletedResponse>, HttpError> {
    let deleted_id = id.clone();
    db.write(move |tx| stored::delete_rate(tx, &deleted_id)).await?;
    Ok(Json(TaxRateDeletedResponse { id, object: "tax_rate", deleted: true }))
}

/// One tax rate with what is asked for.
pub(super) fn one(
    tx: &Tx<'_>,
    id: &TaxRateId,
    selection: &Selection,
) -> Result<TaxRateView, TaxError> {
    let views = load_rates(tx, vec![stored::find_rate(tx, id)?], selection)?;
    views.into_iter().next().ok_or_else(|| TaxError::not_found("Tax rate", id))
}
