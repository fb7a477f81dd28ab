//! `/admin/metrics/cache`: shows, warms and clears the cache.

use std::time::Instant;

use axum::extract::State;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::ComputeState;
use super::values::{MetricSelection, ask};
use crate::auth::{AdminAnalyst, AdminReader};
use crate::compute::Granularity;
use crate::compute::records::ErrorView;
use crate::compute::request::UnresolvedQuestion;
use crate::compute::stats::{PerformanceView, milliseconds};
use crate::http::{HttpError, Json, Text, ToSchema, request};
use crate::routes::day::Day;
use crate::routes::failures::Failure;
use crate::routes::limits::DoneResponse;

/// Frequently requested ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum CommonRange {
    Today,
    Yesterday,
    /// The last seven days, including today.
    #[serde(rename = "last_7_days")]
    Last7Days,
    /// The last thirty days, including today.
    #[serde(rename = "last_30_days")]
    Last30Days,
    /// The last ninety days, including today.
    #[serde(rename = "last_90_days")]
    Last90Days,
    /// This month so far.
    MonthToDate,
    LastMonth,
    /// This quarter so far.
    QuarterToDate,
    /// This year so far.
    YearToDate,
}

impl CommonRange {
    const ALL: [Self; 9] = [
        Self::Today,
        Self::Yesterday,
        Self::Last7Days,
        Self::Last30Days,
        Self::Last90Days,
        Self::MonthToDate,
        Self::LastMonth,
        Self::QuarterToDate,
        Self::YearToDate,
    ];

    /// Returns the first and the last day, relative to today.
    fn days(self, today: Date) -> Option<(Date, Date)> {
        let back = |days: i64| today.checked_sub(jiff::Span::new().days(days)).ok();
        let first_of = |month: i8| Date::new(today.year(), month, 1).ok();
        let in_quarter = today.month().checked_sub(1)?.checked_rem(3)?;
        let (first, last) = match self {
            Self::Today => (today, today),
            Self::Yesterday => (back(1)?, back(1)?),
            Self::Last7Days => (back(6)?, today),
            Self::Last30Days => (back(29)?, today),
            Self::Last90Days => (back(89)?, today),
            Self::MonthToDate => (today.first_of_month(), today),
            Self::LastMonth => {
                let last = today.first_of_month().yesterday().ok()?;
                (last.first_of_month(), last)
            }
            Self::QuarterToDate => (first_of(today.month().checked_sub(in_quarter)?)?, today),
            Self::YearToDate => (first_of(1)?, today),
        };
        Some((first, last))
    }
}

/// Statistics of the cache.
#[derive(Debug, Serialize, ToSchema)]
struct CacheView {
    entries: u64,
    /// The approximate size of the entries in bytes.
    weight_bytes: u64,
    /// The maximum size in bytes.
    capacity_bytes: u64,
    /// How often an answer was in the cache.
    hits: u64,
    /// How often an answer was computed.
    misses: u64,
    /// Hits as a fraction of all lookups; 0 before the first.
    #[schema(example = 0.92)]
    hit_rate: f64,
    /// Entries evicted to make room.
    evictions: u64,
    /// How often answers were invalidated: because rows changed, or on request. Writes between two queries count once.
    invalidations: u64,
    /// Answers being computed.
    in_flight: u64,
}

/// Statistics of the cache and of computations.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CacheResponse {
    cache: CacheView,
    /// Statistics of computations.
    performance: PerformanceView,
}

#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    clippy::float_arithmetic,
    reason = "a rate for people to read"
)]
fn rate(hits: u64, misses: u64) -> f64 {
    let all = hits.saturating_add(misses);
    if all == 0 { 0.0 } else { (hits as f64) / (all as f64) }
}

/// Shows statistics of the cache and of computations.
#[crate::http::operation(get, path = "/admin/metrics/cache", tag = "Admin metrics",
    responses((status = 200, description = "The statistics", body = CacheResponse),
        (status = 500, description = "Internal error", body = Failure)))]
pub(super) async fn show_cache(
    admin: AdminReader,
    State(state): State<ComputeState>,
) -> Result<Json<CacheResponse>, HttpError> {
    let unseen = state.unseen(admin.actor_id()).await?;
    let evaluator = state.evaluator.clone();
    let own = state.db.read::<_, HttpError>(move |tx| Ok(evaluator.statistics_at(tx)?));
    let own = own.await?;
    let cache = CacheView {
        entries: own.entries,
        weight_bytes: own.weight_bytes,
        capacity_bytes: own.capacity_bytes,
        hits: own.hits,
        misses: own.misses,
        hit_rate: rate(own.hits, own.misses),
        evictions: own.evictions,
        invalidations: own.invalidations,
        in_flight: own.in_flight,
    };
    let performance = state.stats.times(&unseen);
    Ok(Json(CacheResponse { cache, performance }))
}

