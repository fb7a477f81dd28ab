//! `/admin/reports`: costs, promotions and tax.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::custom::file;
use super::range_query::ranged;
use crate::auth::{AdminReader, AdminWriter};
use crate::compute::Evaluator;
use crate::compute::Granularity;
use crate::database::Db;
use crate::http::{HttpError, Json, Query};
use crate::reports;
use crate::reports::cogs::{self, MarginReport, MarginsBy, TurnoverBy, TurnoverReport};
use crate::reports::custom::Format;
use crate::reports::promotions::{self, PromotionReport};
use crate::reports::snapshots::{self, SnapshotReport};
use crate::reports::stock::{self, CostAlerts, DEFAULT_TARGET_PERCENT};
use crate::reports::tax_export::{self, TaxExport};
use crate::reports::taxes::{self, TaxDashboard};
use crate::routes::streaming;
use crate::state::AppState;

/// The reports about costs, promotions and tax.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(show_margins))
        .routes(routes!(show_inventory_turnover))
        .routes(routes!(list_snapshots, take_snapshot))
        .routes(routes!(list_cost_alerts))
        .routes(routes!(show_promotions))
        .routes(routes!(show_promotion_codes))
        .routes(routes!(show_tax_dashboard))
        .routes(routes!(export_taxes))
}

const fn month() -> Granularity {
    Granularity::Month
}

ranged! {
    /// What margins are asked for.
    #[derive(Debug, Deserialize, utoipa::IntoParams)]
    #[into_params(parameter_in = Query)]
    MarginsQuery {
        /// What the rows are by.
        #[serde(default)]
        #[param(inline)]
        by: MarginsBy,
        /// How the range is cut, by period.
        #[serde(default = "month")]
        #[param(inline)]
        granularity: Granularity,
        /// Rows on a page at most.
        #[param(minimum = 0, maximum = 200, default = 20)]
        limit: Option<u32>,
        /// Rows before the page.
        #[serde(default)]
        #[param(minimum = 0, maximum = 10_000_000, default = 0)]
        offset: u32,
    }
}

ranged! {
    /// What turnover is asked for.
    #[derive(Debug, Deserialize, utoipa::IntoParams)]
    #[into_params(parameter_in = Query)]
    TurnoverQuery {
        /// What the rows are by.
        #[serde(default)]
        #[param(inline)]
        by: TurnoverBy,
        /// Rows on a page at most.
        #[param(minimum = 0, maximum = 200, default = 20)]
        limit: Option<u32>,
        /// Rows before the page.
        #[serde(default)]
        #[param(minimum = 0, maximum = 10_000_000, default = 0)]
        offset: u32,
    }
}

ranged! {
    /// What promotions are asked for.
    #[derive(Debug, Deserialize, utoipa::IntoParams)]
    #[into_params(parameter_in = Query)]
    PromotionsQuery {
        /// Rows on a page at most.
        #[param(minimum = 0, maximum = 200, default = 20)]
        limit: Option<u32>,
        /// Rows before the page.
        #[serde(default)]
        #[param(minimum = 0, maximum = 10_000_000, default = 0)]
        offset: u32,
    }
}

ranged! {
    /// What odd costs are asked for.
    #[derive(Debug, Deserialize, utoipa::IntoParams)]
    #[into_params(parameter_in = Query)]
    CostAlertsQuery {
        /// The margin that sales are to have, in percent.
        #[param(minimum = 0, maximum = 100, default = 20)]
        target_margin: Option<u32>,
        /// Findings on a page at most.
        #[param(minimum = 0, maximum = 200, default = 20)]
        limit: Option<u32>,
        /// Findings before the page.
        #[serde(default)]
        #[param(minimum = 0, maximum = 10_000_000, default = 0)]
        offset: u32,
    }
}

ranged! {
    /// What snapshots are asked for.
    #[derive(Debug, Deserialize, utoipa::IntoParams)]
    #[into_params(parameter_in = Query)]
    SnapshotsQuery {
        /// Days on a page at most.
        #[param(minimum = 0, maximum = 200, default = 20)]
        limit: Option<u32>,
        /// Days before the page.
        #[serde(default)]
        #[param(minimum = 0, maximum = 10_000_000, default = 0)]
        offset: u32,
    }
}

