//! Rewriting of formulas and examples after a metric that they name was renamed.

use super::parts::single_names;
use super::{Definition, MetricId, Registry};
use crate::diagnostics::{Edit, Suggestion};
use crate::schema::same_name;
use crate::source::Span;
use crate::syntax::Limits;

/// A metric before and after a change of its names.
pub(super) struct MetricNames<'d> {
    pub(super) before: &'d Definition,
    pub(super) after: &'d Definition,
}

impl MetricNames<'_> {
    pub(super) fn are_same(&self) -> bool {
        self.before.key == self.after.key && self.before.title == self.after.title
    }

    /// Returns the reason for rewriting the formulas that name the metric.
    pub(super) fn note(&self) -> String {
        let is_titled = self.before.key == self.after.key;
        let [before, after] = [self.before, self.after]
            .map(|own| own.title.as_ref().filter(|_| is_titled).unwrap_or(&own.key));
        format!("`{before}` renamed to `{after}`")
    }

    /// Returns the replacement of a name, if it changes.
    fn replaced(&self, written: &str) -> Option<String> {
        let bare = bare(written);
        let name = bare.unwrap_or(written).trim();
        let new = if same_name(name, &self.before.key) {
            &self.after.key
        } else {
            let title = self.before.title.as_deref();
            bare.filter(|_| title.is_some_and(|title| same_name(name, title)))?;
            self.after.title.as_ref().unwrap_or(&self.after.key)
        };
        if same_name(name, new) {
            return None;
        }
        Some(if bare.is_some() { format!("[{new}]") } else { new.clone() })
    }
}

/// Returns what is between the brackets of a name that has them.
pub(super) fn bare(written: &str) -> Option<&str> {
    written.strip_prefix('[')?.strip_suffix(']')
}

impl Registry {
    /// Returns the rewritten definitions of the metric's direct users, as far as their text
    /// changes.
    pub(super) fn rewritten_users(&self, names: &MetricNames<'_>) -> Vec<(MetricId, Definition)> {
        if names.are_same() {
            return Vec::new();
        }
        let key = &names.before.key;
        let own = self.metric(key).and_then(|metric| self.index_of(metric.id));
        let users = self.graph.users(key).unwrap_or_default();
        let rewritten = |key: &str| {
            let user = self.metric(key)?;
            let text = &user.definition.formula;
            let references = self.engine.references(self.index_of(user.id)?).into_iter();
            let own = references.filter(|(index, _)| Some(*index) == own);
            let edits: Vec<Edit> = own
                .filter_map(|(_, span)| {
                    Some(Edit { span, text: names.replaced(span.slice(text))? })
                })
                .collect();
            if edits.is_empty() {
                return None;
            }
            let formula = Suggestion::new(edits).apply(text);
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

/// Renames a metric in a context record: `net_sales` and `previous(net_sales)`.
fn rewritten_context(context: &str, from: &str, to: &str) -> String {
    let mut edits = Vec::new();
    for (start, key) in outer_keys(context) {
        let names = single_names(key, &Limits::DEFAULT)
            .into_iter()
            .filter(|(name, _)| same_name(name, from));
        let mut places: Vec<Span> = names.map(|(_, span)| span).collect();
        places.sort_unstable();
        let start = Span::new(start, start).start;
        edits.extend(
            places.into_iter().map(|span| Edit { span: span.shifted(start), text: to.to_owned() }),
        );
    }
    Suggestion::new(edits).apply(context)
}

/// Returns the keys of the outer object, with the offset behind the opening quote. Keys with
/// escapes are omitted, since no name has one.
fn outer_keys(context: &str) -> Vec<(usize, &str)> {
    let mut keys = Vec::new();
    let mut depth = 0_usize;
    let mut open: Option<usize> = None;
    let mut is_escaped = false;
    let mut last: Option<(usize, &str)> = None;
    for (at, character) in context.char_indices() {
        match (open, character) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(start), '"') => {
                open = None;
                let text = context.get(start..at).unwrap_or_default();
                last = Some((start, text)).filter(|_| depth == 1 && !text.contains('\\'));
            }
            (None, '"') => open = Some(at.saturating_add(1)),
            (None, '{' | '[') => depth = depth.saturating_add(1),
            (None, '}' | ']') => depth = depth.saturating_sub(1),
            (None, ':') => keys.extend(last.take()),
            (Some(_) | None, _) => {}
        }
    }
    keys
}
