//! Statements on campaigns.

use rusqlite::{Row, named_params};

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::CampaignId;
use crate::promotions::promotion::{BudgetType, Campaign, CampaignBudget};

/// The list of campaigns.
pub(in crate::promotions) static CAMPAIGNS: Listing = Listing {
    plural: "campaigns",
    table: "campaign c",
    id: "c.id",
    columns: &[
        Column::new("id", "c.id", Kind::Id),
        Column::new("name", "c.name", Kind::Text),
        Column::filter("campaign_identifier", "c.campaign_identifier", Kind::Text),
        Column::new("created_at", "c.created_at", Kind::Time),
        Column::new("updated_at", "c.updated_at", Kind::Time),
    ],
    search: &["c.name", "c.description", "c.campaign_identifier"],
    default_limit: 50,
    default_order: "id",
    extra: &[],
};

/// Returns a page of the list and the total number.
pub(in crate::promotions) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
) -> Result<(Vec<Campaign>, u64), Error> {
    let query = query.narrow("c.deleted_at is null", []);
    Ok((query.page(tx, "c.*", read)?, query.count(tx)?))
}

/// Returns the campaigns with these ids that are not deleted.
pub(in crate::promotions) fn by_ids(tx: &Tx<'_>, ids: &str) -> Result<Vec<Campaign>, Error> {
    let mut statement = tx.prepare_cached(
        "select * from campaign
          where id in (select value from json_each(:ids)) and deleted_at is null
          order by id",
    )?;
    let found = statement.query_map(named_params! { ":ids": ids }, read)?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Campaign> {
    let kind: Option<BudgetType> = row.get("budget_type")?;
    let budget = match kind {
        None => None,
        Some(kind) => Some(CampaignBudget {
            kind,
            currency: row.get("budget_currency")?,
            limit: row.get("budget_limit")?,
            used: row.get("budget_used")?,
        }),
    };
    Ok(Campaign {
        id: row.get("id")?,
        name: row.get("name")?,
        description: row.get("description")?,
        campaign_identifier: row.get("campaign_identifier")?,
        starts_at: row.get("starts_at")?,
        ends_at: row.get("ends_at")?,
        budget,
        metadata: row.get("metadata")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

/// Inserts a campaign, or updates everything but its used budget.
pub(in crate::promotions) fn put(tx: &Tx<'_>, campaign: &Campaign) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into campaign (id, name, description, campaign_identifier, starts_at, ends_at,
                               budget_type, budget_currency, budget_limit, metadata, created_at, updated_at)
         values (:id, :name, :description, :campaign_identifier, :starts_at, :ends_at,
                 :budget_type, :budget_currency, :budget_limit, :metadata, :now, :now)
         on conflict (id) do update
            set name = excluded.name, description = excluded.description,
                campaign_identifier = excluded.campaign_identifier,
                starts_at = excluded.starts_at, ends_at = excluded.ends_at,
                budget_type = excluded.budget_type, budget_currency = excluded.budget_currency,
                budget_limit = excluded.budget_limit,
                metadata = excluded.metadata, updated_at = excluded.updated_at",
    )?
    .execute(named_params! {
        ":id": campaign.id,
        ":name": campaign.name,
        ":description": campaign.description,
        ":campaign_identifier": campaign.campaign_identifier,
        ":starts_at": campaign.starts_at,
        ":ends_at": campaign.ends_at,
        ":budget_type": campaign.budget.map(|budget| budget.kind),
        ":budget_currency": campaign.budget.and_then(|budget| budget.currency),
        ":budget_limit": campaign.budget.and_then(|budget| budget.limit),
        ":metadata": campaign.metadata,
        ":now": tx.now(),
    })?;
    Ok(())
}

/// Returns whether another campaign that is not deleted has the identifier.
pub(in crate::promotions) fn is_identifier_taken(
    tx: &Tx<'_>,
    identifier: &str,
    id: &CampaignId,
) -> Result<bool, Error> {
    let is_taken = tx
        .prepare_cached(
            "select exists (select 1 from campaign
                             where campaign_identifier = :identifier and deleted_at is null and id <> :id)",
        )?
        .query_row(named_params! { ":identifier": identifier, ":id": id }, |row| row.get(0))?;
    Ok(is_taken)
}

/// Marks a campaign as deleted; returns `false` if it does not exist.
pub(in crate::promotions) fn delete(tx: &Tx<'_>, id: &CampaignId) -> Result<bool, Error> {
    let count = tx
        .prepare_cached(
            "update campaign set deleted_at = :now, updated_at = :now where id = :id and deleted_at is null",
        )?
        .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(count > 0)
}
