//! A cache of compiled formulas by their text, for programs that get the same texts again and
//! again.

use std::sync::{Arc, OnceLock};

use moka::sync::Cache;

use super::{Engine, Formula};
use crate::diagnostics::Diagnostic;

/// Limit: nodes of all cached formulas, a few hundred bytes each.
const MAX_CACHED_NODES: u64 = 200_000;

/// Compiled formulas by their text as written.
///
/// Clones of an engine share the cache until one of them changes. The meaning of a text depends on
/// the metrics, so an engine whose metrics change starts an empty cache. It is created on first
/// use: an engine with a hundred metrics would otherwise create and drop a hundred of them.
#[derive(Debug, Clone, Default)]
pub(super) struct CompiledFormulas(Arc<OnceLock<Cache<Arc<str>, Arc<Formula>>>>);

impl CompiledFormulas {
    fn cache(&self) -> &Cache<Arc<str>, Arc<Formula>> {
        self.0.get_or_init(|| {
            let nodes = |_: &Arc<str>, formula: &Arc<Formula>| {
                u32::try_from(formula.checked.typed.nodes.len()).unwrap_or(u32::MAX)
            };
            Cache::builder().max_capacity(MAX_CACHED_NODES).weigher(nodes).build()
        })
    }
}

impl Engine {
    /// Compiles a formula, or returns it from the cache.
    ///
    /// Texts are compared as written: an additional blank makes another text. When the cache is
    /// full, the least recently used formulas are evicted; defining a metric empties it. Refused
    /// texts are not cached.
    ///
    /// # Errors
    /// All errors of the formula and its warnings, as from [`Engine::compile`].
    pub fn compiled(&self, text: &str) -> Result<Arc<Formula>, Vec<Diagnostic>> {
        if let Some(formula) = self.compiled.cache().get(text) {
            return Ok(formula);
        }
        let formula = Arc::new(self.compile(text)?);
        self.compiled.cache().insert(Arc::from(text), Arc::clone(&formula));
        Ok(formula)
    }

    /// Empties the cache after the meaning of names has changed.
    pub(crate) fn forget_compiled(&mut self) {
        self.compiled = CompiledFormulas::default();
        self.no_rows = OnceLock::new();
    }
}
