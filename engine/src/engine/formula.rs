//! A checked formula and its static properties.

use std::sync::{Arc, OnceLock};

use super::Engine;
use crate::check::{
    Additivity, AggregateFunction, AtomUse, Checked, Kind, MetricId, UseKinds, uses_by_kind,
};
use crate::diagnostics::Diagnostic;
use crate::format::FormatRules;
use crate::plan::Hash;
use crate::syntax::{Expr, Limits, Token, TokenKind, canonical, tokens};
use crate::types::{DeclaredType, Type};

/// The limits for texts that were within those of their engine, or are parsed within them later.
pub(super) const ALL_TOKENS: Limits = Limits { max_tokens: usize::MAX, ..Limits::DEFAULT };

/// The result of checking a formula.
#[derive(Debug, Clone)]
pub struct Validation {
    /// Errors and warnings, in order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// The formula, unless it has errors.
    pub formula: Option<Formula>,
}

/// A checked formula. The engine that compiled it can evaluate it any number of times.
#[derive(Debug, Clone)]
pub struct Formula {
    pub(crate) checked: Checked,
    pub(crate) format: FormatRules,
    pub(crate) data_type: Option<DeclaredType>,
    /// The tree, from which the canonical text is printed on demand.
    expr: Arc<Expr>,
    canonical: OnceLock<String>,
    metrics: Vec<String>,
    sources: Vec<String>,
    /// Computed on first use.
    pub(super) definition: OnceLock<Arc<str>>,
}

/// Returns the metric whose format applies: a formula that only names a metric, or a part of its
/// rows, is formatted like it.
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
        let sources = checked.sources.iter().filter_map(|id| engine.schema.source_at(*id));
        let sources = sources.map(|source| source.name.clone()).collect();
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

    /// Returns the text as written.
    pub fn text(&self) -> &str {
        &self.checked.typed.text
    }

    /// Returns where the expression starts, after an `=` or the `let` lines.
    pub(super) fn expression_start(&self) -> usize {
        let tokens = tokens(self.text(), &ALL_TOKENS);
        let is_sign = |token: &&Token| token.span.slice(self.text()) == "=";
        let last_let = tokens.iter().rfind(|token| token.kind == TokenKind::Semicolon);
        let before = last_let.or_else(|| tokens.first().filter(is_sign));
        before.map_or(0, |token| token.span.range().end)
    }

    /// Returns the canonical text: lower case, minimal brackets, no comments.
    pub fn canonical(&self) -> &str {
        self.canonical.get_or_init(|| canonical(&self.expr))
    }

    /// Returns a hash of the formula as written, without blanks, comments and the case of names. It
    /// is the same in every process. The formulas of its metrics are not included, as in
    /// [`Plan::hash`](crate::plan::Plan::hash).
    pub fn hash(&self) -> Hash {
        Hash::of_formula(self.canonical())
    }

    /// Returns the inferred type with its unit.
    pub fn ty(&self) -> &Type {
        &self.checked.ty
    }

    /// Returns whether the answers of parts add up to that of the whole.
    pub fn additivity(&self) -> Additivity {
        self.checked.additivity
    }

    /// Returns true if the formula contains no root, logarithm or fractional power.
    pub fn is_exact(&self) -> bool {
        self.checked.exact
    }

    /// Returns true if the answers of the formula, or of a metric it uses, can change with the present after the period
    /// has ended: through `now()` and `today()`, or a window that reaches further.
    pub fn knows_present(&self) -> bool {
        self.checked.typed.knows_present
    }

    /// Returns whether the formula contains a median or percentile of rows.
    pub(super) fn has_percentile(&self) -> bool {
        let is_one = |atom: &AtomUse| atom.function == AggregateFunction::Percentile;
        self.checked.atoms.iter().any(is_one)
    }

    /// Returns the keys of the metrics that the formula names.
    pub fn metrics(&self) -> &[String] {
        &self.metrics
    }

    /// Returns the metrics that the formula names, with the kinds of use.
    pub fn uses(&self) -> Vec<(&str, UseKinds)> {
        let kinds = uses_by_kind(&self.checked.typed);
        let named = self.checked.uses.iter().zip(&self.metrics);
        named
            .map(|(id, key)| (key.as_str(), kinds.get(id).copied().unwrap_or(UseKinds::VALUE)))
            .collect()
    }

    /// Returns the sources whose rows the formula and its metrics aggregate: first those that its answer is made of,
    /// then those that are aggregated only inside rows, such as `items` in `count(orders where count(items) > 2)`.
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    /// Returns the inputs and placeholders that the formula and its metrics take from a record.
    pub fn inputs(&self) -> &[String] {
        &self.checked.inputs
    }
}
