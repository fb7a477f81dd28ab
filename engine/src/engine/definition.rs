//! The meaning of a formula as a hash, which changes only with the meaning.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::{Engine, Formula};
use crate::check::MetricId;
use crate::syntax::canonical;

impl Engine {
    /// Returns the SHA-256, in hexadecimal digits, of a formula's meaning: its canonical text, the
    /// metrics it uses, and the populations and computed columns of the sources they read.
    ///
    /// White space, comments and redundant brackets do not change the hash.
    pub fn definition_hash(&self, formula: &Formula) -> Arc<str> {
        let hash =
            || Arc::from(self.hash(formula.canonical(), &formula.checked.uses, formula.sources()));
        Arc::clone(formula.definition.get_or_init(hash))
    }

    /// Like [`Self::definition_hash`], of a metric.
    pub(crate) fn metric_hash(&self, index: usize) -> Option<String> {
        let id = MetricId(index);
        let checked = self.library.checked(id)?;
        let expr = self.library.entries.get(index)?.expr.as_ref()?;
        let sources = checked.atoms.iter().filter_map(|atom| self.schema.source_at(atom.source));
        let sources: Vec<String> = sources.map(|source| source.name.clone()).collect();
        Some(self.hash(&canonical(expr), &checked.uses, &sources))
    }

    fn hash(&self, text: &str, uses: &[MetricId], sources: &[String]) -> String {
        let mut means = format!("{text}\n");
        let mut lines = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut pending = uses.to_vec();
        while let Some(id) = pending.pop() {
            let Some(entry) = self.library.entries.get(id.0).filter(|_| seen.insert(id)) else {
                continue;
            };
            let text = entry.expr.as_ref().map(canonical).unwrap_or_default();
            lines.insert(format!("metric {} = {text}\n", entry.key.to_lowercase()));
            pending.extend(self.library.checked(id).iter().flat_map(|checked| &checked.uses));
        }
        for population in &self.schema.populations {
            let source = self.schema.source_at(population.source);
            if source.is_some_and(|source| sources.contains(&source.name)) {
                let condition = &population.condition;
                lines.insert(format!("population {} where {condition}\n", population.name));
            }
        }
        for source in self.schema.sources.iter().filter(|source| sources.contains(&source.name)) {
            for field in &source.fields {
                if let Some(formula) = &field.computed {
                    let (source, field) = (&source.name, &field.name);
                    lines.insert(format!("field {source}.{field} = {formula}\n"));
                }
            }
        }
        means.extend(lines);
        let digest = Sha256::digest(means.as_bytes());
        let mut hex = String::new();
        for byte in digest {
            write!(hex, "{byte:02x}").ok();
        }
        hex
    }

    /// Returns whether rows read for this engine mean the same to `other`.
    pub(crate) fn has_sources_of(&self, other: &Self) -> bool {
        let mut pairs = std::iter::zip(&self.schema.sources, &other.schema.sources);
        self.schema.sources.len() == other.schema.sources.len()
            && pairs.all(|(own, other)| format!("{own:?}") == format!("{other:?}"))
    }
}
