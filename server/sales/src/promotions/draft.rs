//! Validation of promotions and campaigns.

use rust_decimal::Decimal;

use super::allocation::{TargetKind, Value};
use super::error::PromotionError;
use super::promotion::{
    BudgetType, Campaign, Promotion, PromotionType, RuleKind, StoredRule, ValueType,
};
use super::rules;
use crate::money::Major;

pub(super) fn check(promotion: &Promotion) -> Result<(), PromotionError> {
    check_value(promotion)?;
    check_pieces(promotion)?;
    if promotion.limit.is_some_and(|limit| limit < 1) {
        return Err(PromotionError::Incoherent("`limit` must be at least 1"));
    }
    if promotion.limit.is_some_and(|limit| limit < promotion.used) {
        return Err(PromotionError::Incoherent("`limit` is below what has been used"));
    }
    check_rules(&promotion.rules)
}

/// Refuses more rules of one kind than the limit.
pub(super) fn check_rules(rules: &[StoredRule]) -> Result<(), PromotionError> {
    for kind in [RuleKind::Rule, RuleKind::Target, RuleKind::Buy] {
        rules::check_count(rules.iter().filter(|rule| rule.kind == kind).count())?;
    }
    Ok(())
}

fn check_value(promotion: &Promotion) -> Result<(), PromotionError> {
    let method = &promotion.method;
    match (method.kind, method.currency) {
        (ValueType::Percentage, _) => match Value::percent(method.value) {
            Some(_) => Ok(()),
            None => Err(PromotionError::Incoherent(
                "a percentage is from 0 to 100 with at most four decimals",
            )),
        },
        (ValueType::Fixed, None) => {
            Err(PromotionError::Incoherent("an amount needs `currency_code`"))
        }
        (ValueType::Fixed, Some(currency)) => {
            if method.value < Decimal::ZERO {
                return Err(PromotionError::Incoherent("`value` must not be below zero"));
            }
            Major::from(method.value).minor(currency)?;
            Ok(())
        }
    }
}

fn check_pieces(promotion: &Promotion) -> Result<(), PromotionError> {
    let method = &promotion.method;
    let counts = [method.max_quantity, method.apply_to_quantity, method.buy_rules_min_quantity];
    if counts.into_iter().flatten().any(|count| count < 1) {
        return Err(PromotionError::Incoherent("quantities must be at least 1"));
    }
    match promotion.kind {
        PromotionType::Buyget if method.target != TargetKind::Items => {
            Err(PromotionError::Incoherent("pieces can only be given of items"))
        }
        PromotionType::Buyget
            if method.apply_to_quantity.is_none() || method.buy_rules_min_quantity.is_none() =>
        {
            Err(PromotionError::Incoherent(
                "`apply_to_quantity` and `buy_rules_min_quantity` are required for pieces given",
            ))
        }
        PromotionType::Standard | PromotionType::Buyget => Ok(()),
    }
}

pub(super) fn check_campaign(campaign: &Campaign) -> Result<(), PromotionError> {
    if let (Some(starts_at), Some(ends_at)) = (campaign.starts_at, campaign.ends_at)
        && ends_at <= starts_at
    {
        return Err(PromotionError::Incoherent("`ends_at` must be after `starts_at`"));
    }
    let Some(budget) = campaign.budget else { return Ok(()) };
    if budget.limit.is_some_and(|limit| limit < 0) {
        return Err(PromotionError::Incoherent("`budget.limit` must not be below zero"));
    }
    match (budget.kind, budget.currency) {
        (BudgetType::Spend, None) => {
            Err(PromotionError::Incoherent("a budget of money needs `currency_code`"))
        }
        (BudgetType::Spend, Some(_)) | (BudgetType::Usage, _) => Ok(()),
    }
}
