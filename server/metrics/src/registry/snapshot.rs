//! A snapshot of the registry: the metrics under one stamp, ready to compute in any currency.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use quotient::Engine;
use quotient::diagnostics::{Code, Diagnostic};
use quotient::registry::Registry;
use quotient::schema::Schema;
use quotient::sql::Binding;
use quotient::types::Currency;

use super::lineage::is_visible;
use super::metric::Metric;
use super::schema;
use super::{Stamp, load};
use crate::MetricError;

/// The engine and table binding for the rows of one currency.
#[derive(Debug)]
pub struct CurrencyEngine {
    pub engine: Engine,
    pub(crate) binding: Binding,
    /// The first error of each metric that is invalid in this currency, by its key.
    refused: BTreeMap<String, String>,
}

impl CurrencyEngine {
    pub fn new(engine: Engine) -> Self {
        let binding = schema::binding(engine.schema());
        Self { engine, binding, refused: BTreeMap::new() }
    }

    /// Creates the engine of another currency. Metrics that name amounts in the store's own may be invalid there.
    fn in_currency(engine: &Engine, currency: Currency) -> Self {
        let mut schema = engine.schema().clone();
        schema.store.currency = currency;
        let (engine, errors) = engine.with_schema(schema);
        let mut own = Self::new(engine);
        for (key, error) in errors {
            let formula = own.engine.metric(&key).map(|metric| metric.formula.clone());
            let error = own.with_cause(&formula.unwrap_or_default(), error);
            own.refused.entry(key).or_insert(error.message);
        }
        own
    }

    /// The error for a formula that does not compile; it says of metrics why they are invalid in this currency.
    pub(crate) fn refusal(&self, formula: &str, findings: Vec<Diagnostic>) -> MetricError {
        let findings = findings.into_iter().map(|finding| self.with_cause(formula, finding));
        MetricError::Formula(findings.collect())
    }

    fn with_cause(&self, formula: &str, finding: Diagnostic) -> Diagnostic {
        let name = finding.span.slice(formula).trim_matches(['[', ']']);
        let metric = self.engine.metric(name).filter(|_| finding.code == Code::E602);
        let Some(cause) = metric.and_then(|metric| self.refused.get(&metric.key)) else {
            return finding;
        };
        let message = format!("{}: {cause}", finding.message);
        Diagnostic { message, help: None, ..finding }
    }
}

#[derive(Debug)]
pub struct RegistrySnapshot {
    stamp: Stamp,
    registry: Registry,
    /// By number, including removed ones.
    metrics: BTreeMap<i64, Metric>,
    /// Keys of metrics that no longer compile, for example after the store's currency changed, with the reason.
    broken: BTreeMap<String, String>,
    /// Engines by currency, created on first use.
    engines: Mutex<BTreeMap<&'static str, Arc<CurrencyEngine>>>,
    /// Snapshots as readers see them, by the numbers of the private metrics that they see; created on first use.
    views: Mutex<BTreeMap<Vec<i64>, Arc<RegistrySnapshot>>>,
}

/// Limit: views cached at once.
const MAX_VIEWS: usize = 16;

impl RegistrySnapshot {
    pub fn new(
        stamp: Stamp,
        registry: Registry,
        metrics: BTreeMap<i64, Metric>,
        broken: BTreeMap<String, String>,
    ) -> Self {
        let (engines, views) = (Mutex::default(), Mutex::default());
        Self { stamp, registry, metrics, broken, engines, views }
    }

    /// Returns the snapshot as a reader sees it: without the private metrics of others, as if they did not exist.
    ///
    /// # Errors
    /// [`MetricError::Registry`] if the registry is inconsistent.
    pub(crate) fn visible_to(self: &Arc<Self>, reader: &str) -> Result<Arc<Self>, MetricError> {
        let private = || self.metrics.iter().filter(|(_, metric)| metric.is_private());
        let own = private().filter(|(_, metric)| is_visible(metric, reader));
        let own: Vec<i64> = own.map(|(seq, _)| *seq).collect();
        if own.len() == private().count() {
            return Ok(Arc::clone(self));
        }
        let mut views = self.views.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = views.get(&own) {
            return Ok(Arc::clone(view));
        }
        let view = load::narrowed(self, |metric| is_visible(metric, reader))?;
        if views.len() >= MAX_VIEWS {
            views.clear();
        }
        Ok(Arc::clone(views.entry(own).or_insert(Arc::new(view))))
    }

    pub(crate) fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Returns the stored metrics by number, including removed ones.
    pub fn metrics(&self) -> &BTreeMap<i64, Metric> {
        &self.metrics
    }

    /// Returns the metric with an id or key, unless it was removed.
    pub fn metric(&self, id_or_key: &str) -> Option<&Metric> {
        self.named(id_or_key).find(|metric| metric.deleted_at.is_none())
    }

    /// Returns the metric with an id or key, even if it was removed.
    pub(super) fn metric_or_removed(&self, id_or_key: &str) -> Option<&Metric> {
        self.named(id_or_key).next()
    }

    /// Returns the metric with an id or key, unless it was removed or is another user's private one.
    pub(crate) fn visible(&self, id_or_key: &str, viewer: &str) -> Result<&Metric, MetricError> {
        let metric = self.metric(id_or_key).filter(|metric| is_visible(metric, viewer));
        metric.ok_or_else(|| MetricError::NotFound(id_or_key.to_owned()))
    }

    /// Returns the metric with an id or key, unless it is another user's private one; even if it was removed.
    pub(super) fn visible_or_removed(
        &self,
        id_or_key: &str,
        viewer: &str,
    ) -> Result<&Metric, MetricError> {
        let metric = self.metric_or_removed(id_or_key).filter(|metric| is_visible(metric, viewer));
        metric.ok_or_else(|| MetricError::NotFound(id_or_key.to_owned()))
    }

    fn named(&self, id_or_key: &str) -> impl Iterator<Item = &Metric> {
        self.metrics.values().filter(move |metric| {
            metric.id.as_str() == id_or_key || metric.key.eq_ignore_ascii_case(id_or_key)
        })
    }

    /// Returns the metric with a key, including removed ones, which drafts may still use.
    pub(crate) fn stored(&self, key: &str) -> Option<&Metric> {
        self.metrics.values().find(|metric| metric.key.eq_ignore_ascii_case(key))
    }

    /// Returns the metrics that no longer compile, by key, with the reason.
    pub fn broken(&self) -> &BTreeMap<String, String> {
        &self.broken
    }

    pub fn engine(&self) -> &Engine {
        self.registry.engine()
    }

    pub fn schema(&self) -> &Schema {
        self.engine().schema()
    }

    pub fn currency(&self) -> Currency {
        self.schema().store.currency
    }

    /// Returns the engine for a currency.
    pub(crate) fn engine_for(&self, currency: Currency) -> Arc<CurrencyEngine> {
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || {
            Arc::new(if currency == self.currency() {
                CurrencyEngine::new(self.engine().clone())
            } else {
                CurrencyEngine::in_currency(self.engine(), currency)
            })
        };
        Arc::clone(engines.entry(currency.code()).or_insert_with(new))
    }
}
