//! `POST /admin/metrics/batch`: many questions at once, over one snapshot.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::Desk;
use super::limits::admit;
use super::requests::ComputeRequest;
use super::values::{Wanted, answer};
use crate::auth::AdminReader;
use crate::http::{HttpError, Json};
use crate::metrics::compute::records::{ErrorView, OutcomeView, Place};
use crate::metrics::workbench::Limited;

/// Limit: items of one request.
const MAX_ITEMS: usize = 50;

/// Questions; what is wrong with them as a whole is answered by `{error}`.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(example = json!({ "requests": [{ "id": "a", "type": "metric", "metric": "aov",
    "filters": { "range": { "start": "2026-03-01", "end": "2026-03-31" } }, "priority": 1 }] }))]
pub(super) struct BatchRequest {
    /// One to 50 items `{id, type, metric?, filters?, priority?}`; the type is `metric`.
    #[schema(value_type = Vec<Object>)]
    requests: Option<Value>,
}

/// What one item gave.
#[derive(Debug, Serialize, ToSchema)]
struct BatchItemView {
    /// The caller's name for it.
    id: String,
    /// What it is.
    #[serde(rename = "type")]
    kind: String,
    /// Whether there is data.
    success: bool,
    /// What was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<OutcomeView>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorView>,
    /// Milliseconds.
    execution_time_ms: u64,
    /// Whether no statement had to run.
    cached: bool,
}

/// How many items did well.
#[derive(Debug, Serialize, ToSchema)]
struct BatchSummaryView {
    /// All of them.
    total: usize,
    /// Those with data.
    succeeded: usize,
    /// Those without.
    failed: usize,
    /// Milliseconds.
    total_execution_time_ms: u64,
}

/// What items gave.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BatchResponse {
    /// By the ids of items.
    results: BTreeMap<String, BatchItemView>,
    /// How many did well.
    summary: BatchSummaryView,
}

/// Why a batch is refused as a whole.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct BatchRefusal {
    /// A sentence for people.
    #[schema(example = "requests must be an array")]
    error: String,
}

/// An item that can be told from the others.
struct Item {
    id: String,
    kind: String,
    priority: f64,
    rest: Map<String, Value>,
}

fn refused(error: impl Into<String>) -> HttpError {
    HttpError::shaped(StatusCode::BAD_REQUEST, json!({ "error": error.into() }))
}

/// The items, the most important first.
fn items(requests: Option<Value>) -> Result<Vec<Item>, HttpError> {
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
        let priority = rest.remove("priority").and_then(|sent| sent.as_f64()).unwrap_or(0.0);
        items.push(Item { id, kind, priority, rest });
    }
    items.sort_by(|a, b| b.priority.total_cmp(&a.priority));
    Ok(items)
}

/// Answers many questions at once, 5 times a minute and user; what one is refused for stands in its place.
#[utoipa::path(post, path = "/admin/metrics/batch", tag = "Admin metrics", request_body = BatchRequest,
    responses(
        (status = 200, description = "What items gave", body = BatchResponse),
        (status = 400, description = "The batch is refused as a whole", body = BatchRefusal),
    ))]
pub(super) async fn compute_batch(
    admin: AdminReader,
    State(desk): State<Desk>,
    Json(request): Json<BatchRequest>,
) -> Result<(HeaderMap, Json<BatchResponse>), HttpError> {
    let told = admit(&desk, Limited::Batches, admin.actor_id())?;
    let started = Instant::now();
    let items = items(request.requests)?;
    let total = items.len();
    let actor_id = admin.actor_id().to_owned();
    let (library, caches) = (desk.library.clone(), desk.workbench.caches.clone());
    let work = desk.db.read::<_, HttpError>(move |tx| {
        let shelf = library.shelf(tx)?;
        let place = Place { tx, shelf: &shelf, caches: &caches };
        Ok(items.into_iter().map(|item| done(place, item, &actor_id)).collect::<Vec<_>>())
    });
    let mut results = BTreeMap::new();
    for (view, outcome) in work.await? {
        desk.note("batch", started, &outcome);
        results.insert(view.id.clone(), view);
    }
    let succeeded = results.values().filter(|view| view.success).count();
    let summary = BatchSummaryView {
        total,
        succeeded,
        failed: total.saturating_sub(succeeded),
        total_execution_time_ms: milliseconds(started),
    };
    Ok((told, Json(BatchResponse { results, summary })))
}

fn milliseconds(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}

fn done(
    place: Place<'_, '_>,
    item: Item,
    actor_id: &str,
) -> (BatchItemView, Vec<(String, OutcomeView)>) {
    let started = Instant::now();
    let Item { id, kind, rest, .. } = item;
    let outcome = match kind.as_str() {
        "metric" => metric(place, rest, actor_id),
        _ => Err(HttpError::invalid_data(format!("`{kind}` is not a type of batch items"))),
    };
    let noted = outcome.iter().map(|(key, own)| (key.clone(), own.clone())).collect();
    let error = outcome.as_ref().err().map(ErrorView::from);
    let data = outcome.ok().map(|(_, own)| own);
    let cached = matches!(&data, Some(OutcomeView::Value(record)) if record.is_kept());
    let (success, execution_time_ms) = (data.is_some(), milliseconds(started));
    (BatchItemView { id, kind, success, data, error, execution_time_ms, cached }, noted)
}

/// The value of a metric.
fn metric(
    place: Place<'_, '_>,
    mut rest: Map<String, Value>,
    actor_id: &str,
) -> Result<(String, OutcomeView), HttpError> {
    let Some(Value::String(name)) = rest.remove("metric") else {
        return Err(HttpError::invalid_data("An item of type metric must name its metric"));
    };
    let mut filters = match rest.remove("filters") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(filters)) => filters,
        Some(_) => return Err(HttpError::invalid_data("filters must be an object")),
    };
    if let Some(other) = rest.keys().next() {
        return Err(HttpError::invalid_data(format!("Unrecognized fields: '{other}'")));
    }
    if let Some(Value::Object(mut range)) = filters.remove("range") {
        for (name, field) in [("start", "start_date"), ("end", "end_date")] {
            filters.extend(range.remove(name).map(|day| (field.to_owned(), day)));
        }
    }
    let text = Value::Object(filters).to_string();
    let request: ComputeRequest = crate::http::parse(text.as_bytes())?;
    let (_, sent) = request.into_question().into_parts()?;
    let question = sent.resolve(place.shelf, place.tx.now())?;
    let wanted = Wanted { names: vec![name], formula: None, explain: false };
    let answered = answer(place, (&wanted, actor_id), question)?;
    if let Some(refusal) = answered.refusal {
        return Err(refusal);
    }
    answered
        .outcomes
        .into_iter()
        .next()
        .ok_or_else(|| HttpError::not_found("There is no such metric"))
}
