//! The promotions that apply to a cart.

use super::allocation::{BudgetType, MAX_PROMOTIONS, Method};
use super::error::PromotionError;
use super::promotion::{self, Campaign, Promotion, PromotionStatus, RuleKind, ValueType};
use super::queries;
use super::rules::Facts;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{self, PromotionId};
use crate::money::Currency;

#[derive(Debug, Clone)]
pub struct Applicable {
    pub id: PromotionId,
    pub code: String,
    pub method: Method,
}

/// Returns the applicable promotions: those of the codes, in their order, then the automatic ones, oldest first.
/// `facts` is called only if there are candidates.
pub fn applicable(
    tx: &Tx<'_>,
    codes: &[String],
    currency: Currency,
    facts: impl FnOnce() -> Facts,
) -> Result<Vec<Applicable>, PromotionError> {
    let mut candidates = candidates(tx, codes)?;
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let rank = |promotion: &Promotion| {
        codes.iter().position(|code| *code == promotion.code).unwrap_or(usize::MAX)
    };
    candidates.sort_by_key(rank);
    let facts = facts();
    let applying = candidates.into_iter().filter_map(|promotion| {
        eligible(&promotion, currency, tx.now(), &facts).ok()?;
        let method = promotion.allocation()?;
        Some(Applicable { id: promotion.id, code: promotion.code, method })
    });
    Ok(applying.take(MAX_PROMOTIONS).collect())
}

/// Rejects codes whose promotion does not exist, is not running, or is used up. A code whose rules the cart does not
/// meet is accepted, because the cart may meet them later.
pub fn check_codes(
    tx: &Tx<'_>,
    codes: &[String],
    currency: Currency,
) -> Result<(), PromotionError> {
    let (candidates, facts) = (candidates(tx, codes)?, Facts::default());
    let is_usable = |code: &String| {
        let promotion = candidates.iter().find(|promotion| promotion.code == *code);
        promotion.is_some_and(|promotion| match eligible(promotion, currency, tx.now(), &facts) {
            Ok(()) | Err(Refusal::RulesUnmet | Refusal::OtherCurrency) => true,
            Err(
                Refusal::NotActive
                | Refusal::NotStarted
                | Refusal::Ended
                | Refusal::UsedUp
                | Refusal::BudgetSpent,
            ) => false,
        })
    };
    match codes.iter().find(|code| !is_usable(code)) {
        Some(code) => Err(PromotionError::InvalidCode { code: code.clone() }),
        None => Ok(()),
    }
}

/// Returns the promotions with these ids and codes, without rules and campaign, for the view of a cart or an order.
pub fn of_cart(
    tx: &Tx<'_>,
    promotion_ids: &[&PromotionId],
    codes: &[String],
) -> Result<Vec<Promotion>, PromotionError> {
    if promotion_ids.is_empty() && codes.is_empty() {
        return Ok(Vec::new());
    }
    let promotion_ids = ids::list(promotion_ids);
    let codes = ids::list(codes);
    Ok(queries::by_ids_or_codes(tx, &promotion_ids, &codes)?)
}

/// Returns the candidates for a cart with their rules and campaigns.
fn candidates(tx: &Tx<'_>, codes: &[String]) -> Result<Vec<Promotion>, PromotionError> {
    let mut candidates = queries::candidates(tx, &ids::list(codes))?;
    promotion::complete(tx, &mut candidates)?;
    Ok(candidates)
}

/// Why a promotion does not apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    NotActive,
    NotStarted,
    Ended,
    UsedUp,
    BudgetSpent,
    OtherCurrency,
    RulesUnmet,
}

/// Checks that a promotion applies to a cart in a currency and with these attributes.
pub(super) fn eligible(
    promotion: &Promotion,
    currency: Currency,
    now: Timestamp,
    facts: &Facts,
) -> Result<(), Refusal> {
    match promotion.status {
        PromotionStatus::Draft | PromotionStatus::Inactive => return Err(Refusal::NotActive),
        PromotionStatus::Active => {}
    }
    if promotion.limit.is_some_and(|limit| promotion.used >= limit) {
        return Err(Refusal::UsedUp);
    }
    // A cart of another currency may get this one; a campaign that is over remains so.
    if let Some(campaign) = &promotion.campaign {
        runs(campaign, currency, now)?;
    }
    if promotion.application_type == ValueType::Fixed
        && promotion.value_currency.is_some_and(|own| own != currency)
    {
        return Err(Refusal::OtherCurrency);
    }
    let mut rules = promotion.rules.iter().filter(|stored| stored.kind == RuleKind::Rule);
    if rules.all(|stored| stored.rule.holds(facts)) { Ok(()) } else { Err(Refusal::RulesUnmet) }
}

fn runs(campaign: &Campaign, currency: Currency, now: Timestamp) -> Result<(), Refusal> {
    if campaign.starts_at.is_some_and(|start| now < start) {
        return Err(Refusal::NotStarted);
    }
    if campaign.ends_at.is_some_and(|end| now >= end) {
        return Err(Refusal::Ended);
    }
    match campaign.budget {
        Some(budget) if budget.limit.is_some_and(|limit| budget.used >= limit) => {
            Err(Refusal::BudgetSpent)
        }
        // Discounts in other currencies do not count.
        Some(budget) if budget.kind == BudgetType::Spend && budget.currency != Some(currency) => {
            Err(Refusal::OtherCurrency)
        }
        Some(_) | None => Ok(()),
    }
}
