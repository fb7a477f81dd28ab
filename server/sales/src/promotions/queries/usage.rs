//! Statements on the uses of promotions and the used budgets of campaigns.

use std::collections::BTreeMap;

use rusqlite::named_params;

use crate::database::{Error, FromRow, Stored, Tx};
use crate::ids::{CampaignId, OrderId, PromotionId};

/// Adds `change` to the number of uses of each promotion.
pub(crate) fn count_uses(tx: &Tx<'_>, promotion_ids: &str, change: i64) -> Result<(), Error> {
    tx.sql(
        "update promotion set used_count = max(used_count + :change, 0), updated_at = :now
          where id in (select value from json_each(:ids))",
    )
    .run(named_params! { ":ids": promotion_ids, ":change": change, ":now": tx.now() })
}

/// Adds to the used budgets of campaigns.
pub(crate) fn change_budgets(
    tx: &Tx<'_>,
    changes: &BTreeMap<CampaignId, i64>,
) -> Result<(), Error> {
    tx.sql(
        "update campaign set budget_used = max(campaign.budget_used + change.value, 0), updated_at = :now
           from json_each(:changes) as change
          where campaign.id = change.key",
    )
    .run(named_params! { ":changes": Stored(changes), ":now": tx.now() })
}

/// A promotion's discount on an order.
#[derive(Debug, FromRow)]
pub(crate) struct RedemptionRow {
    pub(crate) promotion_id: PromotionId,
    pub(crate) campaign_id: Option<CampaignId>,
    pub(crate) amount_minor: i64,
}

/// Returns the discount of each promotion on an order.
pub(crate) fn redemptions(tx: &Tx<'_>, order_id: &OrderId) -> Result<Vec<RedemptionRow>, Error> {
    tx.sql("select promotion_id, campaign_id, amount_minor from order_promotion where order_id = :order_id")
        .all(named_params! { ":order_id": order_id }, RedemptionRow::from_row)
}
