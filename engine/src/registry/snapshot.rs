//! Snapshots: a registry as data, for storage.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::contents::as_metric;
use super::{MetricId, RegisteredMetric, Registry, RegistryError};
use crate::engine::{Engine, Revision};

/// The metrics of a registry with their history, without the schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The version of the snapshot format: 1.
    pub form: u32,
    /// The last id assigned.
    pub last_id: u64,
    /// The metrics in order of creation.
    pub metrics: Vec<RegisteredMetric>,
}

const FORM: u32 = 1;

impl Registry {
    /// Returns a snapshot of the registry.
    pub fn snapshot(&self) -> Snapshot {
        let metrics = self.metrics.values().cloned().collect();
        Snapshot { form: FORM, last_id: self.last_id, metrics }
    }

    /// Restores a registry over an engine with its schema; the metrics of the engine are dropped.
    pub fn restore(engine: Engine, snapshot: Snapshot) -> Result<Self, RegistryError> {
        let refused = |why: &str| Err(RegistryError::Snapshot(why.to_owned()));
        if snapshot.form != FORM {
            return refused("it has a form that is not known");
        }
        let mut registry = Self::new(engine);
        registry.last_id = snapshot.last_id;
        let mut titles = BTreeSet::new();
        for metric in snapshot.metrics {
            let title = metric.definition.title.as_ref().map(|title| title.to_lowercase());
            if title.is_some_and(|title| !titles.insert(title)) {
                return refused("two metrics have one title");
            }
            let key = metric.definition.key.to_lowercase();
            if metric.id.0 > snapshot.last_id {
                return refused("an identity is after the last one");
            }
            if registry.metrics.contains_key(&metric.id) {
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

    /// Checks all metrics that are not removed, with the removed ones that they use, and enters them
    /// into the engine and the graph. A removed one that no longer checks is left out.
    fn enter_all(&mut self) -> Result<(), RegistryError> {
        let mut entered = self.in_meaning();
        loop {
            self.order = entered.iter().copied().collect();
            let metrics = self.order.iter().filter_map(|id| self.metrics.get(id));
            let revisions = metrics
                .map(|metric| Revision { index: None, metric: as_metric(&metric.definition) })
                .collect();
            let Err(broken) = self.engine.revise(revisions, &[], |_| true) else { break };
            let broken = broken.metrics.into_iter().map(|(index, findings)| {
                (self.order.get(index).copied().unwrap_or(MetricId(0)), findings)
            });
            let broken: Vec<_> = broken.collect();
            let is_removed = |id: &MetricId| self.by_id(*id).is_some_and(|metric| metric.removed);
            let count = entered.len();
            for (id, _) in broken.iter().filter(|(id, _)| is_removed(id)) {
                entered.remove(id);
            }
            if entered.len() == count {
                let named = broken.into_iter();
                let named = named.map(|(id, findings)| (self.key_of(id).to_owned(), findings));
                return Err(RegistryError::Breaks(named.collect()));
            }
        }
        self.enter_in_order();
        Ok(())
    }

    /// Returns the metrics that are not removed, and those that they use, directly or not.
    fn in_meaning(&self) -> BTreeSet<MetricId> {
        let live = self.metrics.values().filter(|metric| !metric.removed);
        let mut waiting: Vec<MetricId> = live.map(|metric| metric.id).collect();
        let mut found = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            if found.insert(id) {
                let used = self.by_id(id).and_then(RegisteredMetric::version);
                let used = used.map(|version| version.references.iter()).unwrap_or_default();
                let known = used.filter(|used| self.metrics.contains_key(&used.metric));
                waiting.extend(known.map(|used| used.metric));
            }
        }
        found
    }

    /// Enters the metrics of the engine into the graph, dependencies first.
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
