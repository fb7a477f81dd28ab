//! Promotions and campaigns as they are stored, and what the rules make of them.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::allocation::{BuyGet, Method, Spread, TargetKind, Value};
use super::rules::{self, Budget, Operator, Rule, Status, Terms};
use crate::clock::Timestamp;
use crate::ids::{ApplicationMethodId, CampaignId, PromotionId, PromotionRuleId};
use crate::metadata::Metadata;
use crate::money::{Currency, Major};

/// The type of a promotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromotionType {
    /// Something off.
    Standard,
    /// Pieces for pieces bought.
    Buyget,
}

/// The type of a promotion's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    /// An amount of money.
    Fixed,
    /// A share of the price.
    Percentage,
}

/// The type of a campaign's budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BudgetType {
    /// Money taken off.
    Spend,
    /// Uses in orders.
    Usage,
}

/// The kind of a promotion's rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleKind {
    /// Whether it applies to the cart.
    Rule,
    /// To which lines or shipping methods.
    Target,
    /// What must be bought.
    Buy,
}

stored_words!(PromotionType { Standard = "standard", Buyget = "buyget" });
stored_words!(ValueType { Fixed = "fixed", Percentage = "percentage" });
stored_words!(BudgetType { Spend = "spend", Usage = "usage" });
stored_words!(RuleKind { Rule = "rule", Target = "target", Buy = "buy" });
stored_words!(Status { Draft = "draft", Active = "active", Inactive = "inactive" });
stored_words!(TargetKind { Items = "items", Order = "order", ShippingMethods = "shipping_methods" });
stored_words!(Spread { Across = "across", Each = "each", Once = "once" });
stored_words!(Operator { Eq = "eq", Ne = "ne", In = "in", Gt = "gt", Gte = "gte", Lt = "lt", Lte = "lte" });

/// A promotion with its rules and its campaign.
#[derive(Debug, Clone)]
pub struct Promotion {
    pub id: PromotionId,
    /// What shoppers enter.
    pub code: String,
    /// What it gives.
    pub kind: PromotionType,
    pub status: Status,
    /// Whether it needs no code.
    pub is_automatic: bool,
    /// Whether it counts in prices with tax.
    pub is_tax_inclusive: bool,
    /// Orders it may be used in; none for no limit.
    pub limit: Option<i64>,
    /// Orders it was used in.
    pub used: i64,
    /// How much it takes off what.
    pub method: ApplicationMethod,
    pub campaign_id: Option<CampaignId>,
    /// That campaign, if it is not deleted.
    pub campaign: Option<Campaign>,
    pub rules: Vec<StoredRule>,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// The application method of a promotion.
#[derive(Debug, Clone)]
pub struct ApplicationMethod {
    pub id: ApplicationMethodId,
    /// What the value is.
    pub kind: ValueType,
    /// Off what.
    pub target: TargetKind,
    /// How it is spread; none is `across`.
    pub allocation: Option<Spread>,
    /// Per cent, or major units of the currency.
    pub value: Decimal,
    /// The currency of an amount.
    pub currency: Option<Currency>,
    /// Pieces it is for.
    pub max_quantity: Option<i64>,
    /// Pieces that are given each time.
    pub apply_to_quantity: Option<i64>,
    /// Pieces that must be bought each time.
    pub buy_rules_min_quantity: Option<i64>,
}

/// A rule with its id.
#[derive(Debug, Clone)]
pub struct StoredRule {
    pub id: PromotionRuleId,
    pub kind: RuleKind,
    pub rule: Rule,
    pub description: Option<String>,
}

/// The frame of several promotions: when they run and what they may spend.
#[derive(Debug, Clone)]
pub struct Campaign {
    pub id: CampaignId,
    pub name: String,
    pub description: Option<String>,
    /// Its name outside, as in links.
    pub campaign_identifier: String,
    pub starts_at: Option<Timestamp>,
    /// Until when, that instant excluded.
    pub ends_at: Option<Timestamp>,
    /// What it may spend.
    pub budget: Option<CampaignBudget>,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// The budget of a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CampaignBudget {
    pub kind: BudgetType,
    /// The currency of money.
    pub currency: Option<Currency>,
    /// At most: minor units or uses; none for no limit.
    pub limit: Option<i64>,
    /// So far, in the same unit.
    pub used: i64,
}

impl Promotion {
    /// What decides whether it applies to a cart.
    pub(crate) fn terms(&self) -> Terms {
        Terms {
            status: self.status,
            limit: self.limit,
            used: self.used,
            currency: match self.method.kind {
                ValueType::Fixed => self.method.currency.map(|currency| currency.to_string()),
                ValueType::Percentage => None,
            },
            campaign: self.campaign.as_ref().map(Campaign::terms),
            rules: self.rules(RuleKind::Rule),
        }
    }

    /// What it takes off; none if its value cannot be counted, as an amount without a currency.
    pub fn allocation(&self, terms: &Terms) -> Option<Method> {
        let value = match self.method.kind {
            ValueType::Fixed => {
                Value::Fixed(Major::from(self.method.value).minor(self.method.currency?).ok()?)
            }
            ValueType::Percentage => Value::percent(self.method.value)?,
        };
        let buy_get = match self.kind {
            PromotionType::Standard => None,
            PromotionType::Buyget => Some(BuyGet {
                buy_rules: self.rules(RuleKind::Buy),
                buy_quantity: self.method.buy_rules_min_quantity.unwrap_or(1),
                get_quantity: self.method.apply_to_quantity.unwrap_or(1),
            }),
        };
        Some(Method {
            value,
            target: self.method.target,
            spread: self.method.allocation.unwrap_or(Spread::Across),
            is_tax_inclusive: self.is_tax_inclusive,
            max_quantity: self.method.max_quantity,
            target_rules: self.rules(RuleKind::Target),
            buy_get,
            budget_minor: rules::remaining_budget_minor(terms),
        })
    }

    fn rules(&self, kind: RuleKind) -> Vec<Rule> {
        let rules = self.rules.iter().filter(|rule| rule.kind == kind);
        rules.map(|rule| rule.rule.clone()).collect()
    }
}

impl Campaign {
    fn terms(&self) -> rules::Campaign {
        rules::Campaign {
            starts_at_ms: self.starts_at.map(Timestamp::as_millis),
            ends_at_ms: self.ends_at.map(Timestamp::as_millis),
            budget: self.budget.map(|budget| match budget.kind {
                BudgetType::Spend => Budget::Spend {
                    limit_minor: budget.limit,
                    used_minor: budget.used,
                    currency: budget.currency.map(|code| code.to_string()).unwrap_or_default(),
                },
                BudgetType::Usage => Budget::Usage { limit: budget.limit, used: budget.used },
            }),
        }
    }
}
