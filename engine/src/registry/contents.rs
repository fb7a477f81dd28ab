//! Access to the metrics of a registry.

use std::collections::BTreeMap;

use super::{Definition, MetricId, RegisteredMetric, Registry, RegistryError};
use crate::engine::{Engine, Metric};
use crate::graph::{MetricGraph, UseKinds};

impl Registry {
    /// Creates an empty registry over an engine; the metrics of the engine are dropped.
    pub fn new(mut engine: Engine) -> Self {
        engine.withdraw(|_| true);
        Self::over(engine)
    }

    /// Creates a registry that has none of the engine's metrics yet.
    pub(super) fn over(engine: Engine) -> Self {
        Self {
            engine,
            graph: MetricGraph::new(),
            metrics: BTreeMap::new(),
            by_key: BTreeMap::new(),
            order: Vec::new(),
            last_id: 0,
        }
    }

    /// Returns the engine with every metric that is not removed, and the removed ones that these use.
    /// Recompile formulas after an edit.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the graph of uses between metrics.
    pub fn graph(&self) -> &MetricGraph {
        &self.graph
    }

    /// Returns every metric in order of creation, including removed ones.
    pub fn metrics(&self) -> impl Iterator<Item = &RegisteredMetric> {
        self.metrics.values()
    }

    /// Returns the metric with this key, even if removed.
    pub fn metric(&self, key: &str) -> Option<&RegisteredMetric> {
        self.metrics.get(self.by_key.get(&key.to_lowercase())?)
    }

    /// Returns the metric with this id, even if removed.
    pub fn by_id(&self, id: MetricId) -> Option<&RegisteredMetric> {
        self.metrics.get(&id)
    }

    /// Returns the metric with this key, unless it was removed.
    pub(super) fn live(&self, key: &str) -> Result<&RegisteredMetric, RegistryError> {
        let live = self.metric(key).filter(|metric| !metric.removed);
        live.ok_or_else(|| RegistryError::Unknown(key.to_owned()))
    }

    pub(super) fn key_of(&self, id: MetricId) -> &str {
        self.metrics.get(&id).map_or("", |metric| &metric.definition.key)
    }

    /// Returns the index of a metric in the engine.
    pub(super) fn index_of(&self, id: MetricId) -> Option<usize> {
        self.order.iter().position(|own| *own == id)
    }

    /// Returns the engine indices of a metric's dependents.
    pub(super) fn affected(&self, key: &str) -> Vec<usize> {
        let dependents = self.graph.dependents(key).unwrap_or_default();
        let ids = dependents.iter().filter_map(|reached| self.metric(reached.key));
        ids.filter_map(|metric| self.index_of(metric.id)).collect()
    }

    /// Returns the names that a metric's formula uses, from the engine.
    pub(super) fn uses_of(&self, id: MetricId) -> Vec<(String, UseKinds)> {
        let uses = self.index_of(id).map(|index| self.engine.uses(index)).unwrap_or_default();
        let named = uses.into_iter().filter_map(|(index, kinds)| {
            self.order.get(index).map(|id| (self.key_of(*id).to_owned(), kinds))
        });
        named.collect()
    }
}

/// Converts a definition to a metric of the engine.
pub(super) fn as_metric(definition: &Definition) -> Metric {
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
