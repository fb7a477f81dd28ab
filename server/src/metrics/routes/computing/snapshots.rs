//! `POST /admin/metrics`: the figures of one day, taken once and kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::Desk;
use super::limits::admit;
use super::requests::ComputeRequest;
use super::values::{Wanted, answer};
use crate::auth::AdminAnalyst;
use crate::http::{HttpError, Json, Text};
use crate::metrics::compute::Granularity;
use crate::metrics::compute::asked::{Day, FiltersView, SentQuestion};
use crate::metrics::compute::records::{OutcomeView, Place};
use crate::metrics::queries::snapshots::{self, SnapshotOf};
use crate::metrics::workbench::Limited;

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

/// What a day's figures were found to be.
struct Taken {
    of: SnapshotOf,
    day: Day,
    filters: FiltersView,
    /// By key, in the order asked for.
    fresh: Vec<(String, OutcomeView)>,
}

/// Takes the figures of a day, 10 times a minute and user. Figures that are kept stay as they were, unless forced.
#[utoipa::path(post, path = "/admin/metrics", tag = "Admin metrics", request_body = SnapshotRequest,
    responses((status = 200, description = "The figures", body = SnapshotResponse)))]
pub(super) async fn take_snapshot(
    admin: AdminAnalyst,
    State(desk): State<Desk>,
    Json(request): Json<SnapshotRequest>,
) -> Result<(HeaderMap, Json<SnapshotResponse>), HttpError> {
    let told = admit(&desk.workbench, Limited::Snapshots, admin.actor_id())?;
    let actor_id = admin.actor_id().to_owned();
    let (library, caches) = (desk.library.clone(), Arc::clone(&desk.workbench.caches));
    let (_, sent) = request.filters.unwrap_or_default().into_question().into_parts()?;
    let names: Vec<String> = request.metrics.into_iter().map(String::from).collect();
    if names.len() > super::requests::MAX_METRICS {
        return Err(HttpError::invalid_data("Invalid request: too many metrics"));
    }
    let (date, force) = (request.date, request.force);
    let (who, wanted) = (actor_id.clone(), Wanted { names, formula: None, explain: false });
    let taken = desk.db.read::<_, HttpError>(move |tx| {
        let shelf = library.shelf(tx)?;
        let open = SentQuestion {
            start_date: None,
            end_date: None,
            granularity: Granularity::default(),
            ..sent
        };
        let today = open.clone().resolve(&shelf, tx.now())?.days.1;
        let yesterday = today.yesterday().map_err(HttpError::unexpected)?;
        let day = date.unwrap_or(Day(yesterday));
        let sent = SentQuestion { start_date: Some(day), end_date: Some(day), ..open };
        let question = sent.resolve(&shelf, tx.now())?;
        let answered =
            answer(Place { tx, shelf: &shelf, caches: &caches }, (&wanted, &who), &question)?;
        if let Some(refusal) = answered.refusal {
            return Err(refusal);
        }
        let of = SnapshotOf { day: day.to_string(), scope: scope(&answered.filters) };
        Ok(Taken { of, day, filters: answered.filters, fresh: answered.outcomes })
    });
    let Taken { of, day, filters, fresh } = taken.await?;
    let mut texts = Vec::with_capacity(fresh.len());
    for (key, outcome) in fresh {
        let is_value = matches!(outcome, OutcomeView::Value(_));
        let text = serde_json::to_string(&outcome).map_err(HttpError::unexpected)?;
        texts.push((key, text, is_value));
    }
    let kept = desk.db.write::<_, HttpError>(move |tx| {
        for (key, text, _) in texts.iter().filter(|(_, _, is_value)| *is_value) {
            snapshots::keep(tx, &of, (key, text), (&actor_id, force))?;
        }
        let mut kept = snapshots::of(tx, &of)?;
        let texts = texts.into_iter();
        Ok(texts
            .map(|(key, text, _)| (key.clone(), kept.remove(&key).unwrap_or(text)))
            .collect::<Vec<_>>())
    });
    let mut metrics = BTreeMap::new();
    for (key, text) in kept.await? {
        metrics.insert(key, KeptView(RawValue::from_string(text).map_err(HttpError::unexpected)?));
    }
    let message = format!("The figures of {day} are kept");
    Ok((told, Json(SnapshotResponse { success: true, message, date: day, metrics, filters })))
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
