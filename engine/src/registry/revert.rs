//! Rollback to earlier versions, and restoring removed metrics.

use std::sync::Arc;

use super::contents::as_metric;
use super::rename::bare;
use super::{
    Definition, Difference, Edit, MetricId, Reference, Registry, RegistryError, Signed, Version,
};
use crate::diagnostics::{Edit as TextEdit, Suggestion};
use crate::engine::Revision;
use crate::schema::same_name;

impl Registry {
    /// Creates a version with the definition of an earlier one. The key stays, and renamed metrics
    /// appear under their current names.
    pub fn rollback(
        &mut self,
        key: &str,
        number: u32,
        signed: &Signed,
    ) -> Result<Edit, RegistryError> {
        let metric = self.live(key)?;
        let (id, key) = (metric.id, metric.definition.key.clone());
        let version = self.version(&key, number)?;
        let formula = self.with_names_of_today(version);
        let definition = Definition { key, formula, ..version.definition.clone() };
        self.put(id, definition, signed, Some(number))
    }

    /// Returns a version of a metric.
    pub fn version(&self, key: &str, number: u32) -> Result<&Version, RegistryError> {
        let metric = self.metric(key).ok_or_else(|| RegistryError::Unknown(key.to_owned()))?;
        let found = metric.versions.iter().find(|version| version.number == number);
        found
            .map(Arc::as_ref)
            .ok_or_else(|| RegistryError::NoVersion { key: key.to_owned(), number })
    }

    /// Returns the difference between two versions of a metric.
    pub fn difference(
        &self,
        key: &str,
        (before, after): (u32, u32),
    ) -> Result<Difference, RegistryError> {
        Ok(Difference::between(self.version(key, before)?, self.version(key, after)?))
    }

    /// Returns a version's formula with the current names of its metrics.
    fn with_names_of_today(&self, version: &Version) -> String {
        let text = &version.definition.formula;
        let edit = |reference: &Reference| {
            let metric = self.metrics.get(&reference.metric)?;
            let span = reference.span();
            let written = span.slice(text);
            let bare = bare(written);
            let title = metric.definition.title.as_deref();
            let is_titled = |name: &str| title.is_some_and(|title| same_name(name.trim(), title));
            let is_named = same_name(bare.unwrap_or(written).trim(), &metric.definition.key);
            if is_named || bare.is_some_and(is_titled) {
                return None;
            }
            Some(TextEdit { span, text: metric.definition.key.clone() })
        };
        let edits: Vec<TextEdit> = version.references.iter().filter_map(edit).collect();
        Suggestion::new(edits).apply(text)
    }

    /// Returns a removed metric to the engine and the graph.
    pub(super) fn bring_back(&mut self, id: MetricId) -> Result<(), RegistryError> {
        if self.index_of(id).is_some() {
            // Drafts kept it in the engine.
            if let Some(metric) = self.metrics.get_mut(&id) {
                metric.removed = false;
            }
            return Ok(());
        }
        let Some(metric) = self.metrics.get(&id) else { return Ok(()) };
        let formula = match metric.versions.last() {
            Some(last) if last.definition.formula == metric.definition.formula => {
                self.with_names_of_today(last)
            }
            Some(_) | None => metric.definition.formula.clone(),
        };
        let definition = Definition { formula, ..metric.definition.clone() };
        let revision = Revision { index: None, metric: as_metric(&definition) };
        self.engine.revise(vec![revision], &[], |_| true).map_err(|broken| {
            let findings = broken.metrics.into_iter().flat_map(|(_, findings)| findings);
            RegistryError::Formula(findings.collect())
        })?;
        self.order.push(id);
        if let Some(metric) = self.metrics.get_mut(&id) {
            metric.removed = false;
            metric.definition = definition;
        }
        self.enter(id);
        Ok(())
    }
}
