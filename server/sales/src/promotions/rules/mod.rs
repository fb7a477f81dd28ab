//! Which promotions a cart gets: state, dates, limits, budgets and the rules on its attributes.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::ToSchema;

/// Limit: rules of one promotion, of its targets or of what must be bought.
pub(crate) const MAX_RULES: usize = 50;

/// Limit: values of one rule.
pub(crate) const MAX_RULE_VALUES: usize = 1_000;

/// The comparison of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// One of the values is there.
    Eq,
    /// None of the values is there.
    Ne,
    /// The same as `Eq`, written for several values.
    In,
    /// Every number is above one of the values.
    Gt,
    /// Every number is one of the values or above one.
    Gte,
    /// Every number is below one of the values.
    Lt,
    /// Every number is one of the values or below one.
    Lte,
}

/// An error of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RuleError {
    #[error("the rule on `{attribute}` has {count} values, 1 to {MAX_RULE_VALUES} are expected")]
    ValueCount { attribute: String, count: usize },
    #[error("`{count}` rules are more than {MAX_RULES}")]
    TooMany { count: usize },
    #[error("the rule on `{attribute}` compares with `{value}`, which is not a number")]
    NotANumber { attribute: String, value: String },
}

/// A condition on an attribute of the cart, of a line or of a shipping method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    attribute: String,
    operator: Operator,
    values: Vec<String>,
}

impl Rule {
    /// A rule whose values fit its operator. A leading `items.` or `shipping_methods.` of the
    /// attribute is dropped: the place of the rule already says it.
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

    /// What it looks at.
    pub fn attribute(&self) -> &str {
        &self.attribute
    }

    /// How it compares.
    pub fn operator(&self) -> Operator {
        self.operator
    }

    /// What it compares with.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Whether the rule holds for these facts. An attribute that is missing has no values: `ne`
    /// holds and everything else does not.
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

/// What is known of a cart, a line or a shipping method: values by attribute. Amounts are decimals
/// in major units, as rules are written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts(BTreeMap<String, Vec<String>>);

impl Facts {
    /// Adds a value of an attribute.
    #[must_use]
    pub fn with(mut self, attribute: &str, value: impl Into<String>) -> Self {
        self.0.entry(bare(attribute).to_owned()).or_default().push(value.into());
        self
    }

    fn values(&self, attribute: &str) -> &[String] {
        self.0.get(attribute).map_or(&[], Vec::as_slice)
    }
}

/// Refuses more rules in one place than the limit.
pub(crate) fn check_count(count: usize) -> Result<(), RuleError> {
    if count > MAX_RULES { Err(RuleError::TooMany { count }) } else { Ok(()) }
}

/// Whether all rules hold; no rules hold always.
pub(crate) fn all_hold(rules: &[Rule], facts: &Facts) -> bool {
    rules.iter().all(|rule| rule.holds(facts))
}

/// Whether a promotion is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not yet.
    Draft,
    /// Yes.
    Active,
    /// No more.
    Inactive,
}

/// The budget of a campaign and what is used of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Budget {
    /// Money, in minor units.
    Spend {
        /// At most; none for no limit.
        limit_minor: Option<i64>,
        /// So far.
        used_minor: i64,
        /// Lower case; the budget counts in no other currency.
        currency: String,
    },
    /// Uses.
    Usage {
        /// At most; none for no limit.
        limit: Option<i64>,
        /// So far.
        used: i64,
    },
}

/// The frame of several promotions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Campaign {
    /// From when, in milliseconds since 1970.
    pub(crate) starts_at_ms: Option<i64>,
    /// Until when, that instant excluded, in milliseconds since 1970.
    pub(crate) ends_at_ms: Option<i64>,
    /// What it may spend.
    pub budget: Option<Budget>,
}

/// The conditions of a promotion on the cart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    pub status: Status,
    /// Orders it may be used in; none for no limit.
    pub limit: Option<i64>,
    /// Orders it was used in.
    pub used: i64,
    /// Lower case, where its value is an amount.
    pub currency: Option<String>,
    pub campaign: Option<Campaign>,
    /// What must hold for the cart.
    pub rules: Vec<Rule>,
}

/// The cart, as far as eligibility looks at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shopper<'a> {
    /// Lower case.
    pub currency: &'a str,
    /// The instant, in milliseconds since 1970.
    pub now_ms: i64,
    /// Such as `region_id`, `customer.groups.id`, `subtotal`.
    pub(crate) facts: &'a Facts,
}

/// The reason why a promotion does not apply.
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

/// Whether a promotion applies to a cart.
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

/// The rest of a promotion's budget, in minor units; none for no limit.
pub(crate) fn remaining_budget_minor(terms: &Terms) -> Option<i64> {
    match &terms.campaign.as_ref()?.budget {
        Some(Budget::Spend { limit_minor: Some(limit), used_minor, .. }) => {
            Some(limit.saturating_sub(*used_minor).max(0))
        }
        Some(Budget::Spend { limit_minor: None, .. } | Budget::Usage { .. }) | None => None,
    }
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
