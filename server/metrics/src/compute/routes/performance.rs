//! `/admin/metrics/performance`: statistics of computations.

use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use ulid::Ulid;

use super::ComputeState;
use crate::auth::{AdminAnalyst, AdminReader};
use crate::clock::Timestamp;
use crate::compute::queries;
use crate::compute::stats::{Computation, PerformanceView};
use crate::database::Error;
use crate::http::{HttpError, Json, Query, ToSchema, request};

/// Limit: events on one page.
const MAX_EVENTS: usize = 1_000;

/// Statistics of computations.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PerformanceResponse {
    /// Always true.
    success: bool,
    performance: PerformanceView,
}

/// Shows statistics of computations.
#[crate::http::operation(get, path = "/admin/metrics/performance", tag = "Admin metrics",
    responses((status = 200, description = "The statistics", body = PerformanceResponse)))]
pub(super) async fn show_performance(
    admin: AdminReader,
    State(state): State<ComputeState>,
) -> Result<Json<PerformanceResponse>, HttpError> {
    let unseen = state.unseen(admin.actor_id()).await?;
    let performance = state.stats.times(&unseen);
    Ok(Json(PerformanceResponse { success: true, performance }))
}

/// A page of computations.
#[derive(Debug, Default, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct EventsQuery {
    /// The maximum number of events to return.
    #[param(minimum = 0, maximum = 1000)]
    limit: Option<u32>,
    /// The number of events to skip.
    #[param(minimum = 0, maximum = 1000)]
    offset: Option<u32>,
}

/// Recent computations, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EventsResponse {
    events: Vec<Computation>,
    /// The number of recorded computations.
    count: usize,
    /// The number of events skipped.
    offset: usize,
    /// The maximum number of events on the page.
    limit: usize,
}

/// Lists the last computations, of which a thousand are recorded.
#[crate::http::operation(get, path = "/admin/metrics/performance/events", tag = "Admin metrics", params(EventsQuery),
    responses((status = 200, description = "A page", body = EventsResponse)))]
pub(super) async fn list_events(
    admin: AdminReader,
    State(state): State<ComputeState>,
    Query(query): Query<EventsQuery>,
) -> Result<Json<EventsResponse>, HttpError> {
    let number = |value: Option<u32>, default: u32| {
        usize::try_from(value.unwrap_or(default)).unwrap_or(usize::MAX)
    };
    let (limit, offset) = (number(query.limit, 50), number(query.offset, 0));
    if limit > MAX_EVENTS || offset > MAX_EVENTS {
        return Err(HttpError::invalid_data(format!(
            "Invalid request: limit and offset are at most {MAX_EVENTS}"
        )));
    }
    let unseen = state.unseen(admin.actor_id()).await?;
    let (events, count) = state.stats.page((offset, limit), &unseen);
    Ok(Json(EventsResponse { events, count, offset, limit }))
}

/// A performance report.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PerformanceReport)]
struct ReportView {
    /// The report's id.
    #[schema(example = "perf_01JD2Q8Z5M6T3W9XKCV4B7N0RE")]
    id: String,
    performance: PerformanceView,
    /// The number of cache entries.
    cache_entries: u64,
    /// How often an answer was in the cache.
    cache_hits: u64,
    /// How often an answer was computed.
    cache_misses: u64,
    /// When the report was created.
    created_at: Timestamp,
}

/// A report that was stored and logged.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PerformanceReportResponse)]
pub(super) struct ReportResponse {
    /// Always true.
    success: bool,
    report: ReportView,
}

/// The options of a performance report: none.
#[request]
#[schema(as = PerformanceReportRequest)]
pub(super) struct ReportRequest {}

/// Creates, stores and logs a performance report.
#[crate::http::operation(post, path = "/admin/metrics/performance/report", tag = "Admin metrics",
    request_body = ReportRequest,
    responses((status = 201, description = "The report", body = ReportResponse)))]
pub(super) async fn make_report(
    admin: AdminAnalyst,
    State(state): State<ComputeState>,
    Json(ReportRequest {}): Json<ReportRequest>,
) -> Result<(StatusCode, Json<ReportResponse>), HttpError> {
    let cache = state.evaluator.statistics();
    let unseen = state.unseen(admin.actor_id()).await?;
    let report = ReportView {
        id: format!("perf_{}", Ulid::generate()),
        performance: state.stats.times(&unseen),
        cache_entries: cache.entries,
        cache_hits: cache.hits,
        cache_misses: cache.misses,
        created_at: state.clock.now(),
    };
    let body = serde_json::to_string(&report).map_err(HttpError::unexpected)?;
    tracing::info!(report = body, "performance report");
    let (id, actor_id) = (report.id.clone(), admin.actor_id().to_owned());
    state
        .db
        .write::<_, Error>(move |tx| queries::insert_performance_report(tx, &id, &body, &actor_id))
        .await?;
    Ok((StatusCode::CREATED, Json(ReportResponse { success: true, report })))
}
