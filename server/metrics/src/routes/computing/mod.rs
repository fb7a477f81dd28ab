//! Values: over the store, over a context, in batches; how they came about; what computing keeps and takes.

mod batch;
mod batched;
mod cache;
mod execute;
mod explain;
mod limits;
mod performance;
mod requests;
mod snapshots;
mod values;

pub(super) use limits::admit;

use std::collections::BTreeSet;
use std::time::Instant;

use axum::extract::FromRef;
use axum::middleware::from_fn;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::failures::plainly;
use crate::clock::Clock;
use crate::compute::records::OutcomeView;
use crate::database::{Db, Tx};
use crate::lineage::is_seen;
use crate::state::AppState;
use crate::workbench::Computation;
use crate::{Library, MetricError, Workbench};

/// What the routes here need of the state.
#[derive(Debug, Clone)]
pub(super) struct Desk {
    db: Db,
    clock: Clock,
    library: Library,
    workbench: Workbench,
}

impl FromRef<AppState> for Desk {
    fn from_ref(state: &AppState) -> Self {
        Self {
            db: state.shared.db.clone(),
            clock: state.shared.clock.clone(),
            library: state.library.clone(),
            workbench: state.workbench.clone(),
        }
    }
}

impl Desk {
    /// Remembers a computation that began at `started`.
    fn note(&self, origin: &'static str, started: Instant, outcomes: &[(String, OutcomeView)]) {
        let failed = outcomes.iter().filter(|(_, own)| matches!(own, OutcomeView::Failure(_)));
        let is_kept = |own: &OutcomeView| match own {
            OutcomeView::Value(record) => record.is_kept(),
            OutcomeView::Failure(_) => true,
        };
        self.workbench.events.note(Computation {
            number: 0,
            at: self.clock.now(),
            origin,
            metrics: outcomes.iter().map(|(key, _)| key.clone()).collect(),
            took: started.elapsed(),
            is_kept: outcomes.iter().all(|(_, own)| is_kept(own)),
            failed: u64::try_from(failed.count()).unwrap_or(u64::MAX),
        });
    }
}

impl Desk {
    /// Keys of the metrics that a reader does not see.
    async fn unseen(&self, reader: &str) -> Result<BTreeSet<String>, MetricError> {
        let (library, reader) = (self.library.clone(), reader.to_owned());
        let keys = move |tx: &Tx<'_>| {
            let all = library.shelf(tx)?;
            let unseen = all.metrics().values().filter(|metric| !is_seen(metric, &reader));
            Ok(unseen.map(|metric| metric.key.clone()).collect())
        };
        self.db.read(keys).await
    }
}

/// All of it.
pub(super) fn router() -> OpenApiRouter<AppState> {
    asked().merge(kept())
}

/// Values, and how they came about.
fn asked() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(values::list_values, snapshots::take_snapshot))
        .routes(routes!(values::compute_values))
        .routes(routes!(execute::execute_metric))
        .routes(routes!(execute::compute_metrics))
        .merge(OpenApiRouter::new().routes(routes!(batch::compute_batch)).layer(from_fn(plainly)))
        .routes(routes!(explain::explain_metric))
        .routes(routes!(explain::decompose_metric))
        .routes(routes!(explain::compare_metric))
        .routes(routes!(explain::explain_definition))
        .routes(routes!(explain::decompose_definition))
        .routes(routes!(explain::compare_definition))
}

/// What computing keeps and takes.
fn kept() -> OpenApiRouter<AppState> {
    let cache = OpenApiRouter::new()
        .routes(routes!(cache::show_cache, cache::warm_cache, cache::clear_cache))
        .layer(from_fn(plainly));
    cache
        .routes(routes!(performance::show_performance))
        .routes(routes!(performance::list_events))
        .routes(routes!(performance::make_report))
        .routes(routes!(limits::show_limits, limits::clear_limits))
}
