//! A formula that checked, and what is known of it before it is computed.

use std::sync::{Arc, OnceLock};

use super::Engine;
use crate::check::{
    Additivity, AggregateFunction, AtomUse, Checked, Kind, MetricId, UseKinds, uses_by_kind,
};
use crate::diagnostics::Diagnostic;
use crate::format::FormatRules;
use crate::plan::Hash;
use crate::syntax::{Expr, canonical};
use crate::types::{DeclaredType, Type};

/// What checking a formula gave.
#[derive(Debug, Clone)]
pub struct Validation {
    /// Errors and warnings in order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// The formula, if no error refuses it.
    pub formula: Option<Formula>,
}

/// A formula that checked, to be evaluated any number of times by the engine that compiled it.
#[derive(Debug, Clone)]
pub struct Formula {
    pub(crate) checked: Checked,
    pub(crate) format: FormatRules,
    pub(crate) data_type: Option<DeclaredType>,
    /// The tree, of which the canonical text is made when it is asked for.
    expr: Arc<Expr>,
    canonical: OnceLock<String>,
    metrics: Vec<String>,
    sources: Vec<String>,
    /// Filled when it is first asked for.
    pub(super) definition: OnceLock<Arc<str>>,
}

/// A formula that only names a metric, or some of its rows, is shown as that metric is.
fn shown_as(checked: &Checked) -> Option<MetricId> {
    let mut at = checked.typed.root;
    while let Kind::Scoped { value, .. } = &checked.typed.nodes.get(at.0)?.kind {
        at = *value;
    }
    if let Kind::Metric(id) = &checked.typed.nodes.get(at.0)?.kind { Some(*id) } else { None }
}

impl Formula {
    pub(super) fn new(engine: &Engine, expr: Expr, checked: Checked) -> Self {
        let key = |id: &MetricId| engine.metrics.get(id.0).map(|metric| metric.key.clone());
        let metrics: Vec<String> = checked.uses.iter().filter_map(key).collect();
        let mut sources: Vec<String> = Vec::new();
        for atom in &checked.atoms {
            let name = engine.schema.source_at(atom.source).map(|source| source.name.clone());
            sources.extend(name.filter(|name| !sources.contains(name)));
        }
        let shown = shown_as(&checked).and_then(|id| engine.metrics.get(id.0));
        Self {
            format: shown.map(|metric| metric.format.clone()).unwrap_or_default(),
            data_type: shown.and_then(|metric| metric.data_type),
            expr: Arc::new(expr),
            canonical: OnceLock::new(),
            metrics,
            sources,
            definition: OnceLock::new(),
            checked,
        }
    }

    /// The text as written.
    pub fn text(&self) -> &str {
        &self.checked.typed.text
    }

    /// The canonical text: lower case, least brackets, no comments.
    pub fn canonical(&self) -> &str {
        self.canonical.get_or_init(|| canonical(&self.expr))
    }

    /// What identifies the formula as it is written, without blanks, comments and the case of
    /// names: the same in every process. Formulas of the metrics in it do not count, as in
    /// [`Plan::hash`](crate::plan::Plan::hash).
    pub fn hash(&self) -> Hash {
        Hash::of_formula(self.canonical())
    }

    /// The inferred type with its unit.
    pub fn ty(&self) -> &Type {
        &self.checked.ty
    }

    /// Whether answers of parts add up to that of the whole.
    pub fn additivity(&self) -> Additivity {
        self.checked.additivity
    }

    /// Whether no root, logarithm or fractional power is in it.
    pub fn is_exact(&self) -> bool {
        self.checked.exact
    }

    /// Whether a median or percentile of rows is below it.
    pub(super) fn has_percentile(&self) -> bool {
        let is_one = |atom: &AtomUse| atom.function == AggregateFunction::Percentile;
        self.checked.atoms.iter().any(is_one)
    }

    /// The keys of the metrics it names.
    pub fn metrics(&self) -> &[String] {
        &self.metrics
    }

    /// The metrics it names, with how it uses each.
    pub fn uses(&self) -> Vec<(&str, UseKinds)> {
        let kinds = uses_by_kind(&self.checked.typed);
        let named = self.checked.uses.iter().zip(&self.metrics);
        named
            .map(|(id, key)| (key.as_str(), kinds.get(id).copied().unwrap_or(UseKinds::VALUE)))
            .collect()
    }

    /// The sources whose rows it reads, those of its metrics too.
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    /// Inputs and placeholders it takes from a record, those of its metrics too.
    pub fn inputs(&self) -> &[String] {
        &self.checked.inputs
    }
}
