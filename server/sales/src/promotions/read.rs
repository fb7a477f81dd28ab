//! Loads promotions with their rules and campaigns, by a fixed number of statements.

use super::error::PromotionError;
use super::promotion::Promotion;
use super::queries;
use crate::database::Missing;
use crate::database::Tx;
use crate::ids::{self, CampaignId, PromotionId};

/// Returns the promotion with an id.
pub(super) fn find(tx: &Tx<'_>, id: &PromotionId) -> Result<Promotion, PromotionError> {
    let mut found = queries::promotions::by_ids(tx, &ids::list([id.as_str()]))?;
    complete(tx, &mut found)?;
    found.pop().ok_or_else(|| PromotionError::from(Missing::new("Promotion", id)))
}

/// Loads the rules and campaigns of promotions.
pub(super) fn complete(tx: &Tx<'_>, promotions: &mut [Promotion]) -> Result<(), PromotionError> {
    if promotions.is_empty() {
        return Ok(());
    }
    let promotion_ids = ids::list(promotions.iter().map(|promotion| promotion.id.as_str()));
    for (promotion_id, rule) in queries::rules::of(tx, &promotion_ids)? {
        if let Some(promotion) = promotions.iter_mut().find(|known| known.id == promotion_id) {
            promotion.rules.push(rule);
        }
    }
    let campaign_ids = promotions.iter().filter_map(|promotion| promotion.campaign_id.as_ref());
    let campaign_ids = ids::list(campaign_ids.map(CampaignId::as_str));
    let campaigns = if campaign_ids == "[]" {
        Vec::new()
    } else {
        queries::campaigns::by_ids(tx, &campaign_ids)?
    };
    for promotion in promotions {
        let of_promotion =
            campaigns.iter().find(|known| Some(&known.id) == promotion.campaign_id.as_ref());
        promotion.campaign = of_promotion.cloned();
    }
    Ok(())
}
