//! `/admin/metrics-registry/execute` and `/compute`: metrics over a context.

use std::collections::BTreeMap;
use std::time::Instant;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ComputeState;
use crate::auth::AdminReader;
use crate::clock::Timestamp;
use crate::compute::context;
use crate::compute::records::{ComputeContext, ErrorView, warnings};
use crate::compute::stats::milliseconds;
use crate::compute::usable::usable;
use crate::compute::{AnswerView, ValueView};
use crate::http::{HttpError, Json, Text, ToSchema, request};
use crate::{MetricError, RegistrySnapshot};

/// Limit: items of one request.
const MAX_ITEMS: usize = 500;

/// A metric and the inputs to compute it from.
#[request]
#[derive(Clone)]
#[schema(example = json!({ "metric_id": "aov", "context": { "net_sales": 1250, "order_count": 4 } }))]
pub(super) struct ExecuteRequest {
    /// An id or a key.
    metric_id: Text<64>,
    /// Inputs by name.
    #[serde(default)]
    #[schema(value_type = Object)]
    context: Map<String, Value>,
}

/// A metric's value for a context.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(super) struct ExecuteResponse {
    metric_id: String,
    result: ValueView,
    /// Duration in milliseconds.
    execution_time_ms: u64,
    /// The value with its type, unit and period.
    #[serde(flatten)]
    answer: AnswerView,
    /// Inputs from the context that the formula used.
    inputs_used: Vec<String>,
    /// Notes about the metric, such as that it is deprecated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

fn execute_item(
    snapshot: &RegistrySnapshot,
    (metric_id, context): (&str, &Map<String, Value>),
    (actor_id, takes_drafts, now): (&str, bool, Timestamp),
) -> Result<ExecuteResponse, HttpError> {
    let started = Instant::now();
    let metric = usable(snapshot, metric_id, actor_id, takes_drafts)?;
    let engine = snapshot.engine();
    let formula = engine.compile(&metric.key).map_err(MetricError::Formula)?;
    let context = serde_json::to_string(context).map_err(HttpError::unexpected)?;
    let computed = context::compute(engine, &formula, (&context, now))?;
    Ok(ExecuteResponse {
        metric_id: metric.id.to_string(),
        result: ValueView::of(&computed.answer.value),
        execution_time_ms: milliseconds(started.elapsed()),
        answer: AnswerView::of(&computed.answer),
        inputs_used: computed.inputs_used,
        warnings: warnings(metric),
    })
}

/// Computes a metric over a context; drafts are allowed.
#[crate::http::operation(post, path = "/admin/metrics-registry/execute", tag = "Admin metrics",
    request_body = ExecuteRequest,
    responses((status = 422, description = "A formula that cannot be computed, or metrics that are not in use"),
        (status = 200, description = "The value", body = ExecuteResponse)))]
pub(super) async fn execute_metric(
    admin: AdminReader,
    State(state): State<ComputeState>,
    Json(request): Json<ExecuteRequest>,
) -> Result<Json<ExecuteResponse>, HttpError> {
    let done = state.read(admin.actor_id(), move |ComputeContext { tx, snapshot, .. }, reader| {
        let item = (request.metric_id.as_str(), &request.context);
        execute_item(snapshot, item, (reader, true, tx.now()))
    });
    done.await.map(Json)
}

/// One of many items.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemRequest {
    /// The caller's id for the item.
    id: Option<Text<100>>,
    /// An id or a key.
    metric_id: Text<64>,
    /// Inputs by name.
    #[serde(default)]
    context: Map<String, Value>,
}

/// Items in a list, or by name. Each has a `metric_id` (an id or a key), and may have a `context` (inputs by name) and an
/// `id` (the caller's own). Each is read on its own, so that a malformed one does not fail the others.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(untagged, expecting = "a list of items, or a record of them by name")]
enum Items {
    /// A list.
    Row(Vec<Value>),
    Named(BTreeMap<String, Value>),
}

/// Metrics over contexts.
#[request]
#[schema(example = json!({ "requests": [{ "metric_id": "aov", "context": { "net_sales": 1250, "order_count": 4 } }] }))]
pub(super) struct ComputeItemsRequest {
    /// At most 500 items, in a list or by name.
    requests: Option<Items>,
}

/// The result of one item.
#[derive(Debug, Clone, Serialize, ToSchema)]
struct ItemView {
    /// The caller's id for the item.
    id: Option<String>,
    /// The metric, as the request names it; null if it does not.
    metric_id: Option<String>,
    /// The exact value; null if there is none.
    result: Option<ValueView>,
    /// Whether there is a value, or null with a reason.
    success: bool,
    /// Duration in milliseconds.
    execution_time_ms: u64,
    /// The value with its type, unit and period.
    answer: Option<AnswerView>,
    /// Inputs from the context that the formula used.
    inputs_used: Vec<String>,
    /// Notes about the metric, such as that it is deprecated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    /// Why the item failed.
    error: Option<ErrorView>,
}

