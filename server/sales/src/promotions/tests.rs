//! Promotions for tests, and a table of those that apply.

use rust_decimal::Decimal;

use super::allocation::{BudgetType, Spread, TargetKind};
use super::applicable::{Refusal, eligible};
use super::promotion::{
    Campaign, CampaignBudget, Promotion, PromotionStatus, PromotionType, RuleKind, StoredRule,
    ValueType,
};
use super::rules::{Facts, Operator, Rule};
use crate::clock::Timestamp;
use crate::ids::{ApplicationMethodId, CampaignId, PromotionId, PromotionRuleId};
use crate::metadata::Metadata;
use crate::money::Currency;

/// Returns a promotion that takes ten per cent off the items, by code.
pub(crate) fn ten_off(code: &str) -> Promotion {
    Promotion {
        id: PromotionId::new(),
        code: code.to_owned(),
        kind: PromotionType::Standard,
        status: PromotionStatus::Active,
        is_automatic: false,
        is_tax_inclusive: false,
        limit: None,
        used: 0,
        application_method_id: ApplicationMethodId::new(),
        application_type: ValueType::Percentage,
        target_type: TargetKind::Items,
        allocation: Some(Spread::Across),
        value: Decimal::TEN.into(),
        value_currency: None,
        max_quantity: None,
        apply_to_quantity: None,
        buy_rules_min_quantity: None,
        campaign_id: None,
        campaign: None,
        rules: Vec::new(),
        metadata: Metadata::default(),
        created_at: Timestamp::from_millis(0),
        updated_at: Timestamp::from_millis(0),
    }
}

/// Returns a campaign without dates.
pub(crate) fn campaign(budget: Option<CampaignBudget>) -> Campaign {
    Campaign {
        id: CampaignId::new(),
        name: "Summer".to_owned(),
        description: None,
        campaign_identifier: "summer".to_owned(),
        starts_at: None,
        ends_at: None,
        budget,
        metadata: Metadata::default(),
        created_at: Timestamp::from_millis(0),
        updated_at: Timestamp::from_millis(0),
    }
}

pub(crate) fn spend(currency: &str, limit: i64, used: i64) -> CampaignBudget {
    let currency = Some(currency.parse().unwrap());
    CampaignBudget { kind: BudgetType::Spend, currency, limit: Some(limit), used }
}

pub(crate) fn rule(kind: RuleKind, attribute: &str, operator: Operator, value: &str) -> StoredRule {
    let rule = Rule::new(attribute, operator, vec![value.to_owned()]).unwrap();
    StoredRule { id: PromotionRuleId::new(), kind, rule, description: None }
}

#[test]
fn a_promotion_applies_unless_one_of_its_terms_refuses() {
    let plain = || ten_off("TEN");
    let fixed = |code: &str| Promotion {
        application_type: ValueType::Fixed,
        value_currency: Some(code.parse().unwrap()),
        ..plain()
    };
    let dates = |starts_at: Option<i64>, ends_at: Option<i64>| Promotion {
        campaign: Some(Campaign {
            starts_at: starts_at.map(Timestamp::from_millis),
            ends_at: ends_at.map(Timestamp::from_millis),
            ..campaign(None)
        }),
        ..plain()
    };
    let budget = |budget| Promotion { campaign: Some(campaign(Some(budget))), ..plain() };
    let usage = |used| {
        budget(CampaignBudget { kind: BudgetType::Usage, currency: None, limit: Some(2), used })
    };
    let in_euros = |other: Promotion| Promotion {
        application_type: ValueType::Fixed,
        value_currency: Some("eur".parse().unwrap()),
        ..other
    };
    let rules = |region| Promotion {
        rules: vec![rule(RuleKind::Rule, "region_id", Operator::Eq, region)],
        ..plain()
    };
    let facts = Facts::default().with("region_id", "us");
    let (usd, now) = (Currency::from_code("usd").unwrap(), Timestamp::from_millis(100));
    for (promotion, expected) in [
        (plain(), Ok(())),
        (Promotion { status: PromotionStatus::Draft, ..plain() }, Err(Refusal::NotActive)),
        (Promotion { status: PromotionStatus::Inactive, ..plain() }, Err(Refusal::NotActive)),
        (Promotion { limit: Some(1), used: 0, ..plain() }, Ok(())),
        (Promotion { limit: Some(1), used: 1, ..plain() }, Err(Refusal::UsedUp)),
        (fixed("usd"), Ok(())),
        (fixed("eur"), Err(Refusal::OtherCurrency)),
        (dates(Some(100), Some(101)), Ok(())),
        (dates(Some(101), None), Err(Refusal::NotStarted)),
        (dates(None, Some(100)), Err(Refusal::Ended)),
        (in_euros(dates(Some(101), None)), Err(Refusal::NotStarted)),
        (in_euros(dates(None, Some(100))), Err(Refusal::Ended)),
        (in_euros(usage(2)), Err(Refusal::BudgetSpent)),
        (budget(spend("usd", 10, 9)), Ok(())),
        (budget(spend("usd", 10, 10)), Err(Refusal::BudgetSpent)),
        (budget(spend("eur", 10, 0)), Err(Refusal::OtherCurrency)),
        (budget(spend("eur", 10, 10)), Err(Refusal::BudgetSpent)),
        (usage(1), Ok(())),
        (usage(2), Err(Refusal::BudgetSpent)),
        (rules("us"), Ok(())),
        (rules("eu"), Err(Refusal::RulesUnmet)),
    ] {
        assert_eq!(eligible(&promotion, usd, now, &facts), expected, "{promotion:?}");
    }
}
