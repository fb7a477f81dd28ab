//! Creates, changes and deletes promotions and campaigns.

use super::error::PromotionError;
use super::promotion::{Campaign, Promotion, RuleKind, StoredRule};
use super::{draft, queries, read};
use crate::database::{Missing, Table, Tx};
use crate::ids::{self, CampaignId, PromotionId, PromotionRuleId};

/// Writes a promotion with all its rules.
pub fn put(tx: &Tx<'_>, promotion: &Promotion) -> Result<(), PromotionError> {
    draft::check(promotion)?;
    if queries::promotions::is_code_taken(tx, &promotion.code, &promotion.id)? {
        return Err(PromotionError::CodeTaken { code: promotion.code.clone() });
    }
    if let Some(campaign_id) = &promotion.campaign_id {
        Campaign::require::<PromotionError>(tx, campaign_id)?;
    }
    queries::promotions::put(tx, promotion)?;
    queries::rules::put(tx, &promotion.id, &promotion.rules)?;
    Ok(())
}

/// Marks a promotion as deleted; orders that used it keep it.
pub(super) fn delete(tx: &Tx<'_>, id: &PromotionId) -> Result<(), PromotionError> {
    if queries::promotions::delete(tx, id)? {
        Ok(())
    } else {
        Err(PromotionError::from(Missing::new("Promotion", id)))
    }
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
    id: &PromotionId,
    kind: RuleKind,
    changes: &RuleChanges,
) -> Result<(), PromotionError> {
    let promotion = read::find(tx, id)?;
    let of_kind = |id: &PromotionRuleId| {
        promotion.rules.iter().any(|rule| rule.kind == kind && rule.id == *id)
    };
    let named = changes.updated.iter().map(|rule| &rule.id).chain(&changes.deleted);
    if let Some(unknown) = named.into_iter().find(|id| !of_kind(id)) {
        return Err(PromotionError::from(Missing::new("Promotion rule", unknown)));
    }
    queries::rules::delete(tx, id, &ids::list(&changes.deleted))?;
    queries::rules::put(tx, id, &changes.updated)?;
    queries::rules::put(tx, id, &changes.created)?;
    draft::check_rules(&read::find(tx, id)?.rules)
}

pub fn put_campaign(tx: &Tx<'_>, campaign: &Campaign) -> Result<(), PromotionError> {
    draft::check_campaign(campaign)?;
    let identifier = &campaign.campaign_identifier;
    if queries::campaigns::is_identifier_taken(tx, identifier, &campaign.id)? {
        return Err(PromotionError::IdentifierTaken { identifier: identifier.clone() });
    }
    campaign.put(tx)?;
    Ok(queries::campaigns::set_budget(tx, campaign)?)
}

/// Marks a campaign as deleted. Its promotions are deactivated, because they would run without its dates and its
/// budget.
pub(super) fn delete_campaign(tx: &Tx<'_>, id: &CampaignId) -> Result<(), PromotionError> {
    Campaign::remove::<PromotionError>(tx, id)?;
    Ok(queries::promotions::retire_of(tx, id)?)
}

/// Adds promotions to a campaign and removes others.
pub(super) fn move_promotions(
    tx: &Tx<'_>,
    id: &CampaignId,
    added: &[PromotionId],
    removed: &[PromotionId],
) -> Result<(), PromotionError> {
    Campaign::require::<PromotionError>(tx, id)?;
    let named = ids::list(added.iter().chain(removed));
    let found = queries::promotions::by_ids(tx, &named)?;
    for promotion_id in added.iter().chain(removed) {
        let promotion = found.iter().find(|known| known.id == *promotion_id);
        let promotion = promotion
            .ok_or_else(|| PromotionError::from(Missing::new("Promotion", promotion_id)))?;
        if removed.contains(promotion_id) && promotion.campaign_id.as_ref() != Some(id) {
            return Err(PromotionError::from(Missing::new("Promotion", promotion_id)));
        }
    }
    queries::promotions::move_to(tx, &ids::list(removed), None, tx.now())?;
    queries::promotions::move_to(tx, &ids::list(added), Some(id), tx.now())?;
    Ok(())
}
