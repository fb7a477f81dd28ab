//! `POST /admin/metrics/batch`: many questions at once, over one snapshot.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::from_fn;
use quotient_foundation::routes;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

use super::items::{self, BatchData, BatchItem};
use crate::auth::AdminReader;
use crate::compute::records::ErrorView;
use crate::compute::routes::{ComputeState, SummaryView};
use crate::compute::stats::milliseconds;
use crate::http::{HttpError, Json, MAX_RESPONSE_BYTES, ToSchema, request};
use crate::middleware::Bucket;
use crate::reports::custom::Report;
use crate::routes::failures::{Failure, plainly};
use crate::state::AppState;

/// Limit: items of one request.
const MAX_ITEMS: usize = 50;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(compute_batch)).layer(from_fn(plainly))
}

/// The items of a batch; an error of the whole batch is returned as `{error}`.
#[request]
#[schema(example = json!({ "requests": [{ "id": "a", "type": "metric", "metric": "aov",
    "filters": { "range": { "start": "2026-03-01", "end": "2026-03-31" } }, "priority": 1 }] }))]
pub(super) struct BatchRequest {
    /// One to 50 items `{id, type, metric?, report?, filters?, priority?}`. The type is `metric` with `metric`,
    /// `report` with `report`, `summary`, `sales_channels`, `unfulfilled_orders`, `unfulfilled_products` or
    /// `dashboard`. `filters` has the fields of a question, with `start_date` and `end_date` or `range: {start, end}`.
    #[schema(value_type = Vec<Object>)]
    requests: Option<Value>,
}

/// The result of one item.
#[derive(Debug, Serialize, ToSchema)]
struct BatchItemView {
    /// The item's id in the request.
    id: String,
    /// The item's type.
    #[serde(rename = "type")]
    kind: String,
    /// Whether the item succeeded.
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BatchData>)]
    data: Option<Box<RawValue>>,
    /// The report of the item, to be stored.
    #[serde(skip)]
    report: Option<Report>,
    /// Why the item failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorView>,
    /// Duration in milliseconds.
    execution_time_ms: u64,
    /// Whether no SQL statement had to run.
    cached: bool,
}

/// The results of a batch.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BatchResponse {
    /// Results by item id.
    results: BTreeMap<String, BatchItemView>,
    /// Counts of items.
    summary: SummaryView,
}

/// Why a whole batch is refused.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BatchRefusal {
    /// A message for people.
    #[schema(example = "requests must be an array")]
    error: String,
}

fn refused(error: impl Into<String>) -> HttpError {
    HttpError::shaped(StatusCode::BAD_REQUEST, json!({ "error": error.into() }))
}

/// Parses the items, highest priority first.
fn items(requests: Option<Value>) -> Result<Vec<BatchItem>, HttpError> {
    let Some(Value::Array(sent)) = requests else {
        return Err(refused("requests must be an array"));
    };
    if sent.is_empty() || sent.len() > MAX_ITEMS {
        return Err(refused(format!("requests must have 1 to {MAX_ITEMS} items")));
    }
    let (mut items, mut ids) = (Vec::with_capacity(sent.len()), BTreeSet::new());
    for (index, item) in sent.into_iter().enumerate() {
        let Value::Object(mut rest) = item else {
            return Err(refused(format!("requests[{index}] must be an object with id and type")));
        };
        let mut text = |name: &str| match rest.remove(name) {
            Some(Value::String(text)) if !text.is_empty() => Ok(text),
            _ => Err(refused(format!("requests[{index}] must have {name}"))),
        };
        let (id, kind) = (text("id")?, text("type")?);
        if !ids.insert(id.clone()) {
            return Err(refused(format!("requests[{index}] has the id of another item: {id}")));
        }
        let priority = match rest.remove("priority") {
            None | Some(Value::Null) => Some(0.0),
            Some(sent) => sent.as_f64(),
        };
        let priority = priority
            .ok_or_else(|| refused(format!("requests[{index}] must have a number as priority")))?;
        items.push(BatchItem { id, kind, priority, rest });
    }
    items.sort_by(|a, b| b.priority.total_cmp(&a.priority));
    Ok(items)
}