/// The results of items, in a list or by name, as in the request.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum ItemViews {
    /// A list.
    Row(Vec<ItemView>),
    Named(BTreeMap<String, ItemView>),
}

/// Counts of items.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ComputeSummary)]
pub(crate) struct SummaryView {
    pub(crate) total: usize,
    /// Items with a value.
    pub(crate) succeeded: usize,
    /// Items without a value.
    pub(crate) failed: usize,
    /// Duration in milliseconds.
    pub(crate) total_execution_time_ms: u64,
}

/// The results of items.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ComputeItemsResponse {
    results: ItemViews,
    /// Counts of items.
    summary: SummaryView,
}

impl ItemView {
    fn refused(
        id: Option<String>,
        metric_id: Option<String>,
        started: Instant,
        error: &HttpError,
    ) -> Self {
        Self {
            id,
            metric_id,
            result: None,
            success: false,
            execution_time_ms: milliseconds(started.elapsed()),
            answer: None,
            inputs_used: Vec::new(),
            warnings: Vec::new(),
            error: Some(error.into()),
        }
    }
}

fn read_item(
    snapshot: &RegistrySnapshot,
    sent: &Value,
    reader: (&str, Timestamp),
    cache: &mut ItemCache,
) -> ItemView {
    let started = Instant::now();
    match crate::http::parse(sent.to_string().as_bytes()) {
        Ok(request) => item(snapshot, request, reader, cache),
        Err(error) => {
            let text = |name: &str| sent.get(name)?.as_str().map(str::to_owned);
            ItemView::refused(text("id"), text("metric_id"), started, &error)
        }
    }
}

/// Results computed earlier in the same request, by metric and context.
type ItemCache = BTreeMap<(String, String), ItemView>;

fn item(
    snapshot: &RegistrySnapshot,
    request: ItemRequest,
    (actor_id, now): (&str, Timestamp),
    cache: &mut ItemCache,
) -> ItemView {
    let started = Instant::now();
    let key =
        (request.metric_id.as_str().to_owned(), Value::Object(request.context.clone()).to_string());
    let id = request.id.map(String::from);
    if let Some(cached) = cache.get(&key) {
        return ItemView {
            id,
            execution_time_ms: milliseconds(started.elapsed()),
            ..cached.clone()
        };
    }
    let done = execute_item(snapshot, (&key.0, &request.context), (actor_id, false, now));
    let metric_id = Some(key.0.clone());
    let view = match done {
        Ok(done) => ItemView {
            id,
            metric_id,
            result: Some(done.result),
            success: true,
            execution_time_ms: done.execution_time_ms,
            answer: Some(done.answer),
            inputs_used: done.inputs_used,
            warnings: done.warnings,
            error: None,
        },
        Err(error) => ItemView::refused(id, metric_id, started, &error),
    };
    cache.insert(key, view.clone());
    view
}

/// Computes metrics over contexts; an item that fails has its error as its result.
#[crate::http::operation(post, path = "/admin/metrics-registry/compute", tag = "Admin metrics",
    request_body = ComputeItemsRequest,
    responses((status = 200, description = "The values", body = ComputeItemsResponse)))]
pub(super) async fn compute_metrics(
    admin: AdminReader,
    State(state): State<ComputeState>,
    Json(request): Json<ComputeItemsRequest>,
) -> Result<Json<ComputeItemsResponse>, HttpError> {
    let started = Instant::now();
    let requests = request.requests.unwrap_or_else(|| Items::Row(Vec::new()));
    let total = match &requests {
        Items::Row(row) => row.len(),
        Items::Named(named) => named.len(),
    };
    if total > MAX_ITEMS {
        return Err(HttpError::invalid_data(format!(
            "There are {total} requests, at most {MAX_ITEMS} are taken"
        )));
    }
    let done = state.read(admin.actor_id(), move |ComputeContext { tx, snapshot, .. }, reader| {
        let (reader, mut cache) = ((reader, tx.now()), ItemCache::new());
        let mut item = |sent: Value| read_item(snapshot, &sent, reader, &mut cache);
        Ok(match requests {
            Items::Row(row) => ItemViews::Row(row.into_iter().map(item).collect()),
            Items::Named(named) => {
                let named = named.into_iter();
                ItemViews::Named(named.map(|(name, request)| (name, item(request))).collect())
            }
        })
    });
    let results = done.await?;
    let succeeded = match &results {
        ItemViews::Row(row) => row.iter().filter(|item| item.success).count(),
        ItemViews::Named(named) => named.values().filter(|item| item.success).count(),
    };
    let failed = total.saturating_sub(succeeded);
    let total_execution_time_ms = milliseconds(started.elapsed());
    let summary = SummaryView { total, succeeded, failed, total_execution_time_ms };
    Ok(Json(ComputeItemsResponse { results, summary }))
}
