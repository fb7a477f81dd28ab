//! The meaning of a formula as a hash, which changes only with the meaning.

#![expect(clippy::wildcard_enum_match_arm, reason = "most kinds of node name no source")]

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Engine, Formula};
use crate::check::{Kind, Level, MetricId, Typed, TypedNode};
use crate::plan::Hash;
use crate::schema::{LinkId, SourceId};
use crate::syntax::canonical;

impl Engine {
    /// Returns the SHA-256, in hexadecimal digits, of a formula's meaning: its canonical text, the
    /// metrics it uses, and the populations and computed columns of the sources they read.
    ///
    /// White space, comments and redundant brackets do not change the hash.
    pub fn definition_hash(&self, formula: &Formula) -> Arc<str> {
        let hash = || Arc::from(self.hash(formula.canonical(), &formula.checked.typed));
        Arc::clone(formula.definition.get_or_init(hash))
    }

    /// Like [`Self::definition_hash`], of a metric.
    pub(crate) fn metric_hash(&self, index: usize) -> Option<String> {
        let checked = self.library.checked(MetricId(index))?;
        let expr = self.library.entries.get(index)?.expr.as_ref()?;
        Some(self.hash(&canonical(expr), &checked.typed))
    }

    fn hash(&self, text: &str, typed: &Typed) -> String {
        let mut means = format!("{text}\n");
        let mut lines = BTreeSet::new();
        let (metrics, sources) = self.reads(typed);
        for entry in metrics.iter().filter_map(|id| self.library.entry(*id)) {
            let text = entry.expr.as_ref().map(canonical).unwrap_or_default();
            lines.insert(format!("metric {} = {text}\n", entry.key.to_lowercase()));
        }
        for population in &self.schema.populations {
            if sources.contains(&population.source) {
                let condition = &population.condition;
                lines.insert(format!("population {} where {condition}\n", population.name));
            }
        }
        for source in sources.iter().filter_map(|id| self.schema.source_at(*id)) {
            for field in &source.fields {
                if let Some(formula) = &field.computed {
                    let (source, field) = (&source.name, &field.name);
                    lines.insert(format!("field {source}.{field} = {formula}\n"));
                }
            }
        }
        means.extend(lines);
        Hash::of_text(&means).to_string()
    }

    /// Returns the metrics and the sources that a formula is computed from, also through links and computed columns.
    fn reads(&self, typed: &Typed) -> (BTreeSet<MetricId>, BTreeSet<SourceId>) {
        let (mut metrics, mut sources) = (BTreeSet::new(), BTreeSet::new());
        let mut pending = vec![typed];
        while let Some(typed) = pending.pop() {
            for node in &typed.nodes {
                if let Kind::Metric(id) = node.kind
                    && metrics.insert(id)
                {
                    pending.extend(self.library.checked(id).map(|checked| &checked.typed));
                }
                let mut found = Vec::new();
                for (source, links) in columns(node) {
                    let ways = (0..=links.len()).filter_map(|count| links.get(..count));
                    found.extend(ways.filter_map(|way| self.schema.target(source, way)));
                }
                while let Some(source) = found.pop() {
                    if sources.insert(source) {
                        // The rows of a derived source come from those of another.
                        let table = self.schema.source_at(source);
                        found.extend(table.and_then(|table| table.derived_from).map(|(of, _)| of));
                        let own = self.computed.iter().filter(|column| column.source == source);
                        pending.extend(own.map(|column| &column.typed));
                    }
                }
            }
        }
        (metrics, sources)
    }

    /// Returns whether rows read for this engine mean the same to `other`.
    pub(crate) fn has_sources_of(&self, other: &Self) -> bool {
        let mut pairs = std::iter::zip(&self.schema.sources, &other.schema.sources);
        self.schema.sources.len() == other.schema.sources.len()
            && pairs.all(|(own, other)| format!("{own:?}") == format!("{other:?}"))
    }
}

/// Returns the sources that a node names, each with the links that are followed from it.
fn columns(node: &TypedNode) -> Vec<(SourceId, &[LinkId])> {
    let keys = match &node.kind {
        Kind::Atom(atom) => {
            let links = atom.date.as_ref().map_or(&[][..], |date| &date.links);
            return vec![(atom.source, links)];
        }
        Kind::Column(path) => {
            let Level::Row(source) = node.level else { return Vec::new() };
            return vec![(source, &path.links)];
        }
        Kind::Per(per) => per.keys.as_slice(),
        Kind::Total { keep, .. } => keep,
        Kind::Rank { by: Some(key), .. } => std::slice::from_ref(key),
        _ => &[],
    };
    let columns = keys.iter().flat_map(|key| &key.columns);
    columns.map(|(source, path)| (*source, path.links.as_slice())).collect()
}
