//! Everything in a registry as data, to be written away and read again.

use serde::{Deserialize, Serialize};

use super::contents::as_metric;
use super::{MetricId, RegisteredMetric, Registry, RegistryError};
use crate::engine::{Engine, Revision};

/// The metrics of a registry with their history, without the schema they stand on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The form of this data; it is 1.
    pub form: u32,
    /// The last identity that was given.
    pub last_id: u64,
    /// The metrics in order of creation.
    pub metrics: Vec<RegisteredMetric>,
}

const FORM: u32 = 1;

impl Registry {
    /// Everything in it.
    pub fn snapshot(&self) -> Snapshot {
        let metrics = self.metrics.values().cloned().collect();
        Snapshot { form: FORM, last_id: self.last_id, metrics }
    }

    /// A registry as it was, over an engine with its schema; metrics the engine has are left out.
    pub fn restore(engine: Engine, snapshot: Snapshot) -> Result<Self, RegistryError> {
        let refused = |why: &str| Err(RegistryError::Snapshot(why.to_owned()));
        if snapshot.form != FORM {
            return refused("it has a form that is not known");
        }
        let mut registry = Self::new(engine);
        registry.last_id = snapshot.last_id;
        for metric in snapshot.metrics {
            let key = metric.definition.key.to_lowercase();
            if metric.id.0 > snapshot.last_id || registry.metrics.contains_key(&metric.id) {
                return refused("an identity was given twice");
            }
            if registry.by_key.insert(key, metric.id).is_some() {
                return refused("two metrics have one key");
            }
            registry.metrics.insert(metric.id, metric);
        }
        registry.enter_all()?;
        Ok(registry)
    }

    /// Checks all metrics that are not removed and enters them into engine and graph.
    pub(super) fn enter_all(&mut self) -> Result<(), RegistryError> {
        let live = self.metrics.values().filter(|metric| !metric.removed);
        self.order = live.clone().map(|metric| metric.id).collect();
        let revisions = live
            .map(|metric| Revision { index: None, metric: as_metric(&metric.definition) })
            .collect();
        self.engine.revise(revisions, &[], |_| true).map_err(|broken| {
            let named = broken.into_iter().map(|(index, findings)| {
                let id = self.order.get(index).copied().unwrap_or(MetricId(0));
                (self.key_of(id).to_owned(), findings)
            });
            RegistryError::Breaks(named.collect())
        })?;
        self.engine.check_computed();
        self.enter_in_order();
        Ok(())
    }

    /// Enters the metrics of the engine into the graph, each after those that it uses.
    pub(super) fn enter_in_order(&mut self) {
        let mut waiting: Vec<MetricId> = self.order.iter().rev().copied().collect();
        while let Some(id) = waiting.last().copied() {
            let uses = self.uses_of(id);
            let lacking = uses.iter().filter(|(key, _)| !self.graph.contains(key));
            let lacking: Vec<MetricId> =
                lacking.filter_map(|(key, _)| self.metric(key)).map(|metric| metric.id).collect();
            if lacking.is_empty() {
                self.enter(id);
                waiting.pop();
            } else {
                waiting.extend(lacking);
            }
        }
    }
}
