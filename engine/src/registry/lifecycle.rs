//! States and examples: the conditions for a metric to be in use.

use std::collections::BTreeMap;

use super::{Definition, Example, MetricId, RegisteredMetric, Registry, RegistryError, State};
use crate::engine::Engine;

impl Registry {
    /// Changes the state of a metric.
    ///
    /// An active metric must pass its examples and use only metrics in use. A metric that others in
    /// use depend on cannot be archived. A removed metric can return as a draft.
    pub fn set_state(&mut self, key: &str, state: State) -> Result<(), RegistryError> {
        let metric = self.metric(key).ok_or_else(|| RegistryError::Unknown(key.to_owned()))?;
        let id = metric.id;
        let from = metric.state;
        if !from.leads_to(state) {
            return Err(RegistryError::Transition { from, to: state });
        }
        if metric.removed {
            self.bring_back(id)?;
        }
        if state == State::Active {
            let definition = self.live(key)?.definition.clone();
            let index = self.index_of(id).unwrap_or_default();
            let released = MetricSet { metrics: &self.metrics, order: &self.order };
            if let Some(refusal) = released.forbids_use(&self.engine, (id, index), &definition) {
                return Err(refusal);
            }
        }
        if state == State::Archived {
            self.refuse_if_used(key)?;
        }
        if let Some(metric) = self.metrics.get_mut(&id) {
            metric.state = state;
        }
        Ok(())
    }

    /// Removes a metric, unless others in use depend on it. Its key stays reserved and its versions
    /// are kept; setting the state to draft restores it.
    ///
    /// Drafts and archived metrics that use it keep their meaning: until none does, formulas can name
    /// it.
    pub fn remove(&mut self, key: &str) -> Result<(), RegistryError> {
        let id = self.live(key)?.id;
        self.refuse_if_used(key)?;
        self.refuse_if_in_schema(id)?;
        if let Some(metric) = self.metrics.get_mut(&id) {
            (metric.removed, metric.state) = (true, State::Archived);
        }
        self.withdraw_unused();
        Ok(())
    }

    /// Drops removed metrics that are no longer used from the engine and the graph.
    pub(super) fn withdraw_unused(&mut self) {
        while let Some((index, key)) = self.unused() {
            self.graph.remove(&key).ok();
            self.engine.withdraw(|other| other == index);
            self.order.remove(index);
        }
    }

    /// Returns a removed metric that is in the engine and that none uses.
    fn unused(&self) -> Option<(usize, String)> {
        self.order.iter().enumerate().find_map(|(index, id)| {
            let metric = self.metrics.get(id).filter(|metric| metric.removed)?;
            let key = &metric.definition.key;
            let is_unused = self.graph.users(key).is_ok_and(|users| users.is_empty());
            is_unused.then(|| (index, key.clone()))
        })
    }

    /// Replaces a metric's examples. Of a metric in use, those that it does not have yet must pass.
    pub fn set_examples(&mut self, key: &str, examples: Vec<Example>) -> Result<(), RegistryError> {
        let metric = self.live(key)?;
        let id = metric.id;
        if metric.state.is_in_use() {
            let new = examples.iter().filter(|example| !metric.examples.contains(example));
            let new: Vec<Example> = new.cloned().collect();
            held(&self.engine, &metric.definition.formula, &new)?;
        }
        if let Some(metric) = self.metrics.get_mut(&id) {
            metric.examples = examples;
        }
        Ok(())
    }

    /// Runs every example of a metric.
    pub fn run_examples(&self, key: &str) -> Result<(), RegistryError> {
        let metric = self.live(key)?;
        held(&self.engine, &metric.definition.formula, &metric.examples)
    }

    /// Refuses an edit if formulas of the schema name the metric, since edits of metrics do not
    /// rewrite them.
    pub(super) fn refuse_if_in_schema(&self, id: MetricId) -> Result<(), RegistryError> {
        let index = self.index_of(id);
        let users = index.map(|index| self.engine.columns_using(index)).unwrap_or_default();
        if users.is_empty() {
            return Ok(());
        }
        Err(RegistryError::Used { key: self.key_of(id).to_owned(), users })
    }

