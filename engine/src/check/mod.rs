//! Checking turns a syntax tree into a checked formula, with names, levels, units, additivity,
//! populations and bases resolved.
//!
//! After this step, evaluation cannot meet a wrong type, only a missing value with its reason. All
//! findings are collected. Names are resolved before types, so that a misspelt function does not
//! draw a complaint about its argument. Start at `Environment::check`.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "most kinds of node do not matter to one question about a formula"
)]

mod additivity;
mod aggregates;
mod arithmetic;
mod bases;
mod buckets;
mod calls;
mod checker;
mod clauses;
mod comparisons;
mod conditions;
mod currency_origin;
mod describe;
mod facts;
mod fingerprint;
mod holes;
mod meaning;
mod measures;
mod metrics;
mod names;
mod populations;
mod rows;
mod scoped;
mod shape;
mod specials;
mod time;
mod typed;
mod units;
mod unknown;
mod uses;
mod weighted;
mod windows;

pub use additivity::Additivity;
pub(crate) use currency_origin::CurrencyOrigin;
pub(crate) use facts::{DataUse, Shape};
pub(crate) use fingerprint::fingerprint;
pub(crate) use meaning::digest;
pub(crate) use metrics::{Entry, Metrics, PopulationText, State};
pub(crate) use populations::{AtomUse, all_sources_below};
pub use typed::AggregateFunction;
pub(crate) use typed::{
    Arithmetic, Atom, BucketWindow, Comparison, Key, Kind, Level, MetricId, NodeId, Per,
    PeriodPart, RowKey, Typed, TypedNode, Window, children, descend, descend_in_row, is_operation,
};

use crate::diagnostics::{Code, Diagnostic, in_order};
use crate::schema::{Schema, SourceId};
use crate::syntax::{Expr, Limits};
use crate::types::{Bases, DeclaredType, Type};
use checker::{Checker, Scope, Whole};
pub use uses::UseKinds;
pub(crate) use uses::uses_by_kind;

/// The environment of a check: schema, metrics, limits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Environment<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) metrics: &'a Metrics,
    pub(crate) limits: &'a Limits,
    /// The key under which the formula is saved, if any; a use of it in the formula is a cycle.
    pub(crate) own_key: Option<&'a str>,
    /// The declared type of the formula, which restricts the names that fit a hole.
    pub(crate) declared: Option<DeclaredType>,
    /// How many findings there are about other formulas that are checked together with this one.
    pub(crate) findings_before: usize,
}

/// A checked formula.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    pub(crate) typed: Typed,
    pub(crate) ty: Type,
    pub(crate) additivity: Additivity,
    pub(crate) bases: Bases,
    pub(crate) exact: bool,
    /// The atoms of the formula and of the metrics it uses.
    pub(crate) atoms: Vec<AtomUse>,
    /// The sources of the atoms, in their order, then those that are aggregated only inside rows.
    pub(crate) sources: Vec<SourceId>,
    /// The metrics that it names.
    pub(crate) uses: Vec<MetricId>,
    /// The inputs and placeholders of the formula and of the metrics it uses.
    pub(crate) inputs: Vec<String>,
    /// Levels of nesting, counted through the metrics it uses.
    pub(crate) nesting: usize,
}

/// The result of a check.
#[derive(Debug)]
pub(crate) struct Report {
    /// The checked formula, unless it has errors.
    pub(crate) checked: Option<Checked>,
    pub(crate) findings: Vec<Diagnostic>,
    /// Metrics that must be checked first; if there are any, the rest of the report is void.
    pub(crate) needs: Vec<MetricId>,
}

