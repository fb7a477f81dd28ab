//! Conditions: formulas over a visitor's record. A formula with a name outside the record is rejected.
//!
//! Invariant: only [`Conditions::check`]ed formulas are published. If a condition cannot be evaluated later, it is
//! false, and the error is logged.

use std::sync::Arc;

use quotient::data::Record;
use quotient::diagnostics::Diagnostic;
use quotient::explain::Explanation;
use quotient::schema::{DataType, Input, Schema};
use quotient::types::{self, Type, Value};
use quotient::{Engine, Inputs, Request};
use serde::Serialize;
use serde_json::json;

use crate::http::ToSchema;
use crate::money::Currency;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Money,
    Number,
    Text,
    Texts,
    Bool,
    Date,
}

/// The names in every record.
pub(crate) const NAMES: [(&str, Kind); 29] = [
    ("order_total", Kind::Money),
    ("order_subtotal", Kind::Money),
    ("cart_total", Kind::Money),
    ("accepted_total", Kind::Money),
    ("item_count", Kind::Number),
    ("orders_before", Kind::Number),
    ("accepted_count", Kind::Number),
    ("declined_count", Kind::Number),
    ("step", Kind::Number),
    ("bucket", Kind::Number),
    ("skus", Kind::Texts),
    ("product_ids", Kind::Texts),
    ("category_handles", Kind::Texts),
    ("promo_codes", Kind::Texts),
    ("country", Kind::Text),
    ("province", Kind::Text),
    ("sales_channel", Kind::Text),
    ("region", Kind::Text),
    ("locale", Kind::Text),
    ("device", Kind::Text),
    ("utm_source", Kind::Text),
    ("utm_campaign", Kind::Text),
    ("referrer_host", Kind::Text),
    ("last_action", Kind::Text),
    ("is_guest", Kind::Bool),
    ("is_subscriber", Kind::Bool),
    ("is_first_order", Kind::Bool),
    ("flow_kind", Kind::Text),
    ("currency", Kind::Text),
];

/// What formulas can name, in one currency.
#[derive(Debug)]
pub(crate) struct Conditions {
    engine: Engine,
}

/// A part of an evaluated condition.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ConditionPart {
    /// The text of the part.
    #[schema(example = "order_total >= 30 USD")]
    label: String,
    /// Its value as text.
    value: String,
    /// Its parts.
    #[schema(no_recursion)]
    children: Vec<ConditionPart>,
}

impl Conditions {
    /// Creates the names of a flow's record; `answers` are the keys of its fields.
    pub(crate) fn new(
        currency: Currency,
        answers: impl IntoIterator<Item = (impl AsRef<str>, Kind)>,
    ) -> Self {
        let own = types::Currency::from_code(currency.upper()).unwrap_or(types::Currency::USD);
        let mut schema = Schema::default();
        schema.store.currency = own;
        let input = |name: String, kind: Kind| {
            let ty = match kind {
                Kind::Money => DataType::Money(Some(own)).to_type(own),
                Kind::Number => DataType::Number.to_type(own),
                Kind::Text => Type::Text,
                Kind::Texts => Type::List(Arc::new(Type::Text)),
                Kind::Bool => Type::Bool,
                Kind::Date => Type::Date,
            };
            Input { name, description: None, ty }
        };
        let known = NAMES.iter().map(|(name, kind)| input((*name).to_owned(), *kind));
        let answers = answers.into_iter().map(|(key, kind)| {
            let name = format!("answer_{}", key.as_ref());
            input(name, kind)
        });
        schema.inputs = known.chain(answers).collect();
        Self { engine: Engine::new(schema) }
    }

    /// Checks a condition; returns its canonical text with warnings, or the findings, in the shape of formula errors.
    pub(crate) fn check(
        &self,
        text: &str,
    ) -> Result<(String, Vec<serde_json::Value>), Vec<serde_json::Value>> {
        let checked = self.engine.validate_condition(text);
        let findings = details(&checked.diagnostics, text);
        match checked.formula {
            Some(formula) => Ok((formula.canonical().to_owned(), findings)),
            None => Err(findings),
        }
    }

    pub(crate) fn holds(&self, text: &str, record: &Record) -> bool {
        let answer = self.engine.compiled(text).and_then(|formula| {
            self.engine.evaluate(&[&formula], Inputs::record(record), &Request::default())
        });
        match answer {
            Ok(answers) => answers.first().is_some_and(|one| one.value == Value::Bool(true)),
            Err(findings) => {
                let reason = findings.first().map_or("", |finding| finding.message.as_str());
                tracing::error!(condition = text, reason, "a published condition fails");
                false
            }
        }
    }

    pub(crate) fn explain(&self, text: &str, record: &Record) -> Option<ConditionPart> {
        let formula = self.engine.compiled(text).ok()?;
        let request = Request::default();
        let tree = self.engine.explain(&formula, Inputs::record(record), &request).ok()?;
        Some(part(tree))
    }
}

/// Converts a tree, whose depth the checker has bounded.
fn part(tree: Explanation) -> ConditionPart {
    let value = tree.null_reason.map_or(tree.formatted, |reason| reason.name().to_owned());
    let children = tree.children.into_iter().map(part).collect();
    ConditionPart { label: tree.label, value, children }
}

fn details(findings: &[Diagnostic], text: &str) -> Vec<serde_json::Value> {
    let view = |finding: &Diagnostic| {
        json!({
            "code": finding.code.as_str(), "message": finding.message, "help": finding.help,
            "start": finding.span.start, "end": finding.span.end,
            "suggestion": finding.suggestion.as_ref().map(|edit| edit.apply(text)),
        })
    };
    findings.iter().map(view).collect()
}

#[cfg(test)]
mod tests;
