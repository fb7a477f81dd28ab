//! Routes of values over the store and over a context, of their explanations, of the cache and of statistics.

mod cache;
mod execute;
mod explain;
mod performance;
pub(crate) mod range_query;
pub(crate) mod range_reader;
pub(crate) mod requests;
mod rows;
mod snapshots;
pub(crate) mod values;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::FromRef;
use axum::middleware::from_fn;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

pub(crate) use execute::SummaryView;

use super::Evaluator;
use super::records::{ComputeContext, OutcomeView};
use super::stats::{Computation, ComputeStats};
use crate::MetricError;
use crate::clock::Clock;
use crate::database::{Db, Tx};
use crate::http::HttpError;
use crate::middleware::RateLimits;
use crate::registry::QUESTION_TIMEOUT;
use crate::registry::lineage::is_visible;
use crate::routes::alias::alias;
use crate::routes::failures::plainly;
use crate::state::AppState;

#[derive(Debug, Clone)]
pub(crate) struct ComputeState {
    pub(crate) db: Db,
    clock: Clock,
    pub(crate) evaluator: Evaluator,
    pub(crate) rates: Arc<RateLimits>,
    stats: Arc<ComputeStats>,
}

impl FromRef<AppState> for ComputeState {
    fn from_ref(state: &AppState) -> Self {
        Self {
            db: state.shared.db.clone(),
            clock: state.shared.clock.clone(),
            evaluator: state.evaluator.clone(),
            rates: Arc::clone(&state.shared.rates),
            stats: Arc::clone(&state.stats),
        }
    }
}

impl ComputeState {
    /// Answers a question in one snapshot of the metrics that a reader sees.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        reader: &str,
        answer: impl FnOnce(ComputeContext<'_, '_>, &str) -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let (evaluator, reader) = (self.evaluator.clone(), reader.to_owned());
        let work = move |tx: &Tx<'_>| {
            let snapshot = evaluator.registry.visible_to(tx, &reader)?;
            let caches = evaluator.caches();
            answer(ComputeContext { tx, snapshot: &snapshot, caches }, &reader)
        };
        self.db.read_within(QUESTION_TIMEOUT, work).await
    }

    /// Records a computation that began at `started`.
    pub(crate) fn note(
        &self,
        origin: &'static str,
        started: Instant,
        outcomes: &[(String, OutcomeView)],
    ) {
        let failed = outcomes.iter().filter(|(_, own)| matches!(own, OutcomeView::Failure(_)));
        let is_cached = |own: &OutcomeView| match own {
            OutcomeView::Value(record) => record.is_cached(),
            OutcomeView::Failure(_) => true,
        };
        let metrics = outcomes.iter().map(|(key, _)| key.clone()).collect();
        let all_cached = outcomes.iter().all(|(_, own)| is_cached(own));
        self.note_computation((origin, started), metrics, all_cached, failed.count());
    }

    /// Records a computation of metrics, of which some failed.
    pub(crate) fn note_computation(
        &self,
        (origin, started): (&'static str, Instant),
        metrics: Vec<String>,
        is_cached: bool,
        failed: usize,
    ) {
        self.stats.note(Computation {
            number: 0,
            at: self.clock.now(),
            origin,
            metrics,
            took: started.elapsed(),
            is_cached,
            failed: u64::try_from(failed).unwrap_or(u64::MAX),
        });
    }

    /// Returns the keys of the metrics that a reader may not see.
    async fn unseen(&self, reader: &str) -> Result<BTreeSet<String>, MetricError> {
        let (registry, reader) = (self.evaluator.registry.clone(), reader.to_owned());
        let keys = move |tx: &Tx<'_>| {
            let all = registry.snapshot(tx)?;
            let unseen = all.metrics().values().filter(|metric| !is_visible(metric, &reader));
            Ok(unseen.map(|metric| metric.key.clone()).collect())
        };
        self.db.read(keys).await
    }
}

pub(crate) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(values::list_values, snapshots::take_snapshot))
        .routes(routes!(values::compute_values))
        .routes(routes!(execute::execute_metric))
        .routes(routes!(execute::compute_metrics))
        .merge(explanations())
        .merge(stats_router())
}

/// Explanations, below both paths of definitions.
fn explanations() -> OpenApiRouter<AppState> {
    let also = |routes, name: &str, names| {
        let path = format!("/admin/metrics-registry/definitions/{{id}}/{name}");
        alias(routes, &path, &[names], |_| ())
    };
    let explain = ("explain_metric", "explain_definition");
    let decompose = ("decompose_metric", "decompose_definition");
    let compare = ("compare_metric", "compare_definition");
    OpenApiRouter::new()
        .routes(routes!(explain::explain_metric))
        .routes(routes!(explain::decompose_metric))
        .routes(routes!(explain::compare_metric))
        .routes(routes!(rows::list_metric_rows))
        .routes(also(routes!(explain::explain_metric), "explain", explain))
        .routes(also(routes!(explain::decompose_metric), "decompose", decompose))
        .routes(also(routes!(explain::compare_metric), "diff", compare))
}

fn stats_router() -> OpenApiRouter<AppState> {
    let cache = OpenApiRouter::new()
        .routes(routes!(cache::show_cache, cache::warm_cache, cache::clear_cache))
        .layer(from_fn(plainly));
    cache
        .routes(routes!(performance::show_performance))
        .routes(routes!(performance::list_events))
        .routes(routes!(performance::make_report))
}
