//! Checks, writes and deletes promotions and campaigns.

use rust_decimal::Decimal;

use super::allocation::{BudgetType, TargetKind, Value};
use super::error::PromotionError;
use super::promotion::{Campaign, Promotion, PromotionType, RuleKind, StoredRule, ValueType};
use super::{queries, rules};
use crate::database::{Missing, Table, Tx};
use crate::ids::{self, CampaignId, PromotionId, PromotionRuleId};

pub fn put(tx: &Tx<'_>, promotion: &Promotion) -> Result<(), PromotionError> {
    check(promotion)?;
    if let Some(campaign_id) = &promotion.campaign_id {
        Campaign::require::<PromotionError>(tx, campaign_id)?;
    }
    let taken = || PromotionError::CodeTaken { code: promotion.code.clone() };
    promotion.put(tx).map_err(|error| error.or_taken(taken))?;
    queries::put_rules(tx, &promotion.id, &promotion.rules)?;
    Ok(())
}

#[derive(Debug, Default)]
pub(super) struct RuleChanges {
    pub(super) created: Vec<StoredRule>,
    /// The rules to replace, by their ids.
    pub(super) updated: Vec<StoredRule>,
    pub(super) deleted: Vec<PromotionRuleId>,
}

/// Changes the rules of one kind, all or none.
pub(super) fn change_rules(
    tx: &Tx<'_>,
    promotion: &Promotion,
    kind: RuleKind,
    changes: &RuleChanges,
) -> Result<(), PromotionError> {
    let id = &promotion.id;
    let of_kind = |id: &PromotionRuleId| {
        promotion.rules.iter().any(|rule| rule.kind == kind && rule.id == *id)
    };
    let named = changes.updated.iter().map(|rule| &rule.id).chain(&changes.deleted);
    if let Some(unknown) = named.into_iter().find(|id| !of_kind(id)) {
        return Err(PromotionError::from(Missing::new("Promotion rule", unknown)));
    }
    queries::delete_rules(tx, id, &ids::list(&changes.deleted))?;
    queries::put_rules(tx, id, &changes.updated)?;
    queries::put_rules(tx, id, &changes.created)?;
    check_rules(&Promotion::whole(tx, id)?.rules)
}

pub fn put_campaign(tx: &Tx<'_>, campaign: &Campaign) -> Result<(), PromotionError> {
    check_campaign(campaign)?;
    let identifier = &campaign.campaign_identifier;
    let taken = || PromotionError::IdentifierTaken { identifier: identifier.clone() };
    campaign.put(tx).map_err(|error| error.or_taken(taken))?;
    Ok(queries::set_budget(tx, campaign)?)
}

/// Marks a campaign as deleted. Its promotions are deactivated, because they would run without its dates and its
/// budget.
pub(super) fn delete_campaign(tx: &Tx<'_>, id: &CampaignId) -> Result<(), PromotionError> {
    Campaign::remove::<PromotionError>(tx, id)?;
    Ok(queries::retire_of(tx, id)?)
}

/// Adds promotions to a campaign and removes others.
pub(super) fn move_promotions(
    tx: &Tx<'_>,
    id: &CampaignId,
    added: &[PromotionId],
    removed: &[PromotionId],
) -> Result<(), PromotionError> {
    Campaign::require::<PromotionError>(tx, id)?;
    let found = Promotion::find_all(tx, added.iter().chain(removed))?;
    for promotion_id in added.iter().chain(removed) {
        let promotion = found.iter().find(|known| known.id == *promotion_id);
        let promotion = promotion
            .ok_or_else(|| PromotionError::from(Missing::new("Promotion", promotion_id)))?;
        if removed.contains(promotion_id) && promotion.campaign_id.as_ref() != Some(id) {
            return Err(PromotionError::from(Missing::new("Promotion", promotion_id)));
        }
    }
    queries::move_to(tx, &ids::list(removed), None, tx.now())?;
    queries::move_to(tx, &ids::list(added), Some(id), tx.now())?;
    Ok(())
}

fn check(promotion: &Promotion) -> Result<(), PromotionError> {
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
fn check_rules(rules: &[StoredRule]) -> Result<(), PromotionError> {
    for kind in [RuleKind::Rule, RuleKind::Target, RuleKind::Buy] {
        rules::check_count(rules.iter().filter(|rule| rule.kind == kind).count())?;
    }
    Ok(())
}

fn check_value(promotion: &Promotion) -> Result<(), PromotionError> {
    let decimal = promotion.value.decimal();
    match (promotion.application_type, promotion.value_currency) {
        (ValueType::Percentage, _) => match Value::percent(decimal) {
            Some(_) => Ok(()),
            None => Err(PromotionError::Incoherent(
                "a percentage is from 0 to 100 with at most four decimals",
            )),
        },
        (ValueType::Fixed, None) => {
            Err(PromotionError::Incoherent("an amount needs `currency_code`"))
        }
        (ValueType::Fixed, Some(currency)) => {
            if decimal < Decimal::ZERO {
                return Err(PromotionError::Incoherent("`value` must not be below zero"));
            }
            promotion.value.minor(currency)?;
            Ok(())
        }
    }
}

fn check_pieces(promotion: &Promotion) -> Result<(), PromotionError> {
    let Promotion { max_quantity, apply_to_quantity, buy_rules_min_quantity, .. } = *promotion;
    let counts = [max_quantity, apply_to_quantity, buy_rules_min_quantity];
    if counts.into_iter().flatten().any(|count| count < 1) {
        return Err(PromotionError::Incoherent("quantities must be at least 1"));
    }
    match promotion.kind {
        PromotionType::Buyget if promotion.target_type != TargetKind::Items => {
            Err(PromotionError::Incoherent("pieces can only be given of items"))
        }
        PromotionType::Buyget
            if apply_to_quantity.is_none() || buy_rules_min_quantity.is_none() =>
        {
            Err(PromotionError::Incoherent(
                "`apply_to_quantity` and `buy_rules_min_quantity` are required for pieces given",
            ))
        }
        PromotionType::Standard | PromotionType::Buyget => Ok(()),
    }
}

fn check_campaign(campaign: &Campaign) -> Result<(), PromotionError> {
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
