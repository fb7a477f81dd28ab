//! Statements on campaigns.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::CampaignId;
use crate::promotions::promotion::Campaign;

/// Updates the budget of a campaign, but not its used amount.
pub(crate) fn set_budget(tx: &Tx<'_>, campaign: &Campaign) -> Result<(), Error> {
    tx.sql(
        "update campaign set budget_type = :type, budget_currency = :currency, budget_limit = :limit
          where id = :id",
    )
    .run(named_params! {
        ":id": campaign.id,
        ":type": campaign.budget.map(|budget| budget.kind),
        ":currency": campaign.budget.and_then(|budget| budget.currency),
        ":limit": campaign.budget.and_then(|budget| budget.limit),
    })
}

/// Returns whether another campaign that is not deleted has the identifier.
pub(crate) fn is_identifier_taken(
    tx: &Tx<'_>,
    identifier: &str,
    id: &CampaignId,
) -> Result<bool, Error> {
    tx.sql(
        "select exists (select 1 from campaign
                         where campaign_identifier = :identifier and deleted_at is null and id <> :id)",
    )
    .one(named_params! { ":identifier": identifier, ":id": id }, |row| row.get(0))
}
