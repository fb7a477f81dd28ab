//! The conditions of options and their prices. Pure functions.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::database::Word;
use crate::http::ToSchema;

/// The operator of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "lowercase")]
#[schema(as = ShippingRuleOperator)]
pub enum Operator {
    Eq,
    /// Not equal.
    Ne,
    /// One of the values.
    In,
    /// None of the values.
    Nin,
    /// Greater than.
    Gt,
    /// Greater than or equal.
    Gte,
    /// Less than.
    Lt,
    /// Less than or equal.
    Lte,
}

impl Operator {
    /// Returns whether the comparison of `found` with the values holds. Numbers are compared as numbers; other values
    /// only for equality.
    pub(super) fn holds(self, found: &str, values: &[String]) -> bool {
        let is_among = values.iter().any(|value| is_equal(found, value));
        let ordered = |compare: fn(&Decimal, &Decimal) -> bool| {
            let found = found.parse::<Decimal>().ok();
            let value = values.first().and_then(|value| value.parse::<Decimal>().ok());
            found.zip(value).is_some_and(|(found, value)| compare(&found, &value))
        };
        match self {
            Self::Eq | Self::In => is_among,
            Self::Ne | Self::Nin => !is_among,
            Self::Gt => ordered(Decimal::gt),
            Self::Gte => ordered(Decimal::ge),
            Self::Lt => ordered(Decimal::lt),
            Self::Lte => ordered(Decimal::le),
        }
    }
}

fn is_equal(left: &str, right: &str) -> bool {
    left == right
        || left
            .parse::<Decimal>()
            .ok()
            .zip(right.parse::<Decimal>().ok())
            .is_some_and(|(left, right)| left == right)
}

/// A rule to store; it compares an attribute with values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRule {
    /// `enabled_in_store`, `is_return`, or `item_total` in major units.
    pub attribute: String,
    pub operator: Operator,
    /// The values; exactly one unless the operator takes several.
    pub values: Vec<String>,
}

impl NewRule {
    /// Returns the rule that offers an option to shoppers.
    pub fn enabled_in_store() -> Self {
        let attribute = "enabled_in_store".to_owned();
        Self { attribute, operator: Operator::Eq, values: vec!["true".to_owned()] }
    }

    /// Returns the value to view and store: a text, or a list if the operator takes several values.
    pub(super) fn value(&self) -> Value {
        match (self.operator, self.values.as_slice()) {
            (Operator::In | Operator::Nin, values) => values.into(),
            (_, [value]) => value.as_str().into(),
            (_, values) => values.into(),
        }
    }
}

/// Returns the values of a stored rule.
pub(super) fn values_of(value: &Value) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().flat_map(values_of).collect(),
        Value::String(text) => vec![text.clone()],
        Value::Bool(_) | Value::Number(_) => vec![value.to_string()],
        Value::Null | Value::Object(_) => Vec::new(),
    }
}

/// The audience of a list of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Shoppers, who get options that are enabled in the store.
    Shopper,
    /// The store's staff, who get all options and say who the buyer is.
    Staff,
    /// The store itself at a renewal, for which all options remain.
    Renewal,
}

/// The inputs of rules.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts<'a> {
    pub(super) audience: Audience,
    pub(super) is_return: bool,
    /// The total of the items, in major units.
    pub(super) item_total: &'a str,
}

/// Returns whether an option with these rules is offered. A return requires an option for returns.
pub(super) fn is_offered(rules: &[NewRule], facts: Facts<'_>) -> bool {
    let is_return = if facts.is_return { "true" } else { "false" };
    if facts.is_return && !rules.iter().any(|rule| rule.attribute == "is_return") {
        return false;
    }
    rules.iter().all(|rule| match (rule.attribute.as_str(), facts.audience) {
        ("enabled_in_store", Audience::Staff | Audience::Renewal) => true,
        ("enabled_in_store", Audience::Shopper) => rule.operator.holds("true", &rule.values),
        ("is_return", _) => rule.operator.holds(is_return, &rule.values),
        ("item_total", _) => rule.operator.holds(facts.item_total, &rule.values),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(attribute: &str, operator: Operator, value: &str) -> NewRule {
        NewRule { attribute: attribute.to_owned(), operator, values: vec![value.to_owned()] }
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        for (operator, found, value, expected) in [
            (Operator::Gte, "100", "100.00", true),
            (Operator::Gt, "100", "100", false),
            (Operator::Lt, "9", "10", true),
            (Operator::Eq, "1.50", "1.5", true),
            (Operator::Gt, "x", "1", false),
            (Operator::Nin, "a", "b", true),
        ] {
            let holds = operator.holds(found, &[value.to_owned()]);
            assert_eq!(holds, expected, "{found} {} {value}", operator.as_str());
            assert_eq!(Operator::from_word(operator.as_str()), Some(operator));
        }
    }

    #[test]
    fn an_option_is_offered_when_all_of_its_rules_hold() {
        let shopper = Facts { audience: Audience::Shopper, is_return: false, item_total: "50" };
        let hidden = [rule("enabled_in_store", Operator::Eq, "false")];
        assert!(is_offered(&[], shopper));
        assert!(!is_offered(&hidden, shopper));
        assert!(is_offered(&hidden, Facts { audience: Audience::Staff, ..shopper }));
        assert!(!is_offered(&[rule("item_total", Operator::Gte, "50.01")], shopper));
        assert!(!is_offered(&[rule("moon", Operator::Eq, "full")], shopper));
        let back = Facts { is_return: true, ..shopper };
        assert!(!is_offered(&[], back));
        assert!(is_offered(&[rule("is_return", Operator::Eq, "true")], back));
    }
}
