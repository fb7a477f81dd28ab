//! `GET /admin/metrics`, `POST /admin/metrics/compute`: values over the store.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use axum::http::HeaderMap;
use serde::Serialize;

use super::ComputeState;
use super::requests::{ComputeRequest, QuestionRequest};
use crate::RegistrySnapshot;
use crate::auth::AdminReader;
use crate::compute::Question;
use crate::compute::explanation::explain;
use crate::compute::records::{ComputeContext, OutcomeView, records};
use crate::compute::request::{FiltersView, UnresolvedQuestion};
use crate::compute::stats::milliseconds;
use crate::compute::store::ComputeItem;
use crate::compute::usable::usable;
use crate::compute::whole_answers::{StoreState, WholeAnswer};
use crate::http::{HttpError, Json, Query, ToSchema, WrittenJson};
use crate::middleware::Bucket;
use crate::registry::lineage::is_visible;
use crate::registry::metric::{Metric, free_key};

/// The key of an unsaved formula in responses, unless a metric has that key.
const FORMULA_KEY: &str = "formula";

/// Values by key.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ValuesResponse {
    /// Always true: a metric that fails has its error as its result.
    success: bool,
    /// Results by key: the value, or why there is none.
    metrics: BTreeMap<String, OutcomeView>,
    /// The question with its defaults filled in.
    filters: FiltersView,
    /// The keys in the order of the request.
    #[serde(rename = "requestedMetrics")]
    requested_metrics: Vec<String>,
}

/// Values by key, and how long computing them took.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ComputedResponse {
    /// Always true: a metric that fails has its error as its result.
    success: bool,
    #[schema(example = "2 metrics computed, 0 failed")]
    message: String,
    /// Results by key: the value, or why there is none.
    metrics: BTreeMap<String, OutcomeView>,
    /// The question with its defaults filled in.
    filters: FiltersView,
    /// Duration in milliseconds.
    #[serde(rename = "computeTime")]
    compute_time: u64,
}

/// Metrics, or an unsaved formula, to be computed.
#[derive(Debug)]
pub(crate) struct MetricSelection {
    /// Ids or keys, as requested; the default metrics if empty.
    pub(crate) names: Vec<String>,
    pub(crate) formula: Option<String>,
    pub(crate) explain: bool,
}

/// The results in the order of the request, each with its key.
pub(crate) struct ComputedValues {
    pub(crate) outcomes: Vec<(String, OutcomeView)>,
    /// The first error, if every item failed.
    pub(crate) refusal: Option<HttpError>,
    pub(crate) filters: FiltersView,
}

impl ComputedValues {
    /// Returns the results and the filters, unless every item failed.
    pub(crate) fn sound(self) -> Result<(Vec<(String, OutcomeView)>, FiltersView), HttpError> {
        self.refusal.map_or(Ok((self.outcomes, self.filters)), Err)
    }
}

/// Returns values of metrics over the store; at most 60 requests a minute per user.
#[crate::http::operation(get, path = "/admin/metrics", tag = "Admin metrics", params(QuestionRequest),
    responses((status = 422, description = "A formula that cannot be computed, or metrics that are not in use"),
        (status = 200, description = "The values", body = ValuesResponse)))]
pub(crate) async fn list_values(
    admin: AdminReader,
    State(state): State<ComputeState>,
    Query(request): Query<QuestionRequest>,
) -> Result<(HeaderMap, WrittenJson), HttpError> {
    let headers = state.rates.check(Bucket::Values, admin.actor_id())?.headers();
    let explain = request.explain;
    let (names, sent) = request.into_parts()?;
    let selection = MetricSelection { names, formula: None, explain };
    let written = ask(&state, "values", admin.actor_id(), (selection, sent), |answered| {
        let (outcomes, filters) = answered.sound()?;
        let requested_metrics = outcomes.iter().map(|(key, _)| key.clone()).collect();
        let metrics = outcomes.into_iter().collect();
        WrittenJson::of(&ValuesResponse { success: true, metrics, filters, requested_metrics })
    });
    Ok((headers, written.await?))
}

/// Computes values of metrics and of an unsaved formula.
#[crate::http::operation(post, path = "/admin/metrics/compute", tag = "Admin metrics",
    request_body = ComputeRequest,
    responses((status = 422, description = "A formula that cannot be computed, or metrics that are not in use"),
        (status = 200, description = "The values", body = ComputedResponse)))]
pub(crate) async fn compute_values(
    admin: AdminReader,
    State(state): State<ComputeState>,
    Json(request): Json<ComputeRequest>,
) -> Result<WrittenJson, HttpError> {
    let started = Instant::now();
    let (formula, explain) = (request.formula.clone().map(String::from), request.explain);
    let (names, sent) = request.into_question().into_parts()?;
    let selection = MetricSelection { names, formula, explain };
    let answer = ask(&state, "compute", admin.actor_id(), (selection, sent), move |answered| {
        let (outcomes, filters) = answered.sound()?;
        let is_failure = |(_, own): &&(String, OutcomeView)| matches!(own, OutcomeView::Failure(_));
        let failed = outcomes.iter().filter(is_failure).count();
        let computed = outcomes.len().saturating_sub(failed);
        WrittenJson::of(&ComputedResponse {
            success: true,
            message: format!("{computed} metrics computed, {failed} failed"),
            metrics: outcomes.into_iter().collect(),
            filters,
            compute_time: milliseconds(started.elapsed()),
        })
    });
    answer.await
}

