//! Adding and changing definitions.

use std::sync::Arc;

use super::contents::as_metric;
use super::lifecycle::MetricSet;
use super::parts::{hash_of, is_name, single_names};
use super::rename::MetricNames;
use super::{
    Definition, Edit, Example, MetricId, Reference, RegisteredMetric, Registry, RegistryError,
    Signed, State, Version,
};
use crate::diagnostics::{Code, Diagnostic};
use crate::engine::{Broken, Engine, Revision};
use crate::graph::GraphError;
use crate::plan::Hash;
use crate::schema::same_name;
use crate::syntax::{canonical, parse};

/// A prepared change, not yet applied.
struct PlannedEdit {
    id: MetricId,
    definition: Definition,
    signed: Signed,
    restored_from: Option<u32>,
}

impl Registry {
    /// Adds a metric as a draft.
    pub fn define(
        &mut self,
        definition: Definition,
        signed: &Signed,
    ) -> Result<MetricId, RegistryError> {
        let id = self.next_id();
        self.check_names(id, &definition)?;
        let revision = Revision { index: None, metric: as_metric(&definition) };
        let others = MetricSet { metrics: &self.metrics, order: &self.order };
        let (own_index, mut refusal) = (self.order.len(), None);
        let outcome = self.engine.revise(vec![revision], &[], |engine| {
            refusal = others.refuse_removed(engine, own_index, &[]);
            refusal.is_none()
        });
        outcome
            .map_err(|broken| refusal.unwrap_or_else(|| self.refusal(id, &definition, broken)))?;
        self.insert_draft(definition, Vec::new());
        self.enter(id);
        self.add_version(id, signed.clone(), None);
        Ok(id)
    }

    fn next_id(&self) -> MetricId {
        MetricId(self.last_id.saturating_add(1))
    }

    /// Adds a metric that the engine has already, without a version.
    pub(super) fn insert_draft(&mut self, definition: Definition, examples: Vec<Example>) {
        let id = self.next_id();
        self.last_id = id.0;
        self.order.push(id);
        self.by_key.insert(definition.key.to_lowercase(), id);
        let (state, removed, versions) = (State::Draft, false, Vec::new());
        let metric = RegisteredMetric { id, definition, state, removed, examples, versions };
        self.metrics.insert(id, metric);
    }

    /// Changes a metric's definition. If its key or title changes, the formulas that name it are
    /// rewritten, with comments and layout kept.
    ///
    /// Creates a version if the meaning of the formula or any other property changed; blanks,
    /// comments and case do not count. The examples of a metric in use must still pass.
    pub fn edit(
        &mut self,
        key: &str,
        change: impl FnOnce(&mut Definition),
        signed: &Signed,
    ) -> Result<Edit, RegistryError> {
        let metric = self.live(key)?;
        let mut definition = metric.definition.clone();
        change(&mut definition);
        self.put(metric.id, definition, signed, None)
    }

    /// Changes the key of a metric. The metric keeps its id, and the formulas that use it are
    /// rewritten.
    pub fn rename(&mut self, key: &str, to: &str, signed: &Signed) -> Result<Edit, RegistryError> {
        let change = |definition: &mut Definition| to.clone_into(&mut definition.key);
        self.edit(key, change, signed)
    }

    /// Replaces the definition of a metric.
    pub(super) fn put(
        &mut self,
        id: MetricId,
        definition: Definition,
        signed: &Signed,
        restored_from: Option<u32>,
    ) -> Result<Edit, RegistryError> {
        let Some(metric) = self.metrics.get(&id) else {
            return Err(RegistryError::Unknown(definition.key));
        };
        let before = metric.definition.clone();
        self.check_names(id, &definition)?;
        let names = MetricNames { before: &before, after: &definition };
        if !names.are_same() {
            self.refuse_if_in_schema(id)?;
        }
        let users = self.rewritten_users(&names);
        let note = names.note();
        let hash = |formula: &str| hash_of(formula, self.engine.limits());
        let means_other = hash(&before.formula) != hash(&definition.formula);
        let is_other = means_other || before.data_type != definition.data_type;
        let affected =
            if is_other || !users.is_empty() { self.affected(&before.key) } else { Vec::new() };
        let mut planned =
            vec![PlannedEdit { id, definition, signed: signed.clone(), restored_from }];
        planned.extend(users.into_iter().map(|(id, definition)| PlannedEdit {
            id,
            definition,
            signed: signed.note(note.as_str()),
            restored_from: None,
        }));
        let warnings = self.revise(&planned, &affected)?;
        let rewritten: Vec<MetricId> = planned.iter().skip(1).map(|planned| planned.id).collect();
        let mut versions = Vec::with_capacity(planned.len());
        for PlannedEdit { id, definition, signed, restored_from } in planned {
            self.settle(id, definition);
            versions.push(self.add_version(id, signed, restored_from));
        }
        let version = versions.first().copied().flatten();
        self.withdraw_unused();
        let key = self.key_of(id).to_owned();
        if key != before.key {
            self.rename_in_examples(&before.key, &key);
        }
        let rewritten = rewritten.iter().map(|id| self.key_of(*id).to_owned()).collect();
        Ok(Edit { id, version, rewritten, warnings })
    }

