//! Stored promotions and campaigns, and their conversion to rules and methods.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::allocation::{BudgetLeft, BudgetType, BuyGet, Method, Spread, TargetKind, Value};
use super::error::PromotionError;
use super::queries;
use super::rules::Rule;
use crate::clock::Timestamp;
use crate::database::listing::Column;
use crate::database::{Filtered as _, Record, Table as _, Tx, Word};
use crate::http::{Resource, ToSchema};
use crate::ids::{self, ApplicationMethodId, CampaignId, PromotionId, PromotionRuleId};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency, Major};

/// The status of a promotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum PromotionStatus {
    /// Not in use yet.
    Draft,
    /// In use.
    Active,
    /// No longer in use.
    Inactive,
}

/// The type of a promotion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum PromotionType {
    /// A discount.
    Standard,
    /// Pieces given for pieces bought.
    Buyget,
}

/// The type of a promotion's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum ValueType {
    /// An amount of money.
    Fixed,
    /// A share of the price.
    Percentage,
}

// Paths name it in the plural, the database in the singular.
/// The kind of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema, Word)]
#[word(inherent)]
pub enum RuleKind {
    /// A condition on the cart.
    #[serde(rename = "rules")]
    Rule,
    /// A condition on the lines or shipping methods to discount.
    #[serde(rename = "target-rules")]
    Target,
    /// A condition on the lines that count as bought.
    #[serde(rename = "buy-rules")]
    Buy,
}

#[derive(Debug, Clone, Record)]
#[record(table = "promotion p", soft_delete)]
#[record(list(plural = "promotions", usual, search = ["p.code"], limit = 50, columns = [
    Column::filter("type", "p.type", PromotionType::KIND),
    Column::filter("application_method_type", "p.application_type", ValueType::KIND),
]))]
pub struct Promotion {
    pub id: PromotionId,
    /// The code that shoppers enter.
    #[column(filter, order)]
    pub code: String,
    #[column(name = "type")]
    pub kind: PromotionType,
    #[column(filter)]
    pub status: PromotionStatus,
    /// Whether it applies without a code.
    #[column(filter)]
    pub is_automatic: bool,
    /// Whether it applies to prices with tax.
    pub is_tax_inclusive: bool,
    /// The maximum number of orders that use it; none for no limit.
    #[column(name = "limit_count")]
    pub limit: Option<i64>,
    #[column(name = "used_count", once)]
    pub used: i64,
    #[column(once)]
    pub application_method_id: ApplicationMethodId,
    pub application_type: ValueType,
    pub target_type: TargetKind,
    /// How it spreads over the targets; none means `across`.
    pub allocation: Option<Spread>,
    /// Per cent, or major units of the currency.
    #[column(name = "value_text", json)]
    pub value: Major,
    /// The currency of a fixed amount.
    pub value_currency: Option<Currency>,
    /// The maximum number of discounted pieces.
    pub max_quantity: Option<i64>,
    /// The number of pieces given per round.
    pub apply_to_quantity: Option<i64>,
    /// The number of pieces to buy per round.
    pub buy_rules_min_quantity: Option<i64>,
    #[column(filter)]
    pub campaign_id: Option<CampaignId>,
    /// The campaign, if it is not deleted.
    #[column(skip)]
    pub campaign: Option<Campaign>,
    #[column(skip)]
    pub rules: Vec<StoredRule>,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Debug, Clone)]
pub struct StoredRule {
    pub id: PromotionRuleId,
    pub kind: RuleKind,
    pub rule: Rule,
    pub description: Option<String>,
}

/// A campaign: the dates and the budget that several promotions share.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "campaign c", soft_delete)]
#[record(list(plural = "campaigns", usual, search = ["c.name", "c.description", "c.campaign_identifier"], limit = 50))]
#[resource(name = "campaign", error = PromotionError)]
#[schema(as = AdminCampaign, description = "A campaign.", example = json!({
    "id": "procamp_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "name": "Summer", "campaign_identifier": "summer-26",
    "budget": { "type": "spend", "currency_code": "gbp", "limit": 500, "used": 12.5 },
}))]
pub struct Campaign {
    pub id: CampaignId,
    #[column(filter, order)]
    pub name: String,
    pub description: Option<String>,
    // Its external name, for example in links.
    #[column(filter)]
    pub campaign_identifier: String,
    pub starts_at: Option<Timestamp>,
    // The end, exclusive.
    pub ends_at: Option<Timestamp>,
    #[column(
        json,
        sql = "iif(c.budget_type is null, 'null', json_object('kind', c.budget_type, \
        'currency', c.budget_currency, 'limit', c.budget_limit, 'used', c.budget_used))"
    )]
    #[field(relation(BudgetView))]
    #[schema(value_type = Option<BudgetView>)]
    pub budget: Option<CampaignBudget>,
    pub metadata: Metadata,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "BudgetView")]
