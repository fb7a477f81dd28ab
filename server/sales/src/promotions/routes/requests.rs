//! Request bodies of promotions and campaigns.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::Deserialize;

use crate::clock::Timestamp;
use crate::database::{Table as _, Tx};
use crate::http::{AssignTo as _, Patch, Text, ToSchema, request};
use crate::ids::{ApplicationMethodId, CampaignId, PromotionId, PromotionRuleId};
use crate::metadata::MetadataPatch;
use crate::money::{Currency, Major};
use crate::promotions::allocation::{BudgetType, Spread, TargetKind};
use crate::promotions::promotion::{
    Campaign, CampaignBudget, Promotion, PromotionStatus, PromotionType, RuleKind, StoredRule,
    ValueType,
};
use crate::promotions::rules::{self, Operator, Rule};
use crate::promotions::{PromotionError, write};

/// A promotion to create.
#[request]
#[schema(example = json!({
    "code": "TENOFF", "type": "standard", "status": "active",
    "application_method": { "type": "percentage", "target_type": "items", "allocation": "across", "value": 10 },
}))]
pub(super) struct CreatePromotionRequest {
    code: Text<100>,
    #[serde(rename = "type")]
    kind: PromotionType,
    status: Option<PromotionStatus>,
    #[serde(default)]
    is_automatic: bool,
    #[serde(default)]
    is_tax_inclusive: bool,
    #[schema(minimum = 1)]
    limit: Option<i64>,
    campaign_id: Option<CampaignId>,
    application_method: MethodRequest,
    #[serde(default)]
    rules: Vec<RuleRequest>,
    metadata: Option<MetadataPatch>,
}

/// The application method of a promotion.
#[request]
struct MethodRequest {
    #[serde(rename = "type")]
    kind: ValueType,
    target_type: TargetKind,
    allocation: Option<Spread>,
    value: Major,
    currency_code: Option<Currency>,
    #[schema(minimum = 1)]
    max_quantity: Option<i64>,
    #[schema(minimum = 1)]
    apply_to_quantity: Option<i64>,
    #[schema(minimum = 1)]
    buy_rules_min_quantity: Option<i64>,
    #[serde(default)]
    target_rules: Vec<RuleRequest>,
    #[serde(default)]
    buy_rules: Vec<RuleRequest>,
}

/// A rule that compares an attribute with values.
#[request]
pub(super) struct RuleRequest {
    /// Of the cart, such as `customer.groups.id` or `subtotal`, or of what is discounted or bought, such as
    /// `items.product.id`. The error for an unknown one lists the known ones.
    attribute: Text<100>,
    operator: Operator,
    values: OneOrMore,
    description: Option<Text<1000>>,
}

/// One value, or several.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "a text of at most 255 characters, or a list of them")]
pub(super) enum OneOrMore {
    /// One value.
    One(Text<255>),
    /// Several values.
    More(Vec<Text<255>>),
}

impl OneOrMore {
    pub(super) fn into_texts(self) -> Vec<String> {
        match self {
            Self::One(value) => vec![value.into()],
            Self::More(values) => values.into_iter().map(String::from).collect(),
        }
    }
}

impl RuleRequest {
    pub(super) fn into_rule(self, kind: RuleKind) -> Result<StoredRule, PromotionError> {
        let rule = Rule::new(self.attribute.as_str(), self.operator, self.values.into_texts())?;
        rules::check_attribute(&rule, kind)?;
        let description = self.description.map(String::from);
        Ok(StoredRule { id: PromotionRuleId::new(), kind, rule, description })
    }
}

