//! `POST /admin/metrics`: the values of one day, computed once and stored.

use std::collections::BTreeMap;
use std::time::Instant;

use axum::extract::State;
use axum::http::HeaderMap;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::ComputeState;
use super::requests::ComputeRequest;
use super::values::{MetricSelection, answer, named_items};
use crate::auth::AdminAnalyst;
use crate::compute::queries::{self, SnapshotKey};
use crate::compute::records::{ComputeContext, OutcomeView};
use crate::compute::request::{FiltersView, UnresolvedQuestion};
use crate::compute::{Granularity, Question};
use crate::http::{HttpError, Json, Text, ToSchema, request};
use crate::middleware::Bucket;
use crate::routes::day::Day;

/// The day and metrics of a snapshot.
#[request]
#[schema(example = json!({ "date": "2026-03-29", "metrics": ["aov"] }))]
pub(super) struct SnapshotRequest {
    /// The day, which must be over; defaults to yesterday.
    date: Option<Day>,
    /// Keys or ids; the active metrics of sales and orders if empty.
    #[serde(default)]
    #[schema(max_items = 100)]
    metrics: Vec<Text<64>>,
    /// The filters, time zone and currency; dates, metrics and formulas are ignored here.
    filters: Option<ComputeRequest>,
    /// Whether to recompute and replace stored values.
    #[serde(default)]
    force: bool,
}

/// A stored result: a value, or why there was none.
#[derive(Debug, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object)]
struct StoredResult(Box<RawValue>);

/// The values of a day.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SnapshotResponse {
    /// Always true: a metric that fails has its error as its result.
    success: bool,
    message: String,
    date: Day,
    /// Results by key, as stored.
    metrics: BTreeMap<String, StoredResult>,
    /// The question with its defaults filled in.
    filters: FiltersView,
}

struct DaySnapshot {
    of: SnapshotKey,
    day: Day,
    filters: FiltersView,
    /// Stored results, by key.
    stored: Vec<(String, String)>,
    /// Computed results, by key.
    fresh: Vec<(String, OutcomeView)>,
}

/// Loads the stored values of a day and computes the others, which is recorded as a computation.
fn day_snapshot(
    state: &ComputeState,
    context: ComputeContext<'_, '_>,
    (selection, actor_id, force): (&MetricSelection, &str, bool),
    (day, question): (Day, &Question),
) -> Result<DaySnapshot, HttpError> {
    let filters = FiltersView::of(question, context.snapshot);
    let of = SnapshotKey { day: day.to_string(), scope: scope(&filters) };
    let mut existing = if force { BTreeMap::new() } else { queries::snapshots(context.tx, &of)? };
    let (mut stored, mut names) = (Vec::new(), Vec::new());
    for (key, own) in named_items(context.snapshot, selection, actor_id) {
        match existing.remove(&key).filter(|_| own.is_ok()) {
            Some(record) => stored.push((key, record)),
            None => names.push(key),
        }
    }
    if names.is_empty() {
        return Ok(DaySnapshot { of, day, filters, stored, fresh: Vec::new() });
    }
    let missing = MetricSelection { names, formula: None, explain: false };
    let started = Instant::now();
    let answered = answer(context, (&missing, actor_id), question)?;
    state.note("snapshot", started, &answered.outcomes);
    match answered.refusal {
        Some(refusal) if stored.is_empty() => Err(refusal),
        _ => Ok(DaySnapshot { of, day, filters, stored, fresh: answered.outcomes }),
    }
}

/// Takes a snapshot of a day's values; at most 10 requests a minute per user. Stored values stay unless `force` is set.
#[crate::http::operation(post, path = "/admin/metrics", tag = "Admin metrics", request_body = SnapshotRequest,
    responses((status = 422, description = "A formula that cannot be computed, or metrics that are not in use"),
        (status = 200, description = "The values", body = SnapshotResponse)))]
pub(super) async fn take_snapshot(
    admin: AdminAnalyst,
    State(state): State<ComputeState>,
    Json(request): Json<SnapshotRequest>,
) -> Result<(HeaderMap, Json<SnapshotResponse>), HttpError> {
    let headers = state.rates.check(Bucket::Snapshots, admin.actor_id())?.headers();
    let (_, sent) = request.filters.unwrap_or_default().into_question().into_parts()?;
    let names: Vec<String> = request.metrics.into_iter().map(String::from).collect();
    if names.len() > super::requests::MAX_METRICS {
        return Err(HttpError::invalid_data("Invalid request: too many metrics"));
    }
    let (date, force) = (request.date, request.force);
    let selection = MetricSelection { names, formula: None, explain: false };
    let stats_state = state.clone();
    let snapshot = state.read(admin.actor_id(), move |context, reader| {
        let (snapshot, now) = (context.snapshot, context.tx.now());
        let open = UnresolvedQuestion {
            start_date: None,
            end_date: None,
            granularity: Granularity::default(),
            ..sent
        };
        let today = open.clone().resolve(snapshot, now)?.days.1;
        let yesterday = today.yesterday().map_err(HttpError::unexpected)?;
        let day = date.unwrap_or(Day(yesterday));
        if day.0 >= today {
            return Err(unfinished(day));
        }
        let sent = UnresolvedQuestion { start_date: Some(day), end_date: Some(day), ..open };
        let question = sent.resolve(snapshot, now)?;
        day_snapshot(&stats_state, context, (&selection, reader, force), (day, &question))
    });
    let DaySnapshot { of, day, filters, stored, fresh } = snapshot.await?;
    let mut texts = Vec::with_capacity(fresh.len());
    for (key, outcome) in fresh {
        let is_value = matches!(outcome, OutcomeView::Value(_));
        let text = serde_json::to_string(&outcome).map_err(HttpError::unexpected)?;
        texts.push((key, text, is_value));
    }
    let actor_id = admin.actor_id().to_owned();
    let written = state.db.write::<_, HttpError>(move |tx| {
        if texts.is_empty() {
            return Ok(stored);
        }
        for (key, text, _) in texts.iter().filter(|(_, _, is_value)| *is_value) {
            queries::keep_snapshot(tx, &of, (key, text), (&actor_id, force))?;
        }
        // Another request may have stored them in the meantime.
        let mut existing = queries::snapshots(tx, &of)?;
        let fresh = texts.into_iter().map(|(key, text, is_value)| {
            let record = existing.remove(&key).filter(|_| is_value).unwrap_or(text);
            (key, record)
        });
        Ok(stored.into_iter().chain(fresh).collect::<Vec<_>>())
    });
    let mut metrics = BTreeMap::new();
    for (key, text) in written.await? {
        metrics
            .insert(key, StoredResult(RawValue::from_string(text).map_err(HttpError::unexpected)?));
    }
    let message = format!("The figures of {day} are kept");
    Ok((headers, Json(SnapshotResponse { success: true, message, date: day, metrics, filters })))
}

fn unfinished(day: Day) -> HttpError {
    let reason = "must be a day that is over";
    let message = format!("Invalid request: Field 'date': {day} {reason}");
    HttpError::invalid_data(message).with_details("date", reason.to_owned())
}

/// Returns the filters of a snapshot, without dates.
fn scope(filters: &FiltersView) -> String {
    let mut scope = serde_json::to_value(filters).unwrap_or(Value::Null);
    if let Some(members) = scope.as_object_mut() {
        for name in ["start_date", "end_date", "start", "end"] {
            members.remove(name);
        }
    }
    scope.to_string()
}