/// Answers a query in one snapshot. `respond` creates the response on the thread of the read, because a large one
/// takes longer than the store's threads may be occupied.
pub(crate) async fn ask<T: Send + 'static>(
    state: &ComputeState,
    origin: &'static str,
    actor_id: &str,
    (selection, sent): (MetricSelection, UnresolvedQuestion),
    respond: impl FnOnce(ComputedValues) -> Result<T, HttpError> + Send + 'static,
) -> Result<T, HttpError> {
    let (started, own) = (Instant::now(), state.clone());
    let request_key = format!("{actor_id} {selection:?} {sent:?}");
    if let Some(WholeAnswer { outcomes, filters }) = find_whole_answer(state, &request_key).await? {
        state.note(origin, started, &outcomes);
        return respond(ComputedValues { outcomes, refusal: None, filters });
    }
    let work = move |context: ComputeContext<'_, '_>, reader: &str| {
        let question = sent.resolve(context.snapshot, context.tx.now())?;
        let answered = answer(context, (&selection, reader), &question)?;
        own.note(origin, started, &answered.outcomes);
        if !selection.explain
            && question.has_ended()
            && let Some(whole) = WholeAnswer::of(&answered.outcomes, &answered.filters)
        {
            let state = StoreState::with(context.snapshot.stamp().clone(), context.tx)?;
            own.evaluator.whole_answers().keep(request_key, state, whole);
        }
        respond(answered)
    };
    state.read(actor_id, work).await
}

/// Returns the earlier answer to a query, if nothing has changed since.
async fn find_whole_answer(
    state: &ComputeState,
    request_key: &str,
) -> Result<Option<WholeAnswer>, HttpError> {
    let answers = Arc::clone(state.evaluator.whole_answers());
    if !answers.has(request_key) {
        return Ok(None);
    }
    let request_key = request_key.to_owned();
    state.db.read(move |tx| Ok(answers.find(&request_key, &StoreState::read(tx)?))).await
}

/// Returns the keys of the default metrics: the active ones of sales and orders.
fn default_keys(snapshot: &RegistrySnapshot, actor_id: &str) -> Vec<String> {
    let is_chosen = |metric: &&Metric| metric.is_default() && is_visible(metric, actor_id);
    let chosen = snapshot.metrics().values().filter(is_chosen);
    chosen.map(|metric| metric.key.clone()).collect()
}

/// The items to compute in response order; a rejected name has its error.
pub(crate) type NamedItems = Vec<(String, Result<ComputeItem, HttpError>)>;

pub(crate) fn named_items(
    snapshot: &RegistrySnapshot,
    selection: &MetricSelection,
    actor_id: &str,
) -> NamedItems {
    let names = match (&selection.formula, selection.names.is_empty()) {
        (None, true) => default_keys(snapshot, actor_id),
        _ => selection.names.clone(),
    };
    let mut listed: NamedItems = Vec::with_capacity(names.len());
    for name in names {
        let metric = usable(snapshot, &name, actor_id, false);
        let own = match metric {
            Ok(metric) => (metric.key.clone(), Ok(ComputeItem::Metric(metric.key.clone()))),
            Err(refusal) => (name, Err(refusal.into())),
        };
        if !listed.iter().any(|(key, _)| *key == own.0) {
            listed.push(own);
        }
    }
    if let Some(text) = &selection.formula {
        let taken = snapshot.metrics().values().map(|metric| metric.key.as_str()).collect();
        let key = free_key(FORMULA_KEY, &taken);
        listed.push((key.clone(), Ok(ComputeItem::Formula { key, text: text.clone() })));
    }
    listed
}

pub(crate) fn answer(
    context: ComputeContext<'_, '_>,
    (selection, actor_id): (&MetricSelection, &str),
    question: &Question,
) -> Result<ComputedValues, HttpError> {
    let listed = named_items(context.snapshot, selection, actor_id);
    let items: Vec<ComputeItem> =
        listed.iter().filter_map(|(_, own)| own.as_ref().ok()).cloned().collect();
    let mut computed = records(context, &items, question)?.into_iter();
    let mut outcomes = Vec::with_capacity(listed.len());
    let mut refusal = None;
    for (key, own) in listed {
        let outcome = match own {
            Err(error) => Err(error),
            Ok(item) => match computed.next() {
                Some(Ok(record)) if selection.explain => {
                    explain(context.tx, context.snapshot, item.formula(), question)
                        .map(|part| record.explained(part))
                        .map_err(HttpError::from)
                }
                Some(record) => record.map_err(HttpError::from),
                None => Err(HttpError::not_found("There is no such metric")),
            },
        };
        outcomes.push((key, OutcomeView::of(outcome.as_ref())));
        refusal = refusal.or(outcome.err());
    }
    let is_any = outcomes.iter().any(|(_, own)| matches!(own, OutcomeView::Value(_)));
    let filters = FiltersView::of(question, context.snapshot);
    Ok(ComputedValues { outcomes, refusal: refusal.filter(|_| !is_any), filters })
}
