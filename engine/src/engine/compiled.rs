//! Compiled formulas kept by their text, for programs that get formulas as text again and again.

use std::sync::Arc;

use moka::sync::Cache;

use super::{Engine, Formula};
use crate::diagnostics::Diagnostic;

/// Limit: nodes of all formulas kept, a few hundred bytes each.
const MAX_KEPT_NODES: u64 = 200_000;

/// Formulas that checked, by their text as written.
///
/// Engines that were cloned share it until one of them changes: what a text means depends on the
/// metrics there are, so whoever changes them begins with an empty one.
#[derive(Debug, Clone)]
pub(super) struct CompiledFormulas(Cache<Arc<str>, Arc<Formula>>);

impl Default for CompiledFormulas {
    fn default() -> Self {
        let nodes = |_: &Arc<str>, formula: &Arc<Formula>| {
            u32::try_from(formula.checked.typed.nodes.len()).unwrap_or(u32::MAX)
        };
        Self(Cache::builder().max_capacity(MAX_KEPT_NODES).weigher(nodes).build())
    }
}

impl Engine {
    /// The compiled formula of a text, compiled only the first time the text is met.
    ///
    /// Texts are told apart as written: another blank is another text. Those used least go first
    /// when too many are kept, and all of them when a metric is defined. Texts that are refused
    /// are not kept.
    ///
    /// # Errors
    /// Everything that refuses the formula, with the warnings beside it, as [`Engine::compile`].
    pub fn compiled(&self, text: &str) -> Result<Arc<Formula>, Vec<Diagnostic>> {
        if let Some(formula) = self.compiled.0.get(text) {
            return Ok(formula);
        }
        let formula = Arc::new(self.compile(text)?);
        self.compiled.0.insert(Arc::from(text), Arc::clone(&formula));
        Ok(formula)
    }

    /// Forgets the formulas kept by text, as what their names mean has changed.
    pub(crate) fn forget_compiled(&mut self) {
        self.compiled = CompiledFormulas::default();
    }
}
