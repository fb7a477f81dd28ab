//! A snapshot of the registry: the metrics under one stamp, ready to compute in any currency.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use quotient::Engine;
use quotient::registry::{Registry, Signed};
use quotient::schema::Schema;
use quotient::sql::Binding;
use quotient::types::Currency;

use super::lineage::is_visible;
use super::metric::Metric;
use super::schema;
use super::{Stamp, load};
use crate::MetricError;

/// What computes over the rows of one currency.
#[derive(Debug)]
pub struct CurrencyEngine {
    pub engine: Engine,
    pub(crate) binding: Binding,
}

impl CurrencyEngine {
    /// What computes with an engine, whose sources lie where those of every store do.
    pub fn new(engine: Engine) -> Self {
        let binding = schema::binding(engine.schema());
        Self { engine, binding }
    }
}

#[derive(Debug)]
pub struct RegistrySnapshot {
    stamp: Stamp,
    registry: Registry,
    /// By number, removed ones too.
    metrics: BTreeMap<i64, Metric>,
    /// Keys of metrics that do not check any more, as after the store's currency changed, with the reason.
    broken: BTreeMap<String, String>,
    /// By currency, made when first asked for.
    engines: Mutex<BTreeMap<&'static str, Arc<CurrencyEngine>>>,
    /// What readers see of it, by the numbers of the private metrics that they see; made when first asked for.
    views: Mutex<BTreeMap<Vec<i64>, Arc<RegistrySnapshot>>>,
}

/// Limit: views that are kept at once.
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

    /// What a reader sees of it: all but the private metrics of others, as if these had never been made.
    ///
    /// # Errors
    /// [`MetricError::Registry`] for a registry that contradicts itself.
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

    /// The metrics as they are kept, by number, removed ones too.
    pub fn metrics(&self) -> &BTreeMap<i64, Metric> {
        &self.metrics
    }

    /// The metric of an id or a key, unless it was removed.
    pub fn metric(&self, id_or_key: &str) -> Option<&Metric> {
        let is_meant = |metric: &&Metric| {
            metric.id.as_str() == id_or_key || metric.key.eq_ignore_ascii_case(id_or_key)
        };
        self.metrics.values().filter(|metric| metric.deleted_at.is_none()).find(is_meant)
    }

    /// Metrics that do not check any more, by key, with the reason.
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

    /// What computes in a currency: metrics that name amounts of another one do not check there and are left out.
    pub(crate) fn engine_for(&self, currency: Currency) -> Arc<CurrencyEngine> {
        let mut engines = self.engines.lock().unwrap_or_else(PoisonError::into_inner);
        let made =
            engines.entry(currency.code()).or_insert_with(|| Arc::new(self.new_engine(currency)));
        Arc::clone(made)
    }

    fn new_engine(&self, currency: Currency) -> CurrencyEngine {
        if currency == self.currency() {
            return CurrencyEngine::new(self.engine().clone());
        }
        let mut schema = self.schema().clone();
        schema.store.currency = currency;
        let mut registry = Registry::new(Engine::new(schema));
        let signed = Signed::new("", jiff::Timestamp::UNIX_EPOCH);
        for key in self.registry.graph().order() {
            let known = self.registry.metric(key).filter(|metric| !metric.removed);
            if let Some(metric) = known
                && let Err(refusal) = registry.define(metric.definition.clone(), &signed)
            {
                tracing::debug!(key, %refusal, currency = currency.code(), "a metric does not check in this currency");
            }
        }
        CurrencyEngine::new(registry.engine().clone())
    }
}
