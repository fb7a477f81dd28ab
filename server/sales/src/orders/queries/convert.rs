//! Statements on what an order refers to when it is made from a cart.

use std::collections::BTreeMap;

use rusqlite::named_params;

use crate::database::{self, Tx};
use crate::ids::{CampaignId, PromotionId};

/// Returns the campaigns of promotions that have one.
pub(crate) fn campaigns(
    tx: &Tx<'_>,
    promotions: &str,
) -> Result<BTreeMap<PromotionId, CampaignId>, database::Error> {
    tx.sql(
        "select id, campaign_id from promotion
          where id in (select value from json_each(:promotions)) and campaign_id is not null",
    )
    .all(named_params! { ":promotions": promotions }, |row| Ok((row.get(0)?, row.get(1)?)))
}
