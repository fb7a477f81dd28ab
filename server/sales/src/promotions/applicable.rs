//! The promotions that apply to a cart.

use super::allocation::{MAX_PROMOTIONS, Method};
use super::error::PromotionError;
use super::promotion::Promotion;
use super::rules::{Facts, Refusal, Shopper, eligible};
use super::{queries, read};
use crate::database::Tx;
use crate::ids::{self, PromotionId};
use crate::money::Currency;

/// A promotion that applies to a cart.
#[derive(Debug, Clone)]
pub struct Applicable {
    pub id: PromotionId,
    pub code: String,
    /// The discount and its targets.
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
    read::complete(tx, &mut candidates)?;
    let rank = |promotion: &Promotion| {
        codes.iter().position(|code| *code == promotion.code).unwrap_or(usize::MAX)
    };
    candidates.sort_by_key(rank);
    let (currency, facts) = (currency.to_string(), facts());
    let shopper = Shopper { currency: &currency, now_ms: tx.now().as_millis(), facts: &facts };
    let applying = candidates.into_iter().filter_map(|promotion| {
        eligible(&promotion.terms(), &shopper).ok()?;
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
    let mut candidates = candidates(tx, codes)?;
    read::complete(tx, &mut candidates)?;
    let (currency, facts) = (currency.to_string(), Facts::default());
    let shopper = Shopper { currency: &currency, now_ms: tx.now().as_millis(), facts: &facts };
    let is_usable = |code: &String| {
        let promotion = candidates.iter().find(|promotion| promotion.code == *code);
        promotion.is_some_and(|promotion| match eligible(&promotion.terms(), &shopper) {
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

fn candidates(tx: &Tx<'_>, codes: &[String]) -> Result<Vec<Promotion>, PromotionError> {
    Ok(queries::candidates(tx, &ids::list(codes))?)
}
