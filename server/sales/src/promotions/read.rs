//! Loads promotions with their rules and campaigns, by a fixed number of statements.

use super::error::PromotionError;
use super::promotion::{Campaign, Promotion};
use super::queries;
use crate::database::{Missing, Table, Tx};
use crate::ids::{self, PromotionId};

pub(super) fn find(tx: &Tx<'_>, id: &PromotionId) -> Result<Promotion, PromotionError> {
    let mut found = queries::by_ids(tx, &ids::list([&id]))?;
    complete(tx, &mut found)?;
    found.pop().ok_or_else(|| PromotionError::from(Missing::new("Promotion", id)))
}

/// Loads the rules and campaigns of promotions.
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