    /// Changes the engine, or returns the refusal.
    fn revise(
        &mut self,
        planned: &[PlannedEdit],
        affected: &[usize],
    ) -> Result<Vec<Diagnostic>, RegistryError> {
        let Some(own) = planned.first() else { return Ok(Vec::new()) };
        let indices: Vec<Option<usize>> =
            planned.iter().map(|change| self.index_of(change.id)).collect();
        let revisions = planned.iter().zip(&indices).map(|(change, index)| Revision {
            index: *index,
            metric: as_metric(&change.definition),
        });
        let revisions: Vec<Revision> = revisions.collect();
        let users: Vec<(usize, Vec<usize>)> = indices
            .iter()
            .skip(1)
            .flatten()
            .map(|index| (*index, named(&self.engine, *index)))
            .collect();
        let own_index = indices.first().copied().flatten();
        let used: Vec<usize> =
            own_index.map(|index| named(&self.engine, index)).unwrap_or_default();
        let used: Vec<MetricId> =
            used.into_iter().filter_map(|index| self.order.get(index).copied()).collect();
        let mut refusal = None;
        let released = MetricSet { metrics: &self.metrics, order: &self.order };
        let outcome = self.engine.revise(revisions, affected, |engine| {
            let captured = users.iter().find(|(index, before)| named(engine, *index) != *before);
            refusal = match captured {
                Some((index, _)) => {
                    let key = engine.metrics().get(*index).map(|metric| metric.key.clone());
                    Some(RegistryError::Captured(key.unwrap_or_default()))
                }
                None => own_index.and_then(|index| {
                    let refused = released.refuse_removed(engine, index, &used);
                    refused.or_else(|| {
                        released.speaks_against(engine, (own.id, index), &own.definition)
                    })
                }),
            };
            refusal.is_none()
        });
        match (outcome, refusal) {
            (Ok(warnings), _) => Ok(warnings),
            (Err(_), Some(refusal)) => Err(refusal),
            (Err(broken), None) => Err(self.refusal(own.id, &own.definition, broken)),
        }
    }

    /// Updates names and uses after an edit.
    fn settle(&mut self, id: MetricId, definition: Definition) {
        let before = self.key_of(id).to_owned();
        self.by_key.remove(&before.to_lowercase());
        self.by_key.insert(definition.key.to_lowercase(), id);
        self.graph.rename(&before, &definition.key).ok();
        if let Some(metric) = self.metrics.get_mut(&id) {
            metric.definition = definition;
        }
        self.enter(id);
    }

    /// Enters a metric with its uses into the graph.
    pub(super) fn enter(&mut self, id: MetricId) {
        let key = self.key_of(id).to_owned();
        let uses = self.uses_of(id);
        let uses: Vec<_> = uses.iter().map(|(key, kinds)| (key.as_str(), *kinds)).collect();
        let entered = if self.graph.contains(&key) {
            self.graph.replace(&key, &uses)
        } else {
            self.graph.insert(&key, &uses)
        };
        // It is accepted, since the check has found no cycle.
        entered.ok();
    }