/// The ranges and metrics to compute ahead.
#[request]
#[schema(example = json!({ "ranges": ["last_30_days"] }))]
pub(super) struct WarmRequest {
    /// The ranges; all of them if empty.
    #[serde(default)]
    #[schema(max_items = 9)]
    ranges: Vec<CommonRange>,
    /// Keys or ids; the active metrics of sales and orders if empty.
    #[serde(default)]
    #[schema(max_items = 100)]
    metrics: Vec<Text<64>>,
}

/// A range that was computed ahead.
#[derive(Debug, Serialize, ToSchema)]
struct WarmedView {
    range: CommonRange,
    start_date: Day,
    end_date: Day,
    /// The number of metrics with a value.
    warmed: u64,
    /// The number of metrics that failed.
    failed: u64,
    /// Why the first of them failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorView>,
}

/// The result of computing ahead.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct WarmResponse {
    /// Whether nothing failed.
    success: bool,
    /// The number of values in the cache now.
    warmed: u64,
    /// The number of values that failed.
    failed: u64,
    #[serde(rename = "durationMs")]
    duration_ms: u64,
    /// Results by range.
    ranges: Vec<WarmedView>,
}

/// Computes common ranges ahead, by day and as a whole.
#[crate::http::operation(post, path = "/admin/metrics/cache", tag = "Admin metrics", request_body = WarmRequest,
    responses((status = 200, description = "The result", body = WarmResponse),
        (status = 500, description = "Internal error", body = Failure)))]
pub(super) async fn warm_cache(
    admin: AdminAnalyst,
    State(state): State<ComputeState>,
    Json(request): Json<WarmRequest>,
) -> Result<Json<WarmResponse>, HttpError> {
    if request.ranges.len() > CommonRange::ALL.len()
        || request.metrics.len() > super::requests::MAX_METRICS
    {
        return Err(HttpError::invalid_data("Invalid request: too many ranges or metrics"));
    }
    let started = Instant::now();
    let mut ranges = request.ranges;
    if ranges.is_empty() {
        ranges = CommonRange::ALL.into();
    }
    ranges.sort_unstable();
    ranges.dedup();
    let evaluator = state.evaluator.clone();
    let today = state.db.read::<_, HttpError>(move |tx| {
        let snapshot = evaluator.registry.snapshot(tx)?;
        Ok(snapshot.schema().store.calendar.date_of(tx.now().to_jiff()))
    });
    let today = today.await?;
    let mut views = Vec::with_capacity(ranges.len());
    for range in ranges {
        let Some((first, last)) = range.days(today) else { continue };
        let names = request.metrics.iter().map(|name| name.as_str().to_owned()).collect();
        let selection = MetricSelection { names, formula: None, explain: false };
        let sent = UnresolvedQuestion {
            start_date: Some(Day(first)),
            end_date: Some(Day(last)),
            granularity: Granularity::Day,
            ..UnresolvedQuestion::default()
        };
        let counts = ask(&state, "warm", admin.actor_id(), (selection, sent), |answered| {
            let mut errors = answered.outcomes.iter().filter_map(|(_, own)| own.error());
            let (failed, first) = (errors.clone().count(), errors.next().cloned());
            Ok((answered.outcomes.len().saturating_sub(failed), failed, first))
        });
        let (warmed, failed, error) = counts.await?;
        let count = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        let (warmed, failed) = (count(warmed), count(failed));
        views.push(WarmedView {
            range,
            start_date: Day(first),
            end_date: Day(last),
            warmed,
            failed,
            error,
        });
    }
    let sum = |of: fn(&WarmedView) -> u64| views.iter().map(of).fold(0, u64::saturating_add);
    let failed = sum(|view| view.failed);
    Ok(Json(WarmResponse {
        success: failed == 0,
        warmed: sum(|view| view.warmed),
        failed,
        duration_ms: milliseconds(started.elapsed()),
        ranges: views,
    }))
}

/// Clears the cache.
#[crate::http::operation(delete, path = "/admin/metrics/cache", tag = "Admin metrics",
    responses((status = 200, description = "The cache is cleared", body = DoneResponse),
        (status = 500, description = "Internal error", body = Failure)))]
pub(super) async fn clear_cache(
    _admin: AdminAnalyst,
    State(state): State<ComputeState>,
) -> Json<DoneResponse> {
    state.evaluator.clear_caches();
    Json(DoneResponse { success: true, message: "The metrics cache is cleared" })
}
