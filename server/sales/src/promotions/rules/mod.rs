//! The rules of promotions: conditions on the attributes of a cart, its lines and its shipping methods.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::promotion::RuleKind;
use crate::database::Word;
use crate::http::ToSchema;

/// Limit: rules of one kind of one promotion.
pub(crate) const MAX_RULES: usize = 50;

/// Limit: values of one rule.
pub(crate) const MAX_RULE_VALUES: usize = 1_000;

/// The attributes of a line.
const OF_LINE: &[&str] = &[
    "product.categories.id",
    "product.collection_id",
    "product.id",
    "product.tags.id",
    "product.type_id",
    "sku",
    "unit_price",
    "variant_id",
];

/// The attributes of a shipping method.
const OF_METHOD: &[&str] = &["amount", "name", "shipping_option_id"];

/// The attributes of a cart, beside those of its lines.
const OF_CART: &[&str] = &[
    "currency_code",
    "customer.groups.id",
    "customer.id",
    "customer_id",
    "email",
    "item_quantity",
    "item_subtotal",
    "region.id",
    "region_id",
    "sales_channel_id",
    "shipping_address.country_code",
    "shipping_address.province",
    "subtotal",
];

/// The comparison of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// At least one of the values is present.
    Eq,
    /// None of the values is present.
    Ne,
    /// The same as `Eq`, for several values.
    In,
    /// Every number is greater than one of the values.
    Gt,
    /// Every number is greater than or equal to one of the values.
    Gte,
    /// Every number is less than one of the values.
    Lt,
    /// Every number is less than or equal to one of the values.
    Lte,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RuleError {
    #[error("the rule on `{attribute}` has {count} values, 1 to {MAX_RULE_VALUES} are expected")]
    ValueCount { attribute: String, count: usize },
    #[error("`{count}` rules are more than {MAX_RULES}")]
    TooMany { count: usize },
    #[error("the rule on `{attribute}` compares with `{value}`, which is not a number")]
    NotANumber { attribute: String, value: String },
    #[error("rules of this kind do not depend on `{attribute}`; they do on {known}")]
    UnknownAttribute { attribute: String, known: String },
}

/// A condition on an attribute of the cart, of a line or of a shipping method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    attribute: String,
    operator: Operator,
    values: Vec<String>,
}

impl Rule {
    /// Creates a rule whose values fit its operator. Drops a leading `items.` or `shipping_methods.` of the attribute,
    /// which the kind of the rule implies.
    pub fn new(
        attribute: &str,
        operator: Operator,
        values: Vec<String>,
    ) -> Result<Self, RuleError> {
        let attribute = bare(attribute).to_owned();
        if values.is_empty() || values.len() > MAX_RULE_VALUES {
            return Err(RuleError::ValueCount { attribute, count: values.len() });
        }
        if compares_size(operator)
            && let Some(value) = values.iter().find(|value| number(value).is_none())
        {
            return Err(RuleError::NotANumber { attribute, value: value.clone() });
        }
        Ok(Self { attribute, operator, values })
    }

    pub fn attribute(&self) -> &str {
        &self.attribute
    }

    pub fn operator(&self) -> Operator {
        self.operator
    }

    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Returns whether the rule holds for these facts. A missing attribute has no values: `ne` holds and all other
    /// operators do not.
    pub fn holds(&self, facts: &Facts) -> bool {
        let present = facts.values(&self.attribute);
        match self.operator {
            Operator::Eq | Operator::In => present.iter().any(|fact| self.values.contains(fact)),
            Operator::Ne => !present.iter().any(|fact| self.values.contains(fact)),
            Operator::Gt => self.compares(present, |fact, value| fact > value),
            Operator::Gte => self.compares(present, |fact, value| fact >= value),
            Operator::Lt => self.compares(present, |fact, value| fact < value),
            Operator::Lte => self.compares(present, |fact, value| fact <= value),
        }
    }

    fn compares(&self, facts: &[String], order: impl Fn(Decimal, Decimal) -> bool) -> bool {
        let exceeds = |fact: Decimal| {
            self.values.iter().any(|value| number(value).is_some_and(|value| order(fact, value)))
        };
        !facts.is_empty() && facts.iter().all(|fact| number(fact).is_some_and(exceeds))
    }
}

/// The attribute values of a cart, a line or a shipping method. Amounts are decimals in major units, as in rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts(BTreeMap<String, Vec<String>>);

impl Facts {
    #[must_use]
    pub fn with(mut self, attribute: &str, value: impl Into<String>) -> Self {
        self.0.entry(bare(attribute).to_owned()).or_default().push(value.into());
        self
    }

    /// Adds each value of an attribute.
    #[must_use]
    pub fn with_each(self, attribute: &str, values: impl IntoIterator<Item: ToString>) -> Self {
        values.into_iter().fold(self, |facts, value| facts.with(attribute, value.to_string()))
    }

    fn values(&self, attribute: &str) -> &[String] {
        self.0.get(attribute).map_or(&[], Vec::as_slice)
    }
}

/// Rejects more rules of one kind than the limit.
pub(crate) fn check_count(count: usize) -> Result<(), RuleError> {
    if count > MAX_RULES { Err(RuleError::TooMany { count }) } else { Ok(()) }
}

/// Rejects a rule on an unknown attribute: `ne` would always hold, and the other operators never.
pub(super) fn check_attribute(rule: &Rule, kind: RuleKind) -> Result<(), RuleError> {
    let more = match kind {
        RuleKind::Rule => OF_CART,
        RuleKind::Target => OF_METHOD,
        RuleKind::Buy => &[],
    };
    let known = [OF_LINE, more].concat();
    if known.contains(&rule.attribute()) {
        return Ok(());
    }
    let (attribute, known) = (rule.attribute().to_owned(), known.join(", "));
    Err(RuleError::UnknownAttribute { attribute, known })
}

/// Returns whether all rules hold; an empty list always holds.
pub(crate) fn all_hold(rules: &[Rule], facts: &Facts) -> bool {
    rules.iter().all(|rule| rule.holds(facts))
}

fn compares_size(operator: Operator) -> bool {
    match operator {
        Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte => true,
        Operator::Eq | Operator::Ne | Operator::In => false,
    }
}

fn bare(attribute: &str) -> &str {
    let prefix = ["items.", "shipping_methods."];
    prefix.iter().find_map(|prefix| attribute.strip_prefix(prefix)).unwrap_or(attribute)
}

fn number(text: &str) -> Option<Decimal> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests;
