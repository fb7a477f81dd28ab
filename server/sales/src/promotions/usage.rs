//! The uses of promotions in orders, with their limits and their campaigns' budgets.

use std::collections::BTreeMap;

use super::error::PromotionError;
use super::promotion::{self, Campaign, Promotion};
use super::queries;
use crate::database::{Missing, Table, Tx};
use crate::ids::{self, CampaignId, OrderId};
use crate::proportion::{OutOfRange, add};

/// Counts the promotion uses of a written order in the order's own transaction, so that no limit and no budget is ever
/// exceeded. Each is of the promotion's present campaign, which gets it back if the order is canceled.
///
/// # Errors
/// [`PromotionError::UsedUp`] and [`PromotionError::BudgetSpent`] with the code; the caller must then roll back.
pub fn redeem(tx: &Tx<'_>, order_id: &OrderId) -> Result<(), PromotionError> {
    let used = queries::redemptions(tx, order_id)?;
    if used.is_empty() {
        return Ok(());
    }
    let promotion_ids = ids::list(used.iter().map(|used| used.promotion_id.as_str()));
    // An offer keeps its promotion even if the promotion has been deleted since.
    let mut promotions = queries::by_ids_or_codes(tx, &promotion_ids, "[]")?;
    promotion::complete(tx, &mut promotions)?;
    let mut spent = BTreeMap::new();
    for used in &used {
        let promotion = promotions.iter().find(|promotion| promotion.id == used.promotion_id);
        let promotion = promotion
            .ok_or_else(|| PromotionError::from(Missing::new("Promotion", &used.promotion_id)))?;
        if promotion.limit.is_some_and(|limit| promotion.used >= limit) {
            return Err(PromotionError::UsedUp { code: promotion.code.clone() });
        }
        spend(promotion, used.amount_minor, &mut spent)?;
    }
    queries::count_uses(tx, &promotion_ids, 1)?;
    queries::set_campaigns(tx, order_id)?;
    change_budgets(tx, &spent)
}

/// Reverses the promotion uses of a canceled order. The caller makes sure that this happens once per order.
pub fn give_back(tx: &Tx<'_>, order_id: &OrderId) -> Result<(), PromotionError> {
    let taken = queries::redemptions(tx, order_id)?;
    if taken.is_empty() {
        return Ok(());
    }
    let promotion_ids = ids::list(taken.iter().map(|row| row.promotion_id.as_str()));
    queries::count_uses(tx, &promotion_ids, -1)?;
    let campaign_ids = taken.iter().filter_map(|row| row.campaign_id.as_ref());
    let mut spent = BTreeMap::new();
    for campaign in Campaign::find_all(tx, campaign_ids)? {
        let Some(budget) = campaign.budget else { continue };
        let uses = taken.iter().filter(|row| row.campaign_id.as_ref() == Some(&campaign.id));
        let returned = uses.map(|row| budget.kind.units(row.amount_minor)).try_fold(0, add)?;
        spent.insert(campaign.id, returned.saturating_neg());
    }
    change_budgets(tx, &spent)
}

/// Adds a use to its campaign's used budget, if the budget allows it.
fn spend(
    promotion: &Promotion,
    amount_minor: i64,
    spent: &mut BTreeMap<CampaignId, i64>,
) -> Result<(), PromotionError> {
    let Some(campaign) = &promotion.campaign else { return Ok(()) };
    let Some(budget) = campaign.budget else { return Ok(()) };
    let so_far = spent.entry(campaign.id.clone()).or_insert(0);
    *so_far = add(*so_far, budget.kind.units(amount_minor))?;
    let total = add(budget.used, *so_far)?;
    if budget.limit.is_some_and(|limit| total > limit) {
        return Err(PromotionError::BudgetSpent { code: promotion.code.clone() });
    }
    Ok(())
}

fn change_budgets(tx: &Tx<'_>, spent: &BTreeMap<CampaignId, i64>) -> Result<(), PromotionError> {
    if spent.is_empty() {
        return Ok(());
    }
    Ok(queries::change_budgets(tx, spent)?)
}

impl From<OutOfRange> for PromotionError {
    fn from(_too_large: OutOfRange) -> Self {
        Self::Incoherent("the budget of the campaign is out of range")
    }
}