ranged! {
    /// What tax is asked for.
    #[derive(Debug, Deserialize, utoipa::IntoParams)]
    #[into_params(parameter_in = Query)]
    TaxesQuery {
        /// How the range is cut.
        #[serde(default = "month")]
        #[param(inline)]
        granularity: Granularity,
    }
}

ranged! {
    /// What the export of tax is asked for.
    #[derive(Debug, Deserialize, utoipa::IntoParams)]
    #[into_params(parameter_in = Query)]
    TaxExportQuery {
        /// How it is written.
        #[serde(default)]
        #[param(inline)]
        format: Format,
    }
}

/// Margins
///
/// What goods brought and cost, by product, variant, category or period.
#[utoipa::path(get, path = "/admin/reports/cogs/margins", tag = "Admin reports", params(MarginsQuery),
    responses((status = 200, description = "The margins", body = MarginReport)))]
pub(super) async fn show_margins(
    _admin: AdminReader,
    State(db): State<Db>,
    State(evaluator): State<Evaluator>,
    Query(query): Query<MarginsQuery>,
) -> Result<Json<MarginReport>, HttpError> {
    let (range, cut) = (query.range((query.limit, query.offset))?, (query.by, query.granularity));
    let found =
        reports::read(&db, &evaluator, range, move |tx, range| cogs::margins(tx, range, cut));
    Ok(Json(found.await?))
}

/// Inventory turnover
///
/// How often the stock was sold, by product or category. It rests on the daily snapshots.
#[utoipa::path(get, path = "/admin/reports/cogs/inventory-turnover", tag = "Admin reports", params(TurnoverQuery),
    responses((status = 200, description = "The turnover", body = TurnoverReport)))]
pub(super) async fn show_inventory_turnover(
    _admin: AdminReader,
    State(db): State<Db>,
    State(evaluator): State<Evaluator>,
    Query(query): Query<TurnoverQuery>,
) -> Result<Json<TurnoverReport>, HttpError> {
    let (range, by) = (query.range((query.limit, query.offset))?, query.by);
    let found =
        reports::read(&db, &evaluator, range, move |tx, range| cogs::turnover(tx, range, by));
    Ok(Json(found.await?))
}

/// Lists the stock of days
///
/// Taken when each day is over. Stock is of no channel, region or country: filters by them change nothing.
#[utoipa::path(get, path = "/admin/reports/cogs/snapshots", tag = "Admin reports", params(SnapshotsQuery),
    responses((status = 200, description = "The days", body = SnapshotReport)))]
pub(super) async fn list_snapshots(
    _admin: AdminReader,
    State(db): State<Db>,
    State(evaluator): State<Evaluator>,
    Query(query): Query<SnapshotsQuery>,
) -> Result<Json<SnapshotReport>, HttpError> {
    let found =
        reports::read(&db, &evaluator, query.range((query.limit, query.offset))?, snapshots::read);
    Ok(Json(found.await?))
}

/// That the stock was taken.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SnapshotTakenResponse {
    /// Always true.
    taken: bool,
}

/// Takes today's stock
///
/// As it is now, over what was taken of today before; it is taken again when the day is over.
#[utoipa::path(post, path = "/admin/reports/cogs/snapshots", tag = "Admin reports",
    responses((status = 200, description = "It was taken", body = SnapshotTakenResponse)))]
pub(super) async fn take_snapshot(
    _admin: AdminWriter,
    State(db): State<Db>,
) -> Result<Json<SnapshotTakenResponse>, HttpError> {
    db.write(snapshots::take_today).await?;
    Ok(Json(SnapshotTakenResponse { taken: true }))
}

/// What is odd about costs and stock
///
/// Variants without a cost, sold under cost, under the target, with a cost that jumped, or that lie for 90 days.
#[utoipa::path(get, path = "/admin/reports/cogs/alerts", tag = "Admin reports", params(CostAlertsQuery),
    responses((status = 200, description = "The findings", body = CostAlerts)))]