impl CreatePromotionRequest {
    pub(super) fn create(self, tx: &Tx<'_>, _by: &str) -> Result<PromotionId, PromotionError> {
        let method = self.application_method;
        let kinds = [
            (RuleKind::Rule, self.rules),
            (RuleKind::Target, method.target_rules),
            (RuleKind::Buy, method.buy_rules),
        ];
        let mut rules = Vec::new();
        for (kind, requests) in kinds {
            for request in requests {
                rules.push(request.into_rule(kind)?);
            }
        }
        let promotion = Promotion {
            id: PromotionId::new(),
            code: self.code.into(),
            kind: self.kind,
            status: self.status.unwrap_or(PromotionStatus::Draft),
            is_automatic: self.is_automatic,
            is_tax_inclusive: self.is_tax_inclusive,
            limit: self.limit,
            used: 0,
            application_method_id: ApplicationMethodId::new(),
            application_type: method.kind,
            target_type: method.target_type,
            allocation: method.allocation,
            value: method.value,
            value_currency: method.currency_code,
            max_quantity: method.max_quantity,
            apply_to_quantity: method.apply_to_quantity,
            buy_rules_min_quantity: method.buy_rules_min_quantity,
            campaign_id: self.campaign_id,
            campaign: None,
            rules,
            metadata: self.metadata.unwrap_or_default().create()?,
            created_at: tx.now(),
            updated_at: tx.now(),
        };
        write::put(tx, &promotion)?;
        Ok(promotion.id)
    }
}

/// The fields of a promotion to change.
#[request]
#[schema(example = json!({ "status": "inactive" }))]
pub(super) struct UpdatePromotionRequest {
    code: Option<Text<100>>,
    #[serde(rename = "type")]
    kind: Option<PromotionType>,
    status: Option<PromotionStatus>,
    is_automatic: Option<bool>,
    is_tax_inclusive: Option<bool>,
    #[schema(value_type = Option<i64>, minimum = 1)]
    limit: Patch<i64>,
    #[schema(value_type = Option<CampaignId>)]
    campaign_id: Patch<CampaignId>,
    application_method: Option<UpdateMethodRequest>,
    metadata: Option<MetadataPatch>,
}

/// The fields of an application method to change.
#[request]
struct UpdateMethodRequest {
    #[serde(rename = "type")]
    kind: Option<ValueType>,
    target_type: Option<TargetKind>,
    #[schema(value_type = Option<Spread>)]
    allocation: Patch<Spread>,
    value: Option<Major>,
    #[schema(value_type = Option<Currency>)]
    currency_code: Patch<Currency>,
    #[schema(value_type = Option<i64>, minimum = 1)]
    max_quantity: Patch<i64>,
    #[schema(value_type = Option<i64>, minimum = 1)]
    apply_to_quantity: Patch<i64>,
    #[schema(value_type = Option<i64>, minimum = 1)]
    buy_rules_min_quantity: Patch<i64>,
}

impl UpdatePromotionRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &PromotionId) -> Result<(), PromotionError> {
        let mut promotion = Promotion::whole(tx, id)?;
        crate::assign!(self => promotion: code, kind, status, is_automatic, is_tax_inclusive, limit,
            campaign_id);
        if let Some(method) = self.application_method {
            method.apply(&mut promotion);
        }
        promotion.metadata.merge(self.metadata)?;
        write::put(tx, &promotion)
    }
}

impl UpdateMethodRequest {
    fn apply(self, promotion: &mut Promotion) {
        crate::assign!(self => promotion: target_type, allocation, value, max_quantity, apply_to_quantity,
            buy_rules_min_quantity);
        self.kind.assign_to(&mut promotion.application_type);
        self.currency_code.assign_to(&mut promotion.value_currency);
    }
}

/// A campaign to create.
#[request]
#[schema(example = json!({
    "name": "Summer", "campaign_identifier": "summer-26",
    "budget": { "type": "spend", "currency_code": "gbp", "limit": 500 },
}))]
pub(super) struct CreateCampaignRequest {
    name: Text<255>,
    description: Option<Text<2000>>,
    campaign_identifier: Text<100>,
    starts_at: Option<Timestamp>,
    ends_at: Option<Timestamp>,
    budget: Option<BudgetRequest>,
    metadata: Option<MetadataPatch>,
}

/// The budget of a campaign.
#[request]
struct BudgetRequest {
    #[serde(rename = "type")]
    kind: BudgetType,
    currency_code: Option<Currency>,
    limit: Option<Major>,
}

impl BudgetRequest {
    fn into_budget(self) -> Result<CampaignBudget, PromotionError> {
        let (kind, currency) = (self.kind, self.currency_code);
        let limit = self.limit.map(|limit| limit_units(kind, currency, limit)).transpose()?;
        Ok(CampaignBudget { kind, currency, limit, used: 0 })
    }
}