    /// Creates a version from the current definition, if it differs in meaning from the last one.
    pub(super) fn add_version(
        &mut self,
        id: MetricId,
        signed: Signed,
        restored_from: Option<u32>,
    ) -> Option<u32> {
        let definition = self.metrics.get(&id)?.definition.clone();
        let index = self.index_of(id)?;
        let references = self.engine.references(index).into_iter().filter_map(|(index, span)| {
            let metric = *self.order.get(index)?;
            Some(Reference { metric, start: span.start, end: span.end })
        });
        let references = references.collect();
        let (ty, inputs) = self.engine.type_and_inputs(index)?;
        let (ty, inputs) = (ty.to_string(), inputs.to_vec());
        let expr = parse(&definition.formula, self.engine.limits()).expr?;
        let canonical = canonical(&expr);
        let hash = Hash::of_formula(&canonical);
        let metric = self.metrics.get_mut(&id)?;
        let is_same = metric.versions.last().is_some_and(|last| {
            let formula = definition.formula.clone();
            last.hash == hash && Definition { formula, ..last.definition.clone() } == definition
        });
        if is_same && restored_from.is_none() {
            return None;
        }
        let number = metric.versions.last().map_or(0, |last| last.number).saturating_add(1);
        metric.versions.push(Arc::new(Version {
            number,
            definition,
            canonical,
            hash,
            ty,
            inputs,
            references,
            signed,
            restored_from,
        }));
        Some(number)
    }

    /// Checks that the names of a definition are valid and free.
    fn check_names(&self, id: MetricId, definition: &Definition) -> Result<(), RegistryError> {
        let key = &definition.key;
        if !is_name(key) {
            return Err(RegistryError::Key(key.clone()));
        }
        let taken =
            |name: &str, by: String| Err(RegistryError::Taken { name: name.to_owned(), by });
        if let Some(by) = self.engine.reserved(key) {
            return taken(key, by.to_owned());
        }
        if self.metric(key).is_some_and(|metric| metric.id != id) {
            return taken(key, "a metric".to_owned());
        }
        let Some(title) = &definition.title else { return Ok(()) };
        let same = |metric: &&RegisteredMetric| {
            metric.id != id
                && metric.definition.title.as_ref().is_some_and(|own| same_name(own, title))
        };
        match self.metrics.values().find(same) {
            Some(other) => taken(title, format!("the title of `{}`", other.definition.key)),
            None => Ok(()),
        }
    }

    /// Converts findings of the engine to a refusal.
    fn refusal(&self, own: MetricId, definition: &Definition, broken: Broken) -> RegistryError {
        let is_cycle = |finding: &Diagnostic| finding.code == Code::E601;
        if broken.metrics.iter().any(|(_, findings)| findings.iter().any(is_cycle))
            && let Some(cycle) = self.cycle(definition)
        {
            return RegistryError::Formula(vec![cycle]);
        }
        let is_own = |index: usize| self.order.get(index).is_none_or(|id| *id == own);
        let mut others = Vec::new();
        for (index, findings) in broken.metrics {
            if is_own(index) {
                return RegistryError::Formula(findings);
            }
            let id = self.order.get(index).copied().unwrap_or(own);
            others.push((self.key_of(id).to_owned(), findings));
        }
        others.extend(broken.columns);
        RegistryError::Breaks(others)
    }
}

impl Registry {
    /// Returns the keys on the cycle that a formula would close as that of a metric, which is the
    /// first and the last of them; `None` if there is none.
    pub fn closed_cycle(&self, key: &str, formula: &str) -> Option<Vec<String>> {
        let named = single_names(formula, self.engine.limits());
        let known = |name: &str| self.live(name).ok().map(|metric| metric.definition.key.as_str());
        let keys: Vec<&str> = named.iter().filter_map(|(name, _)| known(name)).collect();
        match self.graph.check(key, &keys) {
            Err(GraphError::Cycle(way)) => Some(way),
            Ok(()) | Err(_) => None,
        }
    }

    /// Reports the cycle that a formula closes, starting at its own metric; each metric of a cycle
    /// reports it from its own place.
    fn cycle(&self, definition: &Definition) -> Option<Diagnostic> {
        let way = self.closed_cycle(&definition.key, &definition.formula)?;
        let next = way.get(1)?;
        let named = single_names(&definition.formula, self.engine.limits());
        let span = named.iter().find(|(name, _)| same_name(name, next)).map(|(_, span)| *span);
        let message = format!("it would use itself: {}", way.join(" → "));
        Some(
            Diagnostic::new(Code::E601, span.unwrap_or_default(), message)
                .help("take one of these uses out"),
        )
    }
}

/// Returns the metrics that a metric's formula names, in order of place.
fn named(engine: &Engine, index: usize) -> Vec<usize> {
    engine.references(index).into_iter().map(|(index, _)| index).collect()
}