pub(super) async fn list_cost_alerts(
    _admin: AdminReader,
    State(db): State<Db>,
    State(evaluator): State<Evaluator>,
    Query(query): Query<CostAlertsQuery>,
) -> Result<Json<CostAlerts>, HttpError> {
    let target = query.target_margin.unwrap_or(DEFAULT_TARGET_PERCENT);
    if target > 100 {
        return Err(HttpError::invalid_data("target_margin is at most 100"));
    }
    let range = query.range((query.limit, query.offset))?;
    let found =
        reports::read(&db, &evaluator, range, move |tx, range| stock::alerts(tx, range, target));
    Ok(Json(found.await?))
}

/// Promotions
///
/// What each brought and took off.
#[utoipa::path(get, path = "/admin/reports/promotions", tag = "Admin reports", params(PromotionsQuery),
    responses((status = 200, description = "The promotions", body = PromotionReport)))]
pub(super) async fn show_promotions(
    _admin: AdminReader,
    State(db): State<Db>,
    State(evaluator): State<Evaluator>,
    Query(query): Query<PromotionsQuery>,
) -> Result<Json<PromotionReport>, HttpError> {
    let range = query.range((query.limit, query.offset))?;
    let found =
        reports::read(&db, &evaluator, range, |tx, range| promotions::read(tx, range, false));
    Ok(Json(found.await?))
}

/// Promotion codes
///
/// What each brought and took off.
#[utoipa::path(get, path = "/admin/reports/promotions/codes", tag = "Admin reports", params(PromotionsQuery),
    responses((status = 200, description = "The codes", body = PromotionReport)))]
pub(super) async fn show_promotion_codes(
    _admin: AdminReader,
    State(db): State<Db>,
    State(evaluator): State<Evaluator>,
    Query(query): Query<PromotionsQuery>,
) -> Result<Json<PromotionReport>, HttpError> {
    let range = query.range((query.limit, query.offset))?;
    let found =
        reports::read(&db, &evaluator, range, |tx, range| promotions::read(tx, range, true));
    Ok(Json(found.await?))
}

/// Tax
///
/// What was taxed, what it brought and what was given back, by place, rate and period.
#[utoipa::path(get, path = "/admin/reports/taxes/dashboard", tag = "Admin reports", params(TaxesQuery),
    responses((status = 200, description = "The tax", body = TaxDashboard)))]
pub(super) async fn show_tax_dashboard(
    _admin: AdminReader,
    State(db): State<Db>,
    State(evaluator): State<Evaluator>,
    Query(query): Query<TaxesQuery>,
) -> Result<Json<TaxDashboard>, HttpError> {
    let (range, cut) = (query.range((None, 0))?, query.granularity);
    let found =
        reports::read(&db, &evaluator, range, move |tx, range| taxes::dashboard(tx, range, cut));
    Ok(Json(found.await?))
}

/// Exports tax
///
/// One row for each order and place, as JSON or for spreadsheets. The file is sent while it is read.
#[utoipa::path(get, path = "/admin/reports/taxes/export", tag = "Admin reports", params(TaxExportQuery),
    responses((status = 200, description = "The rows", content(
        (TaxExport = "application/json"), (String = "text/csv")))))]
pub(super) async fn export_taxes(
    _admin: AdminReader,
    State(db): State<Db>,
    State(evaluator): State<Evaluator>,
    Query(query): Query<TaxExportQuery>,
) -> Result<Response, HttpError> {
    let (range, format) = (query.range((None, 0))?, query.format);
    let is_csv = format == Format::Csv;
    let begin =
        reports::read(&db, &evaluator, range, move |_tx, range| tax_export::begin(range, is_csv));
    let body = streaming::body(db.clone(), begin.await?, tax_export::next);
    Ok(match format {
        Format::Json => ([(CONTENT_TYPE, "application/json")], body).into_response(),
        Format::Csv => file("taxes.csv", body),
    })
}
