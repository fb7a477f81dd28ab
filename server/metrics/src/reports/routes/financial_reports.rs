//! `/admin/reports`: costs, promotions and tax.

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use quotient_foundation::routes;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::custom::file;
use crate::auth::AdminWriter;
use crate::compute::Granularity;
use crate::compute::routes::range_query::ranged;
use crate::compute::routes::range_reader::RangeReader;
use crate::database::Db;
use crate::http::{HttpError, Json, Query, ToSchema, streaming};
use crate::reports::cogs::{self, MarginReport, MarginsBy, TurnoverBy, TurnoverReport};
use crate::reports::custom::Format;
use crate::reports::promotions::{self, PromotionReport};
use crate::reports::snapshots::{self, SnapshotReport};
use crate::reports::stock::{self, CostAlerts, DEFAULT_TARGET_PERCENT};
use crate::reports::tax_export::{self, TaxExport};
use crate::reports::taxes::{self, TaxDashboard};
use crate::state::AppState;

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
    paged
    /// The options of the margin report.
    MarginsQuery {
        /// The grouping of the rows.
        #[serde(default)]
        #[param(inline)]
        by: MarginsBy,
        /// The length of the periods, only if grouped by period; a month unless it is given.
        #[param(inline)]
        granularity: Option<Granularity>,
    }
}

ranged! {
    paged
    /// The options of the inventory turnover report.
    TurnoverQuery {
        /// The grouping of the rows.
        #[serde(default)]
        #[param(inline)]
        by: TurnoverBy,
    }
}

ranged! {
    paged
    /// The options of cost alerts.
    CostAlertsQuery {
        /// The target margin of sales, in percent.
        #[param(minimum = 0, maximum = 100, default = 20)]
        target_margin: Option<u32>,
    }
}

ranged! {
    paged
    /// The options of reports that have none of their own.
    PageQuery {
    }
}

ranged! {
    /// The options of the tax dashboard.
    #[derive(Debug, Deserialize, crate::http::IntoParams)]
    #[into_params(parameter_in = Query)]
    TaxesQuery {
        /// The length of the buckets.
        #[serde(default = "month")]
        #[param(inline)]
        granularity: Granularity,
    }
}

ranged! {
    /// The options of the tax export.
    #[derive(Debug, Deserialize, crate::http::IntoParams)]
    #[into_params(parameter_in = Query)]
    TaxExportQuery {
        #[serde(default)]
        #[param(inline)]
        format: Format,
    }
}

/// Show margins
///
/// Revenue and cost of goods by product, variant, category or period.
#[crate::http::operation(get, path = "/admin/reports/cogs/margins", tag = "Admin reports", params(MarginsQuery),
    responses((status = 200, description = "The margins", body = MarginReport)))]
pub(super) async fn show_margins(
    reports: RangeReader,
    Query(query): Query<MarginsQuery>,
) -> Result<Json<MarginReport>, HttpError> {
    if query.granularity.is_some() && query.by != MarginsBy::Period {
        return Err(HttpError::invalid_data(
            "granularity is the length of periods: send by=period",
        ));
    }
    let (range, cut) = (query.page()?, (query.by, query.granularity.unwrap_or(month())));
    reports.read(range, move |tx, range| cogs::margins(tx, range, cut)).await
}

/// Show inventory turnover
///
/// Inventory turnover by product or category, computed from the daily snapshots.
#[crate::http::operation(get, path = "/admin/reports/cogs/inventory-turnover", tag = "Admin reports", params(TurnoverQuery),
    responses((status = 200, description = "The turnover", body = TurnoverReport)))]
pub(super) async fn show_inventory_turnover(
    reports: RangeReader,
    Query(query): Query<TurnoverQuery>,
) -> Result<Json<TurnoverReport>, HttpError> {
    let (range, by) = (query.page()?, query.by);
    reports.read(range, move |tx, range| cogs::turnover(tx, range, by)).await
}

/// List stock snapshots
///
/// The stock at the end of each day. Stock belongs to no channel, region or country: filters by them are ignored.
#[crate::http::operation(get, path = "/admin/reports/cogs/snapshots", tag = "Admin reports", params(PageQuery),
    responses((status = 200, description = "The days", body = SnapshotReport)))]
pub(super) async fn list_snapshots(
    reports: RangeReader,
    Query(query): Query<PageQuery>,
) -> Result<Json<SnapshotReport>, HttpError> {
    reports.read(query.page()?, snapshots::read).await
}