impl Environment<'_> {
    /// Checks a formula with one value for each period and group.
    pub(crate) fn check(&self, expr: &Expr, text: &str) -> Report {
        let report = self.check_in(expr, text, Scope::Whole(Whole::default()), None);
        holes::answer(self, expr, text, report)
    }

    /// Checks the formula of a computed field, or the condition of a population.
    pub(crate) fn check_row(&self, expr: &Expr, text: &str, source: SourceId) -> Report {
        self.check_in(expr, text, Scope::Row(source), None).0
    }

    /// Resolves a grouping key, by a dimension's name or a path, to a column for each of these
    /// sources.
    pub(crate) fn group_key(
        &self,
        name: &str,
        sources: &[SourceId],
    ) -> Result<Key, Vec<Diagnostic>> {
        let expr = Expr::default();
        let mut checker = Checker::new(self, &expr, name);
        let mut at = 0_usize;
        let mut path = Vec::new();
        for part in name.split('.') {
            let span = crate::source::Span::new(at, at.saturating_add(part.len()));
            path.push(crate::syntax::Ident { name: part.trim().into(), bracketed: false, span });
            at = at.saturating_add(part.len()).saturating_add(1);
        }
        let key = checker.key_for(&path, sources);
        key.ok_or(checker.findings)
    }

    /// Checks an expression of rows as a grouping key of these sources.
    pub(crate) fn group_expression(
        &self,
        expr: &Expr,
        text: &str,
        sources: &[SourceId],
    ) -> Result<RowKey, Vec<Diagnostic>> {
        let mut checker = Checker::new(self, expr, text);
        match checker.key_expression(sources) {
            Some(key) if checker.findings.is_empty() => Ok(key),
            Some(_) | None => Err(checker.findings),
        }
    }

    fn check_in(
        &self,
        expr: &Expr,
        text: &str,
        scope: Scope,
        hole: Option<&str>,
    ) -> (Report, Vec<crate::source::Span>) {
        let mut walk = Checker::new(self, expr, text);
        walk.hole = hole;
        let outcome = walk.formula(scope);
        let Checker { findings, needs, holes: open, .. } = walk;
        let mut report = Report { checked: None, findings, needs };
        let refused = report.findings.iter().any(Diagnostic::is_error);
        if let Some(typed) = outcome.filter(|_| !refused && report.needs.is_empty()) {
            let checked = self.summarise(typed, &mut report.findings);
            report.checked = checked.filter(|_| !report.findings.iter().any(Diagnostic::is_error));
        }
        report.findings = in_order(report.findings);
        (report, open)
    }

    /// Infers the properties of the whole formula and runs the lints over it.
    fn summarise(&self, typed: Typed, findings: &mut Vec<Diagnostic>) -> Option<Checked> {
        let bases = bases::bases(&typed, self, findings);
        let additivity = additivity::additivity(&typed, self);
        let whole = crate::source::Span::new(0, typed.text.len());
        let Some(atoms) = populations::atoms(&typed, typed.root, self) else {
            let message = format!(
                "more than {} aggregates with different filters around them",
                self.limits.max_nodes
            );
            findings.push(Diagnostic::new(Code::E703, whole, message).help("split the formula"));
            return None;
        };
        populations::lint(&typed, self, findings);
        let (uses, inputs) = measures::uses(&typed, self.metrics);
        let nesting = measures::nesting(&typed, self.metrics);
        let nodes = measures::count_nodes(&typed, &uses, self.metrics);
        // Rows compute a `let` at each use; elsewhere its value is shared.
        let by_row =
            typed.nodes.get(typed.root.0).is_some_and(|root| matches!(root.level, Level::Row(_)));
        let nodes = if by_row { nodes.max(measures::written_out(&typed)) } else { nodes };
        let Limits { max_total_nesting, max_nodes, warn_nodes, .. } = *self.limits;
        if nesting > max_total_nesting {
            let message = format!(
                "{nesting} levels deep with the metrics it uses, {max_total_nesting} are allowed"
            );
            findings.push(
                Diagnostic::new(Code::E704, whole, message).help("shorten the chain of metrics"),
            );
        }
        if nodes > max_nodes {
            let message =
                format!("{nodes} nodes with the metrics it uses, {max_nodes} are allowed");
            findings.push(Diagnostic::new(Code::E703, whole, message).help("split the formula"));
        } else if nodes > warn_nodes {
            let message = format!(
                "{nodes} nodes with the metrics it uses, from {warn_nodes} on nobody follows"
            );
            findings.push(Diagnostic::new(Code::W320, whole, message).help("split the formula"));
        }
        let ty = typed.nodes.get(typed.root.0)?.ty.clone();
        let exact = measures::is_exact(&typed, self.metrics);
        let sources = populations::sources(&typed, &atoms, self.metrics);
        Some(Checked { typed, ty, additivity, bases, exact, atoms, sources, uses, inputs, nesting })
    }
}
