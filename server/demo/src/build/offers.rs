//! The promotions: a code for the first order and one for free delivery, in one campaign.

use rust_decimal::Decimal;

use crate::DemoError;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{ApplicationMethodId, CampaignId, PromotionId};
use crate::metadata::Metadata;
use crate::promotions;
use crate::promotions::allocation::{Spread, TargetKind};
use crate::promotions::promotion::{
    Campaign, Promotion, PromotionStatus, PromotionType, ValueType,
};
use crate::seed::Seed;

/// The code, the percentage, and what it discounts.
const OFFERS: &[(&str, i64, TargetKind, Spread)] = &[
    ("WELCOME10", 10, TargetKind::Items, Spread::Across),
    ("FREESHIP", 100, TargetKind::ShippingMethods, Spread::Each),
];

/// Creates the promotions, valid from `from`.
pub(super) fn make(tx: &Tx<'_>, from: Timestamp) -> Result<(), DemoError> {
    let mut seed = Seed::of("offers", 1);
    let at_ms = from.as_millis();
    let campaign = Campaign {
        id: CampaignId::seeded(at_ms, seed.id()),
        name: "Welcome".to_owned(),
        description: Some("Something off for those who are new.".to_owned()),
        campaign_identifier: "welcome".to_owned(),
        starts_at: Some(from),
        ends_at: None,
        budget: None,
        metadata: Metadata::default(),
        created_at: from,
        updated_at: from,
    };
    promotions::put_campaign(tx, &campaign)?;
    for (code, percent, target, spread) in OFFERS {
        let promotion = Promotion {
            id: PromotionId::seeded(at_ms, seed.id()),
            code: (*code).to_owned(),
            kind: PromotionType::Standard,
            status: PromotionStatus::Active,
            is_automatic: false,
            is_tax_inclusive: false,
            limit: None,
            used: 0,
            application_method_id: ApplicationMethodId::seeded(at_ms, seed.id()),
            application_type: ValueType::Percentage,
            target_type: *target,
            allocation: Some(*spread),
            value: Decimal::from(*percent).into(),
            value_currency: None,
            max_quantity: None,
            apply_to_quantity: None,
            buy_rules_min_quantity: None,
            campaign_id: Some(campaign.id.clone()),
            campaign: None,
            rules: Vec::new(),
            metadata: Metadata::default(),
            created_at: from,
            updated_at: from,
        };
        promotions::put(tx, &promotion)?;
    }
    Ok(())
}