/// Computes many items at once, 5 times a minute per user; an item that fails has its error as its result.
#[crate::http::operation(post, path = "/admin/metrics/batch", tag = "Admin metrics", request_body = BatchRequest,
    responses(
        (status = 200, description = "The results", body = BatchResponse),
        (status = 400, description = "The batch is refused as a whole", body = BatchRefusal),
        (status = 500, description = "Internal error", body = Failure),
    ))]
pub(super) async fn compute_batch(
    admin: AdminReader,
    State(state): State<ComputeState>,
    Json(request): Json<BatchRequest>,
) -> Result<(HeaderMap, Json<BatchResponse>), HttpError> {
    let headers = state.rates.check(Bucket::Batches, admin.actor_id())?.headers();
    let started = Instant::now();
    let items = items(request.requests)?;
    let total = items.len();
    let actor_id = admin.actor_id().to_owned();
    let (dashboards, items): (Vec<_>, Vec<_>) = items.into_iter().partition(items::is_dashboard);
    let budget = ByteBudget::default();
    let (own, own_budget) = (state.clone(), budget.clone());
    let work = state.read(&actor_id, move |context, reader| {
        let done = |item: BatchItem| {
            let (started, head) = (Instant::now(), item.head());
            let metric = item.metric(context.snapshot, reader);
            let data = items::data(context, &own.evaluator, (item, reader));
            view(&own, (head, started, metric), data, &own_budget)
        };
        Ok(items.into_iter().map(done).collect::<Vec<_>>())
    });
    let (answered, dashboards) = tokio::join!(work, read_dashboards(&state, dashboards, &budget));
    let all = answered?.into_iter().chain(dashboards);
    let results: BTreeMap<String, BatchItemView> =
        all.map(|view| (view.id.clone(), view)).collect();
    if admin.may_edit_metrics() {
        let reports = results.values().filter_map(|view| view.report.clone());
        items::keep_reports(&state.db, &actor_id, reports.collect()).await?;
    }
    let succeeded = results.values().filter(|view| view.success).count();
    let summary = SummaryView {
        total,
        succeeded,
        failed: total.saturating_sub(succeeded),
        total_execution_time_ms: milliseconds(started.elapsed()),
    };
    Ok((headers, Json(BatchResponse { results, summary })))
}

/// Returns the result of an item, and records it in the statistics.
fn view(
    state: &ComputeState,
    ((id, kind), started, metric): ((String, String), Instant, Option<String>),
    data: Result<BatchData, HttpError>,
    budget: &ByteBudget,
) -> BatchItemView {
    let written = data.and_then(|data| Ok((budget.write(&data)?, data)));
    let error = written.as_ref().err().map(ErrorView::from);
    let (written, data) = written.ok().unzip();
    let cached = data.as_ref().is_some_and(BatchData::is_cached);
    let failed = usize::from(data.is_none());
    state.note_computation(("batch", started), metric.into_iter().collect(), cached, failed);
    BatchItemView {
        id,
        kind,
        success: data.is_some(),
        data: written,
        report: data.and_then(BatchData::into_report),
        error,
        execution_time_ms: milliseconds(started.elapsed()),
        cached,
    }
}

/// The number of bytes left for results: in total they never exceed the limit of a response. A result is written as soon
/// as it is computed, so that a batch does not hold fifty of them. Clones share the number.
#[derive(Clone)]
struct ByteBudget(Arc<AtomicUsize>);

impl Default for ByteBudget {
    fn default() -> Self {
        Self(Arc::new(AtomicUsize::new(MAX_RESPONSE_BYTES)))
    }
}

impl ByteBudget {
    fn write(&self, data: &BatchData) -> Result<Box<RawValue>, HttpError> {
        let written = serde_json::value::to_raw_value(data).map_err(HttpError::unexpected)?;
        let taken = |left: usize| left.checked_sub(written.get().len());
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).map_err(|_left| {
            HttpError::validation("The results of the batch are too large: ask for less at once")
        })?;
        Ok(written)
    }
}

/// Computes whole dashboards, highest priority first.
async fn read_dashboards(
    state: &ComputeState,
    items: Vec<BatchItem>,
    budget: &ByteBudget,
) -> Vec<BatchItemView> {
    let mut done = Vec::with_capacity(items.len());
    for item in items {
        let (started, head) = (Instant::now(), item.head());
        let data = items::dashboard(&state.db, &state.evaluator, item).await;
        done.push(view(state, (head, started, None), data, budget));
    }
    done
}