    /// Refuses an edit if metrics in use name the metric.
    fn refuse_if_used(&self, key: &str) -> Result<(), RegistryError> {
        let users = self.graph.users(key).unwrap_or_default();
        let users = users.iter().filter_map(|user| self.metric(user.key));
        let users: Vec<String> = users
            .filter(|user| user.state.is_in_use())
            .map(|user| user.definition.key.clone())
            .collect();
        if users.is_empty() {
            return Ok(());
        }
        Err(RegistryError::Used { key: key.to_owned(), users })
    }
}

/// The metrics of a registry with their states and examples.
pub(super) struct MetricSet<'r> {
    pub(super) metrics: &'r BTreeMap<MetricId, RegisteredMetric>,
    /// By index in the engine.
    pub(super) order: &'r [MetricId],
}

impl MetricSet<'_> {
    /// Checks what an edit breaks in metrics in use.
    pub(super) fn speaks_against(
        &self,
        engine: &Engine,
        own: (MetricId, usize),
        definition: &Definition,
    ) -> Option<RegistryError> {
        let is_in_use = self.metrics.get(&own.0).is_some_and(|metric| metric.state.is_in_use());
        if is_in_use { self.forbids_use(engine, own, definition) } else { None }
    }

    /// Returns the reason why a metric may not be in use.
    fn forbids_use(
        &self,
        engine: &Engine,
        (id, index): (MetricId, usize),
        definition: &Definition,
    ) -> Option<RegistryError> {
        let idle: Vec<String> = self
            .used(engine, index)
            .filter(|metric| !metric.state.is_in_use())
            .map(|metric| metric.definition.key.clone())
            .collect();
        if !idle.is_empty() {
            return Some(RegistryError::Inactive(idle));
        }
        let examples = self.metrics.get(&id).map_or(&[][..], |metric| &metric.examples);
        held(engine, &definition.formula, examples).err()
    }

    /// Refuses a formula that begins to use removed metrics.
    pub(super) fn refuse_removed(
        &self,
        engine: &Engine,
        index: usize,
        before: &[MetricId],
    ) -> Option<RegistryError> {
        let removed: Vec<String> = self
            .used(engine, index)
            .filter(|metric| metric.removed && !before.contains(&metric.id))
            .map(|metric| metric.definition.key.clone())
            .collect();
        (!removed.is_empty()).then_some(RegistryError::Inactive(removed))
    }

    /// Returns the metrics that the formula at an index of the engine uses.
    fn used(&self, engine: &Engine, index: usize) -> impl Iterator<Item = &RegisteredMetric> {
        let used = engine.uses(index).into_iter().filter_map(|(index, _)| self.order.get(index));
        used.filter_map(|id| self.metrics.get(id))
    }
}

/// Checks that examples pass for a formula.
#[cfg(feature = "json")]
fn held(engine: &Engine, formula: &str, examples: &[Example]) -> Result<(), RegistryError> {
    use crate::engine::ExampleOutcome;
    let mut failed = Vec::new();
    for (place, example) in examples.iter().enumerate() {
        match engine.run_example(formula, &example.context, &example.expected) {
            ExampleOutcome::Held => {}
            ExampleOutcome::Failed { message, findings } => {
                let found = findings.into_iter().next().map(|finding| finding.message);
                failed.push((place, found.unwrap_or(message)));
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(RegistryError::Examples(failed)) }
}

/// Contexts are JSON, which this build cannot read.
#[cfg(not(feature = "json"))]
fn held(_: &Engine, _: &str, examples: &[Example]) -> Result<(), RegistryError> {
    let unread = |(place, _): (usize, &Example)| (place, "contexts are not read".to_owned());
    let failed: Vec<_> = examples.iter().enumerate().map(unread).collect();
    if failed.is_empty() { Ok(()) } else { Err(RegistryError::Examples(failed)) }
}