fn limit_units(
    kind: BudgetType,
    currency: Option<Currency>,
    limit: Major,
) -> Result<i64, PromotionError> {
    match (kind, currency) {
        (BudgetType::Spend, Some(currency)) => Ok(limit.minor(currency)?),
        (BudgetType::Spend, None) | (BudgetType::Usage, _) => {
            let whole = Some(limit.decimal()).filter(|limit| limit.fract().is_zero());
            let whole = whole.as_ref().and_then(Decimal::to_i64);
            whole.ok_or(PromotionError::Incoherent("`budget.limit` must be a whole number of uses"))
        }
    }
}

impl CreateCampaignRequest {
    pub(super) fn create(self, tx: &Tx<'_>, _by: &str) -> Result<CampaignId, PromotionError> {
        let campaign = Campaign {
            id: CampaignId::new(),
            name: self.name.into(),
            description: self.description.map(String::from),
            campaign_identifier: self.campaign_identifier.into(),
            starts_at: self.starts_at,
            ends_at: self.ends_at,
            budget: self.budget.map(BudgetRequest::into_budget).transpose()?,
            metadata: self.metadata.unwrap_or_default().create()?,
            created_at: tx.now(),
            updated_at: tx.now(),
        };
        write::put_campaign(tx, &campaign)?;
        Ok(campaign.id)
    }
}

/// The fields of a campaign to change.
#[request]
#[schema(example = json!({ "ends_at": "2026-12-31T00:00:00.000Z" }))]
pub(super) struct UpdateCampaignRequest {
    name: Option<Text<255>>,
    description: Patch<Text<2000>>,
    campaign_identifier: Option<Text<100>>,
    #[schema(value_type = Option<Timestamp>)]
    starts_at: Patch<Timestamp>,
    #[schema(value_type = Option<Timestamp>)]
    ends_at: Patch<Timestamp>,
    #[schema(value_type = Option<UpdateBudgetRequest>)]
    budget: Patch<UpdateBudgetRequest>,
    metadata: Option<MetadataPatch>,
}

/// The fields of a budget to change; type and currency cannot change once it is used.
#[request]
struct UpdateBudgetRequest {
    #[serde(rename = "type")]
    kind: Option<BudgetType>,
    currency_code: Option<Currency>,
    #[schema(value_type = Option<Major>)]
    limit: Patch<Major>,
}

impl UpdateBudgetRequest {
    fn apply(self, before: Option<CampaignBudget>) -> Result<CampaignBudget, PromotionError> {
        let kind = self.kind.or(before.map(|budget| budget.kind));
        let kind = kind.ok_or(PromotionError::Incoherent("`budget.type` is required"))?;
        let currency = self.currency_code.or(before.and_then(|budget| budget.currency));
        if let Some(before) = before
            && (before.used > 0 && (before.kind != kind || before.currency != currency))
        {
            return Err(PromotionError::Incoherent(
                "the type and currency of a budget that has been used cannot change",
            ));
        }
        let limit = self.limit.try_map(|limit| limit_units(kind, currency, limit))?;
        // The previous number counts other units: cents, yen or uses.
        let is_recounted = before.is_some_and(|before| {
            before.limit.is_some() && (before.kind != kind || before.currency != currency)
        });
        if is_recounted && matches!(limit, Patch::Absent) {
            return Err(PromotionError::Incoherent(
                "`budget.limit` is required with another type or currency",
            ));
        }
        let limit = limit.apply(before.and_then(|budget| budget.limit));
        Ok(CampaignBudget { kind, currency, limit, used: before.map_or(0, |budget| budget.used) })
    }
}

impl UpdateCampaignRequest {
    pub(super) fn update(self, tx: &Tx<'_>, id: &CampaignId) -> Result<(), PromotionError> {
        let mut campaign = Campaign::require::<PromotionError>(tx, id)?;
        crate::assign!(self => campaign: name, campaign_identifier, description, starts_at, ends_at);
        campaign.budget = match self.budget {
            Patch::Absent => campaign.budget,
            Patch::Null => None,
            Patch::Value(budget) => Some(budget.apply(campaign.budget)?),
        };
        campaign.metadata.merge(self.metadata)?;
        write::put_campaign(tx, &campaign)
    }
}
