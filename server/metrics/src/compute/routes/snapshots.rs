//! `POST /admin/metrics`: the figures of one day, taken once and kept.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::ComputeState;
use super::requests::ComputeRequest;
use super::values::{MetricSelection, answer, named_items};
use crate::auth::AdminAnalyst;
use crate::compute::queries::snapshots::{self, SnapshotOf};
use crate::compute::records::{ComputeContext, OutcomeView};
use crate::compute::request::{Day, FiltersView, SentQuestion};
use crate::compute::{Granularity, Question};
use crate::http::{HttpError, Json, Text};
use crate::limits::LimitedRoute;
use crate::limits::admit;

/// A day whose figures are to be taken.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "date": "2026-03-29", "metrics": ["aov"] }))]
pub(super) struct SnapshotRequest {
    /// The day; yesterday where it is left out.
    date: Option<Day>,
    /// Keys or ids; the active metrics of sales and orders where none is named.
    #[serde(default)]
    #[schema(max_items = 100)]
    metrics: Vec<Text<64>>,
    /// The part of the store, its zone and its currency; dates, metrics and formulas do not count here.
    filters: Option<ComputeRequest>,
    /// Whether figures that are kept are taken anew.
    #[serde(default)]
    force: bool,
}

/// A figure that is kept: a value as it was, or why there was none.
#[derive(Debug, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object)]
struct KeptView(Box<RawValue>);

/// The figures of a day.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SnapshotResponse {
    /// Always true: what one metric is refused for stands in its place.
    success: bool,
    /// A sentence for people.
    message: String,
    /// The day.
    date: Day,
    /// By key, as they were taken.
    metrics: BTreeMap<String, KeptView>,
    /// The question with its defaults filled in.
    filters: FiltersView,
}

struct DaySnapshot {
    of: SnapshotOf,
    day: Day,
    filters: FiltersView,
    /// Those that are kept and stay, by key.
    kept: Vec<(String, String)>,
    /// Those that were computed, by key.
    fresh: Vec<(String, OutcomeView)>,
}

/// The figures of a day: what is kept of them is not computed.
fn day_snapshot(
    context: ComputeContext<'_, '_>,
    (selection, actor_id, force): (&MetricSelection, &str, bool),
    (day, question): (Day, &Question),
) -> Result<DaySnapshot, HttpError> {
    let filters = FiltersView::of(question, context.snapshot);
    let of = SnapshotOf { day: day.to_string(), scope: scope(&filters) };
    let mut known = if force { BTreeMap::new() } else { snapshots::of(context.tx, &of)? };
    let (mut kept, mut names) = (Vec::new(), Vec::new());
    for (key, own) in named_items(context.snapshot, selection, actor_id) {
        match known.remove(&key).filter(|_| own.is_ok()) {
            Some(record) => kept.push((key, record)),
            None => names.push(key),
        }
    }
    if names.is_empty() {
        return Ok(DaySnapshot { of, day, filters, kept, fresh: Vec::new() });
    }
    let missing = MetricSelection { names, formula: None, explain: false };
    let answered = answer(context, (&missing, actor_id), question)?;
    match answered.refusal {
        Some(refusal) if kept.is_empty() => Err(refusal),
        _ => Ok(DaySnapshot { of, day, filters, kept, fresh: answered.outcomes }),
    }
}

/// Takes the figures of a day, 10 times a minute and user. Figures that are kept stay as they were, unless forced.
#[utoipa::path(post, path = "/admin/metrics", tag = "Admin metrics", request_body = SnapshotRequest,
    responses((status = 422, description = "A formula that cannot be computed, or metrics that are not in use"),
        (status = 200, description = "The figures", body = SnapshotResponse)))]
pub(super) async fn take_snapshot(
    admin: AdminAnalyst,
    State(state): State<ComputeState>,
    Json(request): Json<SnapshotRequest>,
) -> Result<(HeaderMap, Json<SnapshotResponse>), HttpError> {
    let headers = admit(&state.limits, LimitedRoute::Snapshots, admin.actor_id())?;
    let actor_id = admin.actor_id().to_owned();
    let evaluator = state.evaluator.clone();
    let (_, sent) = request.filters.unwrap_or_default().into_question().into_parts()?;
    let names: Vec<String> = request.metrics.into_iter().map(String::from).collect();
    if names.len() > super::requests::MAX_METRICS {
        return Err(HttpError::invalid_data("Invalid request: too many metrics"));
    }
    let (date, force) = (request.date, request.force);
    let (who, selection) =
        (actor_id.clone(), MetricSelection { names, formula: None, explain: false });
    let found = state.db.read::<_, HttpError>(move |tx| {
        let snapshot = evaluator.visible_to(tx, &who)?;
        let open = SentQuestion {
            start_date: None,
            end_date: None,
            granularity: Granularity::default(),
            ..sent
        };
        let today = open.clone().resolve(&snapshot, tx.now())?.days.1;
        let yesterday = today.yesterday().map_err(HttpError::unexpected)?;
        let day = date.unwrap_or(Day(yesterday));
        let sent = SentQuestion { start_date: Some(day), end_date: Some(day), ..open };
        let question = sent.resolve(&snapshot, tx.now())?;
        let context = ComputeContext { tx, snapshot: &snapshot, caches: evaluator.caches() };
        day_snapshot(context, (&selection, &who, force), (day, &question))
    });
    let DaySnapshot { of, day, filters, kept, fresh } = found.await?;
    let mut texts = Vec::with_capacity(fresh.len());
    for (key, outcome) in fresh {
        let is_value = matches!(outcome, OutcomeView::Value(_));
        let text = serde_json::to_string(&outcome).map_err(HttpError::unexpected)?;
        texts.push((key, text, is_value));
    }
    let written = state.db.write::<_, HttpError>(move |tx| {
        if texts.is_empty() {
            return Ok(kept);
        }
        for (key, text, _) in texts.iter().filter(|(_, _, is_value)| *is_value) {
            snapshots::keep(tx, &of, (key, text), (&actor_id, force))?;
        }
        // Somebody may have taken them in between.
        let mut known = snapshots::of(tx, &of)?;
        let fresh = texts.into_iter().map(|(key, text, _)| {
            let record = known.remove(&key).unwrap_or(text);
            (key, record)
        });
        Ok(kept.into_iter().chain(fresh).collect::<Vec<_>>())
    });
    let mut metrics = BTreeMap::new();
    for (key, text) in written.await? {
        metrics.insert(key, KeptView(RawValue::from_string(text).map_err(HttpError::unexpected)?));
    }
    let message = format!("The figures of {day} are kept");
    Ok((headers, Json(SnapshotResponse { success: true, message, date: day, metrics, filters })))
}

/// The part of the store that figures are of, without dates.
fn scope(filters: &FiltersView) -> String {
    let mut scope = serde_json::to_value(filters).unwrap_or(Value::Null);
    if let Some(members) = scope.as_object_mut() {
        for name in ["start_date", "end_date", "start", "end"] {
            members.remove(name);
        }
    }
    scope.to_string()
}