pub struct CampaignBudget {
    pub kind: BudgetType,
    /// The currency of a `spend` budget.
    pub currency: Option<Currency>,
    /// The maximum in minor units or uses; none for no limit.
    pub limit: Option<i64>,
    /// The used amount, in the same unit.
    pub used: i64,
}

/// The budget of a campaign.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "campaign budget")]
pub(crate) struct BudgetView {
    #[serde(rename = "type")]
    kind: BudgetType,
    currency_code: Option<Currency>,
    /// In major units or uses.
    limit: Option<Amount>,
    /// In the same unit.
    used: Amount,
}

impl From<CampaignBudget> for BudgetView {
    fn from(budget: CampaignBudget) -> Self {
        let shown = |units: i64| match (budget.kind, budget.currency) {
            (BudgetType::Spend, Some(currency)) => currency.amount(units),
            (BudgetType::Spend, None) | (BudgetType::Usage, _) => Decimal::from(units).into(),
        };
        Self {
            kind: budget.kind,
            currency_code: budget.currency,
            limit: budget.limit.map(shown),
            used: shown(budget.used),
        }
    }
}

impl Promotion {
    /// Returns the promotion with an id, with its rules and its campaign.
    pub(super) fn whole(tx: &Tx<'_>, id: &PromotionId) -> Result<Self, PromotionError> {
        let mut promotion = Self::require::<PromotionError>(tx, id)?;
        complete(tx, std::slice::from_mut(&mut promotion))?;
        Ok(promotion)
    }

    /// Returns its discount; none if its value cannot be computed, such as an amount without a currency.
    pub fn allocation(&self) -> Option<Method> {
        let value = match self.application_type {
            ValueType::Fixed => Value::Fixed(self.value.minor(self.value_currency?).ok()?),
            ValueType::Percentage => Value::percent(self.value.decimal())?,
        };
        let buy_get = match self.kind {
            PromotionType::Standard => None,
            PromotionType::Buyget => Some(BuyGet {
                buy_rules: self.rules(RuleKind::Buy),
                buy_quantity: self.buy_rules_min_quantity.unwrap_or(1),
                get_quantity: self.apply_to_quantity.unwrap_or(1),
            }),
        };
        Some(Method {
            value,
            target: self.target_type,
            spread: self.allocation.unwrap_or(Spread::Across),
            is_tax_inclusive: self.is_tax_inclusive,
            max_quantity: self.max_quantity,
            target_rules: self.rules(RuleKind::Target),
            buy_get,
            budget: self.campaign.as_ref().and_then(Campaign::budget_left),
        })
    }

    fn rules(&self, kind: RuleKind) -> Vec<Rule> {
        let rules = self.rules.iter().filter(|rule| rule.kind == kind);
        rules.map(|rule| rule.rule.clone()).collect()
    }
}

impl Campaign {
    fn budget_left(&self) -> Option<BudgetLeft> {
        let CampaignBudget { kind, limit, used, .. } = self.budget?;
        let left = limit?.saturating_sub(used);
        Some(BudgetLeft { campaign_id: self.id.clone(), kind, left })
    }
}

/// Loads the rules and campaigns of promotions, by a fixed number of statements.
pub(super) fn complete(tx: &Tx<'_>, promotions: &mut [Promotion]) -> Result<(), PromotionError> {
    if promotions.is_empty() {
        return Ok(());
    }
    let promotion_ids = ids::list(promotions.iter().map(|promotion| promotion.id.as_str()));
    for (promotion_id, rule) in queries::rules_of(tx, &promotion_ids)? {
        if let Some(promotion) = promotions.iter_mut().find(|known| known.id == promotion_id) {
            promotion.rules.push(rule);
        }
    }
    let mut campaign_ids =
        promotions.iter().filter_map(|known| known.campaign_id.as_ref()).peekable();
    let campaigns = match campaign_ids.peek() {
        Some(_) => Campaign::find_all(tx, campaign_ids)?,
        None => Vec::new(),
    };
    for promotion in promotions {
        let of_promotion =
            campaigns.iter().find(|known| Some(&known.id) == promotion.campaign_id.as_ref());
        promotion.campaign = of_promotion.cloned();
    }
    Ok(())
}
