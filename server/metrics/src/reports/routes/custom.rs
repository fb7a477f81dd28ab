//! `/admin/metrics/report`, `/admin/metrics/reports` and `/admin/metrics/fulfillment-report`.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use quotient_foundation::routes;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use crate::MetricError;
use crate::auth::{AdminAnalyst, AdminReader};
use crate::compute::question::Compare;
use crate::compute::routes::range_query::ranged;
use crate::compute::routes::range_reader::RangeReader;
use crate::compute::routes::requests::{Names, listed};
use crate::compute::{Evaluator, Granularity};
use crate::database::{Db, Error, Tx};
use crate::http::{Answer, HttpError, Json, ListRequest, Page, Query, Text, ToSchema};
use crate::registry::QUESTION_TIMEOUT;
use crate::reports::custom::{self, Format, Report, ReportQuery};
use crate::reports::fulfillment::{self, FulfillmentReport};
use crate::reports::products::{self, RankedBy, TopProducts};
use crate::reports::queries::reports::{self as queries, SavedReport};
use crate::state::AppState;

/// Limit: metrics of a report.
const MAX_METRICS: usize = 50;
/// Limit: bytes of the results of a page of reports.
const MAX_RESULT_BYTES: i64 = 8 * 1024 * 1024;
/// Limit: dimensions of a report.
const MAX_DIMENSIONS: usize = 2;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(make_report))
        .routes(routes!(list_reports))
        .routes(routes!(show_top_products))
        .routes(routes!(make_fulfillment_report))
}

ranged! {
    /// The options of a report.
    #[derive(Debug, Deserialize, ToSchema)]
    #[schema(example = json!({ "metrics": ["net_sales"], "granularity": "day", "group_by": ["sales_channel"] }))]
    ReportRequest {
        name: Option<Text>,
        /// Ids or keys of metrics; defaults to the active ones of sales and orders.
        #[serde(default)]
        #[schema(max_items = 50)]
        metrics: Vec<Names>,
        /// The length of the buckets.
        #[serde(default)]
        granularity: Granularity,
        /// The comparison: none or an earlier period.
        #[serde(default)]
        compare: Compare,
        /// Dimensions to group by.
        #[serde(default)]
        #[schema(max_items = 2)]
        group_by: Vec<Names>,
        #[serde(default)]
        format: Format,
    }
}

ranged! {
    /// The options of the fulfillment report.
    #[derive(Debug, Deserialize, ToSchema)]
    #[schema(example = json!({ "start_date": "2026-11-01", "end_date": "2026-11-21" }))]
    FulfillmentReportRequest {
        /// The maximum number of late orders to return.
        #[schema(minimum = 0, maximum = 200)]
        limit: Option<u32>,
    }
}

ranged! {
    paged
    /// The options of the top products report.
    TopProductsQuery {
        /// The order of products.
        #[serde(default)]
        #[param(inline)]
        by: RankedBy,
        /// Accepted and ignored; `sales_channel_id` filters by channel.
        #[expect(dead_code, reason = "accepted and ignored")]
        #[param(nullable = false, value_type = Option<String>)]
        sales_channel: Option<IgnoredAny>,
    }
}

impl ReportRequest {
    /// Splits the request into the query and the format of the response.
    pub(crate) fn query(self, actor_id: &str) -> Result<(ReportQuery, Format), HttpError> {
        let range = self.range(None, 0)?;
        let (metrics, group_by) = (listed(&self.metrics)?, listed(&self.group_by)?);
        if metrics.len() > MAX_METRICS || group_by.len() > MAX_DIMENSIONS {
            let sentence = format!(
                "A report has at most {MAX_METRICS} metrics and {MAX_DIMENSIONS} dimensions"
            );
            return Err(HttpError::invalid_data(sentence));
        }
        let query = ReportQuery {
            range,
            metrics,
            granularity: self.granularity,
            compare: self.compare,
            group_by,
            name: self.name.map(String::from),
            actor_id: actor_id.to_owned(),
        };
        Ok((query, self.format))
    }
}

/// The created report.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MetricReportResponse)]
pub(crate) struct ReportResponse {
    report: Report,
}

/// Create a report
///
/// Rows by period and by group; totals are recomputed over the whole range. The report is stored and listed.
#[crate::http::operation(post, path = "/admin/metrics/report", tag = "Admin reports", request_body = ReportRequest,
    responses((status = 422, description = "A formula that cannot be computed, or metrics that are not in use"),
        (status = 200, description = "The report", content(
        (ReportResponse = "application/json"), (String = "text/csv")))))]
pub(crate) async fn make_report(
    admin: AdminAnalyst,
    State(db): State<Db>,
    State(evaluator): State<Evaluator>,
    Json(request): Json<ReportRequest>,
) -> Result<Response, HttpError> {
    let (query, format) = request.query(admin.actor_id())?;
    let work = move |tx: &Tx<'_>| custom::compute(tx, &evaluator, &query);
    let report = db.read_within(QUESTION_TIMEOUT, work).await?;
    let (stored, actor_id) = (report.clone(), admin.actor_id().to_owned());
    db.write::<_, Error>(move |tx| stored.save(tx, &actor_id)).await?;
    Ok(match format {
        Format::Json => Json(ReportResponse { report }).into_response(),
        Format::Csv => file("report.csv", report.csv()),
    })
}

pub(crate) fn file(name: &str, text: impl Into<Body>) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let kind = "text/csv; charset=utf-8".to_owned();
    ([(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, disposition)], text.into()).into_response()
}

type ReportPage = Page<SavedReport>;

/// List reports
///
/// Reports of metrics that the caller may see. `fields=+result` includes their results.
#[crate::http::operation(get, path = "/admin/metrics/reports", tag = "Admin reports", params(ListRequest<SavedReport>),
    responses((status = 200, description = "A page", body = ReportPage)))]
pub(crate) async fn list_reports(
    admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<SavedReport>,
) -> Result<Answer, HttpError> {
    let is_whole = list.selection.wants("result");
    list.read::<_, MetricError>(db, move |tx, query, _| {
        let reader = admin.actor_id();
        if is_whole && queries::result_bytes(tx, query.clone(), reader)? > MAX_RESULT_BYTES {
            let sentence =
                "The results of these reports are too large for one response: ask for fewer";
            return Err(MetricError::Costly(sentence.to_owned()));
        }
        Ok(queries::page(tx, query, (is_whole, reader))?)
    })
    .await
}

/// Show top products
#[crate::http::operation(get, path = "/admin/metrics/reports/top-products", tag = "Admin reports", params(TopProductsQuery),
    responses((status = 200, description = "The products", body = TopProducts)))]
pub(crate) async fn show_top_products(
    reports: RangeReader,
    Query(query): Query<TopProductsQuery>,
) -> Result<Json<TopProducts>, HttpError> {
    let (range, by) = (query.page()?, query.by);
    reports.read(range, move |tx, range| products::top(tx, range, by)).await
}

/// Create a fulfillment report
///
/// Parcels packed in the range, and paid orders unfulfilled for more than two days now.
#[crate::http::operation(post, path = "/admin/metrics/fulfillment-report", tag = "Admin reports",
    request_body = FulfillmentReportRequest,
    responses((status = 200, description = "The report", body = FulfillmentReport)))]
pub(crate) async fn make_fulfillment_report(
    reports: RangeReader,
    Json(request): Json<FulfillmentReportRequest>,
) -> Result<Json<FulfillmentReport>, HttpError> {
    let range = request.range(request.limit, 0)?;
    reports.read(range, fulfillment::read).await
}
