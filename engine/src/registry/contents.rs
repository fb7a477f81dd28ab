//! What is there.

use std::collections::BTreeMap;

use super::{MetricId, RegisteredMetric, Registry, RegistryError};
use crate::engine::{Engine, Metric};
use crate::graph::{MetricGraph, UseKinds};

impl Registry {
    /// A registry without metrics over an engine without metrics; those it has are left out.
    pub fn new(engine: Engine) -> Self {
        let mut engine = engine;
        for index in (0..engine.metrics().len()).rev() {
            engine.withdraw(index);
        }
        Self {
            engine,
            graph: MetricGraph::new(),
            metrics: BTreeMap::new(),
            by_key: BTreeMap::new(),
            order: Vec::new(),
            last_id: 0,
        }
    }

    /// The engine with every metric that is not removed. Formulas are compiled anew after an edit.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Which metric uses which.
    pub fn graph(&self) -> &MetricGraph {
        &self.graph
    }

    /// Every metric in order of creation, removed ones too.
    pub fn metrics(&self) -> impl Iterator<Item = &RegisteredMetric> {
        self.metrics.values()
    }

    /// The metric of that key, also if it was removed.
    pub fn metric(&self, key: &str) -> Option<&RegisteredMetric> {
        self.metrics.get(self.by_key.get(&key.to_lowercase())?)
    }

    /// The metric with this identity, also if it was removed.
    pub fn by_id(&self, id: MetricId) -> Option<&RegisteredMetric> {
        self.metrics.get(&id)
    }

    /// The metric of that key, unless it was removed.
    pub(super) fn live(&self, key: &str) -> Result<&RegisteredMetric, RegistryError> {
        let live = self.metric(key).filter(|metric| !metric.removed);
        live.ok_or_else(|| RegistryError::Unknown(key.to_owned()))
    }

    pub(super) fn key_of(&self, id: MetricId) -> &str {
        self.metrics.get(&id).map_or("", |metric| &metric.definition.key)
    }

    /// The place of a metric in the engine.
    pub(super) fn index_of(&self, id: MetricId) -> Option<usize> {
        self.order.iter().position(|own| *own == id)
    }

    /// The places in the engine of everything built on a metric.
    pub(super) fn affected(&self, key: &str) -> Vec<usize> {
        let dependents = self.graph.dependents(key).unwrap_or_default();
        let ids = dependents.iter().filter_map(|reached| self.metric(reached.key));
        ids.filter_map(|metric| self.index_of(metric.id)).collect()
    }

    /// What a metric's formula uses, as the engine knows it.
    pub(super) fn uses_of(&self, id: MetricId) -> Vec<(String, UseKinds)> {
        let uses = self.index_of(id).map(|index| self.engine.uses(index)).unwrap_or_default();
        let named = uses.into_iter().filter_map(|(index, kinds)| {
            self.order.get(index).map(|id| (self.key_of(*id).to_owned(), kinds))
        });
        named.collect()
    }
}

/// A definition as the engine takes it.
pub(super) fn as_metric(definition: &super::Definition) -> Metric {
    Metric {
        key: definition.key.clone(),
        title: definition.title.clone(),
        description: definition.description.clone(),
        category: definition.category.clone(),
        unlisted: definition.unlisted,
        formula: definition.formula.clone(),
        data_type: definition.data_type,
        format: definition.format.clone(),
        examples: Vec::new(),
    }
}
