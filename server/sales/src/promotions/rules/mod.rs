//! The eligibility of promotions: status, dates, limits, budgets, and rules on the cart's attributes.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::database::Word;
use crate::http::ToSchema;

/// Limit: rules of one kind of one promotion.
pub(crate) const MAX_RULES: usize = 50;

/// Limit: values of one rule.
pub(crate) const MAX_RULE_VALUES: usize = 1_000;

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

    /// Returns the values to compare with.
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

    fn values(&self, attribute: &str) -> &[String] {
        self.0.get(attribute).map_or(&[], Vec::as_slice)
    }
}

/// Rejects more rules of one kind than the limit.
pub(crate) fn check_count(count: usize) -> Result<(), RuleError> {
    if count > MAX_RULES { Err(RuleError::TooMany { count }) } else { Ok(()) }
}

/// Returns whether all rules hold; an empty list always holds.
pub(crate) fn all_hold(rules: &[Rule], facts: &Facts) -> bool {
    rules.iter().all(|rule| rule.holds(facts))
}

/// The status of a promotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not in use yet.
    Draft,
    /// In use.
    Active,
    /// No longer in use.
    Inactive,
}

/// The budget of a campaign and its used amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Budget {
    /// Money, in minor units.
    Spend {
        /// The maximum; none for no limit.
        limit_minor: Option<i64>,
        /// The used amount.
        used_minor: i64,
        /// Lower case; discounts in other currencies do not count.
        currency: String,
    },
    /// A number of uses.
    Usage {
        /// The maximum; none for no limit.
        limit: Option<i64>,
        /// The used number.
        used: i64,
    },
}

/// The dates and the budget that several promotions share.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Campaign {
    /// The start, in milliseconds since 1970.
    pub(crate) starts_at_ms: Option<i64>,
    /// The end, exclusive, in milliseconds since 1970.
    pub(crate) ends_at_ms: Option<i64>,
    pub budget: Option<Budget>,
}

/// The conditions of a promotion on the cart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub status: Status,
    /// The maximum number of orders that use it; none for no limit.
    pub limit: Option<i64>,
    /// The number of orders that used it.
    pub used: i64,
    /// The currency of a fixed amount, in lower case.
    pub currency: Option<String>,
    pub campaign: Option<Campaign>,
    /// The rules that must hold for the cart.
    pub rules: Vec<Rule>,
}

/// The inputs of eligibility.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shopper<'a> {
    /// Lower case.
    pub currency: &'a str,
    /// The current time, in milliseconds since 1970.
    pub now_ms: i64,
    /// The cart's attributes, such as `region_id`, `customer.groups.id`, `subtotal`.
    pub(crate) facts: &'a Facts,
}

/// Why a promotion does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum Refusal {
    #[error("the promotion is not active")]
    NotActive,
    #[error("the promotion has not started")]
    NotStarted,
    #[error("the promotion has ended")]
    Ended,
    #[error("the promotion has been used up")]
    UsedUp,
    #[error("the budget of the promotion is spent")]
    BudgetSpent,
    #[error("the promotion is for another currency")]
    OtherCurrency,
    #[error("the cart does not meet the rules of the promotion")]
    RulesUnmet,
}

/// Checks that a promotion applies to a cart.
pub(crate) fn eligible(terms: &Terms, shopper: &Shopper<'_>) -> Result<(), Refusal> {
    match terms.status {
        Status::Draft | Status::Inactive => return Err(Refusal::NotActive),
        Status::Active => {}
    }
    if terms.limit.is_some_and(|limit| terms.used >= limit) {
        return Err(Refusal::UsedUp);
    }
    if terms.currency.as_ref().is_some_and(|currency| currency != shopper.currency) {
        return Err(Refusal::OtherCurrency);
    }
    if let Some(campaign) = &terms.campaign {
        runs(campaign, shopper)?;
    }
    if all_hold(&terms.rules, shopper.facts) { Ok(()) } else { Err(Refusal::RulesUnmet) }
}

fn runs(campaign: &Campaign, shopper: &Shopper<'_>) -> Result<(), Refusal> {
    if campaign.starts_at_ms.is_some_and(|start| shopper.now_ms < start) {
        return Err(Refusal::NotStarted);
    }
    if campaign.ends_at_ms.is_some_and(|end| shopper.now_ms >= end) {
        return Err(Refusal::Ended);
    }
    match &campaign.budget {
        Some(Budget::Spend { currency, .. }) if currency != shopper.currency => {
            Err(Refusal::OtherCurrency)
        }
        Some(
            Budget::Spend { limit_minor: Some(limit), used_minor: used, .. }
            | Budget::Usage { limit: Some(limit), used },
        ) if used >= limit => Err(Refusal::BudgetSpent),
        Some(Budget::Spend { .. } | Budget::Usage { .. }) | None => Ok(()),
    }
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