/// The result of taking a snapshot.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SnapshotTakenResponse {
    /// Always true.
    taken: bool,
}

/// Take a snapshot of today's stock
///
/// Records the current stock, replacing an earlier snapshot of today; it is taken again when the day is over.
#[crate::http::operation(post, path = "/admin/reports/cogs/snapshots", tag = "Admin reports",
    responses((status = 200, description = "The snapshot was taken", body = SnapshotTakenResponse)))]
pub(super) async fn take_snapshot(
    _admin: AdminWriter,
    State(db): State<Db>,
) -> Result<Json<SnapshotTakenResponse>, HttpError> {
    db.write(snapshots::take_today).await?;
    Ok(Json(SnapshotTakenResponse { taken: true }))
}

/// List cost alerts
///
/// Variants without a cost, sold below cost, sold below the target margin, with a cost that jumped, or unmoved for 90
/// days. With a sales channel, a region or a country, only those sold there below cost or the target margin.
#[crate::http::operation(get, path = "/admin/reports/cogs/alerts", tag = "Admin reports", params(CostAlertsQuery),
    responses((status = 200, description = "The alerts", body = CostAlerts)))]
pub(super) async fn list_cost_alerts(
    reports: RangeReader,
    Query(query): Query<CostAlertsQuery>,
) -> Result<Json<CostAlerts>, HttpError> {
    let target = query.target_margin.unwrap_or(DEFAULT_TARGET_PERCENT);
    if target > 100 {
        return Err(HttpError::invalid_data("target_margin is at most 100"));
    }
    reports.read(query.page()?, move |tx, range| stock::alerts(tx, range, target)).await
}

/// Show promotions
///
/// The sales and discounts of each promotion.
#[crate::http::operation(get, path = "/admin/reports/promotions", tag = "Admin reports", params(PageQuery),
    responses((status = 200, description = "The promotions", body = PromotionReport)))]
pub(super) async fn show_promotions(
    reports: RangeReader,
    Query(query): Query<PageQuery>,
) -> Result<Json<PromotionReport>, HttpError> {
    reports.read(query.page()?, |tx, range| promotions::read(tx, range, false)).await
}

/// Show promotion codes
///
/// The sales and discounts of each code.
#[crate::http::operation(get, path = "/admin/reports/promotions/codes", tag = "Admin reports", params(PageQuery),
    responses((status = 200, description = "The codes", body = PromotionReport)))]
pub(super) async fn show_promotion_codes(
    reports: RangeReader,
    Query(query): Query<PageQuery>,
) -> Result<Json<PromotionReport>, HttpError> {
    reports.read(query.page()?, |tx, range| promotions::read(tx, range, true)).await
}

/// Show tax
///
/// Taxable amounts, tax and refunded tax, by place, rate and period.
#[crate::http::operation(get, path = "/admin/reports/taxes/dashboard", tag = "Admin reports", params(TaxesQuery),
    responses((status = 200, description = "The tax", body = TaxDashboard)))]
pub(super) async fn show_tax_dashboard(
    reports: RangeReader,
    Query(query): Query<TaxesQuery>,
) -> Result<Json<TaxDashboard>, HttpError> {
    let (range, cut) = (query.range(None, 0)?, query.granularity);
    reports.read(range, move |tx, range| taxes::dashboard(tx, range, cut)).await
}

/// Export tax
///
/// One row for each order and place, as JSON or CSV. The response is streamed.
#[crate::http::operation(get, path = "/admin/reports/taxes/export", tag = "Admin reports", params(TaxExportQuery),
    responses((status = 200, description = "The rows", content(
        (TaxExport = "application/json"), (String = "text/csv")))))]
pub(super) async fn export_taxes(
    reports: RangeReader,
    Query(query): Query<TaxExportQuery>,
) -> Result<Response, HttpError> {
    let (range, format) = (query.range(None, 0)?, query.format);
    let is_csv = format == Format::Csv;
    let Json(begin) =
        reports.read(range, move |_tx, range| tax_export::begin(range, is_csv)).await?;
    let body = streaming::body(reports.db, begin, tax_export::next, None).await?;
    Ok(match format {
        Format::Json => ([(CONTENT_TYPE, "application/json")], body).into_response(),
        Format::Csv => file("taxes.csv", body),
    })
}
