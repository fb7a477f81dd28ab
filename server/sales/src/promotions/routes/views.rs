//! The views of promotions and campaigns.

use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::listing::ListQuery;
use crate::database::{Listable as _, Tx};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{ApplicationMethodId, CampaignId, PromotionId, PromotionRuleId};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::promotions::PromotionError;
use crate::promotions::allocation::{Spread, TargetKind};
use crate::promotions::promotion::{
    Campaign, Promotion, PromotionStatus, PromotionType, RuleKind, StoredRule, ValueType, complete,
};
use crate::promotions::rules::Operator;
use crate::resource::View;

/// A promotion.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "promotion", rows = Promotion)]
#[schema(as = AdminPromotion, example = json!({
    "id": "promo_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "code": "TENOFF", "type": "standard", "status": "active",
    "application_method": { "type": "percentage", "target_type": "items", "allocation": "across", "value": 10 },
}))]
pub(super) struct PromotionView {
    id: PromotionId,
    code: String,
    #[serde(rename = "type")]
    kind: PromotionType,
    status: PromotionStatus,
    is_automatic: bool,
    is_tax_inclusive: bool,
    limit: Option<i64>,
    used: i64,
    campaign_id: Option<CampaignId>,
    #[field(relation)]
    application_method: MethodView,
    #[field(relation)]
    rules: Vec<RuleView>,
    #[field(relation)]
    campaign: Option<Campaign>,
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
    deleted_at: Option<Timestamp>,
}

/// The application method of a promotion.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "application method")]
pub(super) struct MethodView {
    id: ApplicationMethodId,
    #[serde(rename = "type")]
    kind: ValueType,
    target_type: TargetKind,
    allocation: Option<Spread>,
    /// Per cent, or an amount in major units.
    value: Amount,
    currency_code: Option<Currency>,
    max_quantity: Option<i64>,
    apply_to_quantity: Option<i64>,
    buy_rules_min_quantity: Option<i64>,
    promotion_id: PromotionId,
    created_at: Timestamp,
    updated_at: Timestamp,
    #[field(relation)]
    target_rules: Vec<RuleView>,
    #[field(relation)]
    buy_rules: Vec<RuleView>,
}

/// A rule of a promotion.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "promotion rule")]
pub(super) struct RuleView {
    id: PromotionRuleId,
    attribute: String,
    operator: Operator,
    values: Vec<RuleValueView>,
    description: Option<String>,
}

/// A value of a rule.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct RuleValueView {
    value: String,
}

impl View for PromotionView {
    type Row = Promotion;
    type Error = PromotionError;

    fn show(tx: &Tx<'_>, id: &PromotionId, _selection: &Selection) -> Result<Self, PromotionError> {
        Ok(Promotion::whole(tx, id)?.into())
    }

    fn page(
        tx: &Tx<'_>,
        query: ListQuery,
        _selection: &Selection,
    ) -> Result<(Vec<Self>, u64), PromotionError> {
        let (mut promotions, count) = Promotion::page(tx, query)?;
        complete(tx, &mut promotions)?;
        Ok((promotions.into_iter().map(Self::from).collect(), count))
    }
}

impl From<Promotion> for PromotionView {
    fn from(promotion: Promotion) -> Self {
        Self {
            application_method: MethodView::new(&promotion),
            rules: rules_of(&promotion, RuleKind::Rule),
            id: promotion.id,
            code: promotion.code,
            kind: promotion.kind,
            status: promotion.status,
            is_automatic: promotion.is_automatic,
            is_tax_inclusive: promotion.is_tax_inclusive,
            limit: promotion.limit,
            used: promotion.used,
            campaign_id: promotion.campaign_id,
            campaign: promotion.campaign,
            metadata: promotion.metadata,
            created_at: promotion.created_at,
            updated_at: promotion.updated_at,
            deleted_at: None,
        }
    }
}

impl MethodView {
    fn new(promotion: &Promotion) -> Self {
        Self {
            id: promotion.application_method_id.clone(),
            kind: promotion.application_type,
            target_type: promotion.target_type,
            allocation: promotion.allocation,
            value: promotion.value.decimal().into(),
            currency_code: promotion.value_currency,
            max_quantity: promotion.max_quantity,
            apply_to_quantity: promotion.apply_to_quantity,
            buy_rules_min_quantity: promotion.buy_rules_min_quantity,
            promotion_id: promotion.id.clone(),
            created_at: promotion.created_at,
            updated_at: promotion.updated_at,
            target_rules: rules_of(promotion, RuleKind::Target),
            buy_rules: rules_of(promotion, RuleKind::Buy),
        }
    }
}

pub(super) fn rules_of(promotion: &Promotion, kind: RuleKind) -> Vec<RuleView> {
    let rules = promotion.rules.iter().filter(|rule| rule.kind == kind);
    rules.map(RuleView::new).collect()
}

impl RuleView {
    pub(super) fn new(stored: &StoredRule) -> Self {
        let values = stored.rule.values().iter();
        Self {
            id: stored.id.clone(),
            attribute: stored.rule.attribute().to_owned(),
            operator: stored.rule.operator(),
            values: values.map(|value| RuleValueView { value: value.clone() }).collect(),
            description: stored.description.clone(),
        }
    }
}
