//! Reads definitions as the caller may see them.

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;

use quotient::engine::ExampleOutcome;

use super::requests::MAX_FORMULA_CHARS;
use super::view::{ExampleOutcomeView, ExampleView, MetricView};
use crate::auth::AdminReader;
use crate::database::Db;
use crate::database::Tx;
use crate::database::listing::ListQuery;
use crate::http::{HttpError, text};
use crate::registry::QUESTION_TIMEOUT;
use crate::registry::lineage::{self, DependencyView, DependentView};
use crate::registry::metric::{Metric, VersionView};
use crate::registry::queries::{examples, metrics, versions};
use crate::registry::validation::{self, ValidationView};
use crate::state::AppState;
use crate::{MetricError, MetricRegistry, RegistrySnapshot};

#[derive(Debug, Clone)]
pub(crate) struct DefinitionReader {
    db: Db,
    registry: MetricRegistry,
    pub(crate) viewer: String,
}

impl FromRequestParts<AppState> for DefinitionReader {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, HttpError> {
        let admin = AdminReader::from_request_parts(parts, state).await?;
        Ok(Self {
            db: Db::from_ref(state),
            registry: MetricRegistry::from_ref(state),
            viewer: admin.actor_id().to_owned(),
        })
    }
}

impl DefinitionReader {
    /// Runs a query against one snapshot of the metrics.
    pub(crate) async fn ask<T: Send + 'static>(
        self,
        question: impl FnOnce(&Tx<'_>, &RegistrySnapshot, &str) -> Result<T, MetricError>
        + Send
        + 'static,
    ) -> Result<T, HttpError> {
        let Self { db, registry, viewer } = self;
        let answer =
            db.read(move |tx| question(tx, &*registry.visible_to(tx, &viewer)?, &viewer)).await?;
        Ok(answer)
    }

    pub(crate) async fn of<T: Send + 'static>(
        self,
        id: String,
        question: impl FnOnce(&Tx<'_>, &RegistrySnapshot, &Metric, &str) -> Result<T, MetricError>
        + Send
        + 'static,
    ) -> Result<T, HttpError> {
        self.ask(move |tx, snapshot, viewer| {
            question(tx, snapshot, snapshot.visible(&id, viewer)?, viewer)
        })
        .await
    }

    pub(crate) async fn page(self, query: ListQuery) -> Result<(Vec<MetricView>, u64), HttpError> {
        self.ask(move |tx, snapshot, viewer| {
            let (rows, count) = metrics::page(tx, query, viewer)?;
            Ok((rows.into_iter().map(|metric| MetricView::of(snapshot, metric)).collect(), count))
        })
        .await
    }

    pub(crate) async fn show(self, id: String) -> Result<MetricView, HttpError> {
        self.of(id, |_tx, snapshot, metric, _viewer| Ok(MetricView::of(snapshot, metric.clone())))
            .await
    }

    /// Returns the versions of a metric, including a removed one, the newest first.
    pub(crate) async fn versions(self, id: String) -> Result<Vec<VersionView>, HttpError> {
        self.ask(move |tx, snapshot, viewer| {
            let metric = snapshot.visible_or_removed(&id, viewer)?;
            Ok(versions::of_metric(tx, metric.seq)?)
        })
        .await
    }

    pub(crate) async fn dependencies(self, id: String) -> Result<DependencyView, HttpError> {
        self.of(id, |_tx, snapshot, metric, _viewer| Ok(lineage::tree(snapshot, metric))).await
    }

    pub(crate) async fn dependents(self, id: String) -> Result<Vec<DependentView>, HttpError> {
        self.of(id, |_tx, snapshot, metric, viewer| {
            Ok(lineage::dependents(snapshot, metric, viewer))
        })
        .await
    }

    /// Checks a formula, optionally as the new formula of a metric.
    ///
    /// # Errors
    /// 400 for a text that could not be saved; surrounding blanks are left in place.
    pub(crate) async fn validate(
        self,
        formula: String,
        metric: Option<String>,
    ) -> Result<ValidationView, HttpError> {
        text::clean(&formula, MAX_FORMULA_CHARS).map_err(|error| {
            let message = format!("Invalid request: Field 'formula': {error}");
            HttpError::invalid_data(message).with_details("formula", error.to_string())
        })?;
        self.ask(move |_tx, snapshot, viewer| {
            let metric = metric.map(|id| snapshot.visible(&id, viewer)).transpose()?;
            Ok(validation::of(snapshot, &formula, metric, viewer))
        })
        .await
    }

    /// Returns the examples of a metric, in the order in which they were added.
    pub(crate) async fn examples(self, id: String) -> Result<Vec<ExampleView>, HttpError> {
        self.of(id, |tx, _snapshot, metric, _viewer| {
            let rows = examples::of_metric(tx, metric.seq)?;
            let view = |row: examples::ExampleRow| ExampleView {
                id: row.id,
                context: serde_json::from_str(&row.context).unwrap_or_default(),
                expected: row.expected,
                created_at: row.created_at,
            };
            Ok(rows.into_iter().map(view).collect())
        })
        .await
    }

    pub(crate) async fn run_examples(
        self,
        id: String,
    ) -> Result<Vec<ExampleOutcomeView>, HttpError> {
        let Self { db, registry, viewer } = self;
        let run = move |tx: &Tx<'_>| {
            let snapshot = registry.visible_to(tx, &viewer)?;
            let metric = snapshot.visible(&id, &viewer)?;
            let rows = examples::of_metric(tx, metric.seq)?;
            Ok::<_, MetricError>(
                rows.into_iter().map(|row| outcome(&snapshot, metric, row)).collect(),
            )
        };
        Ok(db.read_within(QUESTION_TIMEOUT, run).await?)
    }
}

fn outcome(
    snapshot: &RegistrySnapshot,
    metric: &Metric,
    row: examples::ExampleRow,
) -> ExampleOutcomeView {
    let message = match snapshot.engine().run_example(&metric.formula, &row.context, &row.expected)
    {
        ExampleOutcome::Held => None,
        ExampleOutcome::Failed { message, findings } => {
            let found = findings.into_iter().next().map(|finding| finding.message);
            Some(found.unwrap_or(message))
        }
    };
    ExampleOutcomeView { id: row.id, expected: row.expected, passed: message.is_none(), message }
}
