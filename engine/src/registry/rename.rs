//! Rewriting of formulas after a metric that they name was renamed.

use super::context::rewritten_context;
use super::{Definition, MetricId, Registry};
use crate::diagnostics::{Edit, Suggestion};
use crate::schema::same_name;
use crate::source::Span;

/// The old and the new names of a metric.
pub(super) struct MetricNames {
    key: (String, String),
    title: (Option<String>, Option<String>),
}

impl MetricNames {
    pub(super) fn new(before: &Definition, after: &Definition) -> Self {
        Self {
            key: (before.key.clone(), after.key.clone()),
            title: (before.title.clone(), after.title.clone()),
        }
    }

    fn is_same(&self) -> bool {
        self.key.0 == self.key.1 && self.title.0 == self.title.1
    }

    pub(super) fn before(&self) -> &str {
        let title = self.title.0.as_deref().filter(|_| self.key.0 == self.key.1);
        title.unwrap_or(&self.key.0)
    }

    pub(super) fn after(&self) -> &str {
        let title = self.title.1.as_deref().filter(|_| self.key.0 == self.key.1);
        title.unwrap_or(&self.key.1)
    }

    /// Returns the replacement of a name, if it changes.
    fn replaced(&self, written: &str) -> Option<String> {
        let bare = written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let name = bare.unwrap_or(written).trim();
        let new = if same_name(name, &self.key.0) {
            self.key.1.clone()
        } else {
            let was_title = self.title.0.as_deref().is_some_and(|title| same_name(name, title));
            bare.filter(|_| was_title)?;
            self.title.1.clone().unwrap_or_else(|| self.key.1.clone())
        };
        if same_name(name, &new) {
            return None;
        }
        Some(if bare.is_some() { format!("[{new}]") } else { new })
    }
}

/// Rewrites the references to a metric in a text; `None` if none changes.
pub(super) fn rewritten(text: &str, places: &[Span], names: &MetricNames) -> Option<String> {
    let edits: Vec<Edit> = places
        .iter()
        .filter_map(|span| Some(Edit { span: *span, text: names.replaced(span.slice(text))? }))
        .collect();
    (!edits.is_empty()).then(|| Suggestion::new(edits).apply(text))
}

impl Registry {
    /// Returns the rewritten definitions of the metric's direct users, as far as their text
    /// changes.
    pub(super) fn rewritten_users(
        &self,
        key: &str,
        names: &MetricNames,
    ) -> Vec<(MetricId, Definition)> {
        if names.is_same() {
            return Vec::new();
        }
        let own = self.metric(key).and_then(|metric| self.index_of(metric.id));
        let users = self.graph.users(key).unwrap_or_default();
        let rewritten = |key: &str| {
            let user = self.metric(key)?;
            let references = self.engine.references(self.index_of(user.id)?);
            let places: Vec<Span> = references
                .into_iter()
                .filter(|(index, _)| Some(*index) == own)
                .map(|(_, span)| span)
                .collect();
            let formula = rewritten(&user.definition.formula, &places, names)?;
            Some((user.id, Definition { formula, ..user.definition.clone() }))
        };
        users.iter().filter_map(|user| rewritten(user.key)).collect()
    }

    /// Renames a metric's key in the examples of its dependents.
    pub(super) fn rename_in_examples(&mut self, from: &str, to: &str) {
        let dependents = self.graph.dependents(to).unwrap_or_default();
        let ids: Vec<MetricId> = dependents
            .iter()
            .filter_map(|reached| self.metric(reached.key))
            .map(|metric| metric.id)
            .collect();
        for id in ids {
            for example in
                self.metrics.get_mut(&id).into_iter().flat_map(|metric| &mut metric.examples)
            {
                example.context = rewritten_context(&example.context, from, to);
            }
        }
    }
}
