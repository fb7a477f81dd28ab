//! Names that fit a hole, and whole formulas from given names.

use super::candidate::{Candidate, CandidateKind, spelt};
use crate::diagnostics::{Diagnostic, Edit, edited};
use crate::engine::Engine;
use crate::schema::same_name;
use crate::source::Span;
use crate::syntax::{Expr, canonical, parse, tokens};
use crate::types::{DeclaredType, Flavour, Type};

/// A name that fits a hole, or a formula of the declared type.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The name; for a formula of several names, the first.
    pub name: Candidate,
    /// The formula with the holes filled.
    pub formula: String,
    /// The type of the filled formula.
    pub ty: Type,
}

/// Limit: names tried for a hole.
const TRIALS: usize = 256;
/// Limit: names combined into formulas.
const PARTS: usize = 24;

impl Engine {
    /// Returns the names that fit every hole of a formula, likeliest first: those that give the
    /// declared type by their own unit, then those that can only be displayed as it.
    ///
    /// # Errors
    /// The findings that refuse the formula even with its holes filled.
    pub fn fitting(
        &self,
        text: &str,
        declared: Option<DeclaredType>,
    ) -> Result<Vec<Fit>, Vec<Diagnostic>> {
        let parsed = parse(text, self.limits());
        let holes = parsed.expr.as_ref().map(Expr::holes).unwrap_or_default();
        if holes.is_empty() {
            return Err(parsed.diagnostics);
        }
        let mut found = Vec::new();
        for name in Candidate::values(self).into_iter().take(TRIALS) {
            let fill = |hole: &Span| Edit { span: *hole, text: name.insert.clone() };
            let formula = edited(text, &holes.iter().map(fill).collect::<Vec<_>>());
            found.extend(self.fit(name, formula, declared));
        }
        if found.is_empty() {
            let findings = self.validate(text).diagnostics;
            let others = findings.into_iter().filter(|finding| !holes.contains(&finding.span));
            let others: Vec<Diagnostic> = others.filter(Diagnostic::is_error).collect();
            if !others.is_empty() {
                return Err(others);
            }
        }
        found.sort_by_key(|fit| (!suits(declared, &fit.ty), self.is_used(text, &fit.name)));
        Ok(found)
    }

    /// Proposes formulas of one or two of the given names with the declared type: differences,
    /// ratios and products whose units match. Formulas that a metric already has are omitted.
    pub fn proposals(&self, names: &[&str], declared: DeclaredType) -> Vec<Fit> {
        let known = |name: &&&str| {
            self.metric(name).is_some()
                || self.schema().placeholder(name).is_some()
                || self.schema().input(name).is_some()
        };
        let names: Vec<&str> = names.iter().filter(known).copied().take(PARTS).collect();
        let mut found = Vec::new();
        for left in &names {
            // A metric alone would be another name of it.
            if self.metric(left).is_none() {
                found.extend(self.proposal(left, spelt(left), declared));
            }
            for right in names.iter().filter(|right| !same_name(left, right)) {
                for operator in ['/', '-', '+', '*'] {
                    // A sum or a product means the same with its sides exchanged.
                    let is_mirrored = matches!(operator, '+' | '*') && left > right;
                    if !is_mirrored {
                        let text = format!("{} {operator} {}", spelt(left), spelt(right));
                        found.extend(self.proposal(left, text, declared));
                    }
                }
            }
        }
        found.sort_by_key(|fit| !suits(Some(declared), &fit.ty));
        found
    }

    fn proposal(&self, name: &str, formula: String, declared: DeclaredType) -> Option<Fit> {
        let says = |text: &str| parse(text, self.limits()).expr.map(|expr| canonical(&expr));
        let own = says(&formula)?;
        if self.metrics().iter().any(|metric| says(&metric.formula).as_ref() == Some(&own)) {
            return None;
        }
        let values = Candidate::values(self);
        let name = values.into_iter().find(|value| same_name(&value.label, name))?;
        self.fit(name, formula, Some(declared))
    }

    /// Returns the formula as a fit, if it checks without a warning and has the declared type.
    fn fit(&self, name: Candidate, formula: String, declared: Option<DeclaredType>) -> Option<Fit> {
        let validation = self.validate(&formula);
        let checked = validation.formula.filter(|_| validation.diagnostics.is_empty())?;
        let ty = checked.ty().clone();
        declared.is_none_or(|declared| declared.fits(&ty)).then_some(Fit { name, formula, ty })
    }

    /// Returns whether a formula already names the candidate: dividing a name by itself is rarely
    /// intended.
    fn is_used(&self, text: &str, name: &Candidate) -> bool {
        let tokens = tokens(text, self.limits());
        let is_metric = name.kind == CandidateKind::Metric;
        let words = tokens.iter().map(|token| token.span.slice(text).trim_matches(['[', ']']));
        let named = |word: &str| same_name(word, &name.label);
        let titled = |word: &str| is_metric && name.title.as_deref() == Some(word);
        words.into_iter().any(|word| named(word) || titled(word))
    }
}

/// Returns whether the type is the declared one by its own unit.
fn suits(declared: Option<DeclaredType>, ty: &Type) -> bool {
    let flavour = ty.unit().map(|unit| &unit.flavour);
    match declared {
        Some(DeclaredType::Percentage) => flavour == Some(&Flavour::Percent),
        Some(DeclaredType::Ratio) => flavour == Some(&Flavour::Ratio),
        Some(DeclaredType::Integer) => matches!(flavour, Some(Flavour::Count(Some(_)))),
        Some(
            DeclaredType::Number
            | DeclaredType::Currency
            | DeclaredType::Duration
            | DeclaredType::Boolean
            | DeclaredType::String
            | DeclaredType::Date,
        )
        | None => true,
    }
}
