//! The SQL of promotions, their rules and uses, and of campaigns.

use std::collections::BTreeMap;

use rusqlite::types::Type;
use rusqlite::{Row, named_params};
use serde_json::{Value, json};

use super::promotion::{Campaign, Promotion, StoredRule};
use super::rules::Rule;
use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Record as _, Stored, Tx};
use crate::ids::{CampaignId, OrderId, PromotionId};

/// Returns the promotions with these ids, also deleted ones, or with these codes.
pub(crate) fn by_ids_or_codes(
    tx: &Tx<'_>,
    ids: &str,
    codes: &str,
) -> Result<Vec<Promotion>, Error> {
    let rest = "where p.id in (select value from json_each(:ids)
                        union
                       select id from promotion
                        where deleted_at is null and code in (select value from json_each(:codes)))
          order by p.id";
    Promotion::select(tx, rest, named_params! { ":ids": ids, ":codes": codes })
}

/// Returns the candidates for a cart: the promotions of its codes, and the active automatic ones.
pub(crate) fn candidates(tx: &Tx<'_>, codes: &str) -> Result<Vec<Promotion>, Error> {
    let rest = "where p.id in (select id from promotion
                        where is_automatic = 1 and deleted_at is null and status = 'active'
                        union
                       select id from promotion
                        where deleted_at is null and code in (select value from json_each(:codes)))
          order by p.id";
    Promotion::select(tx, rest, named_params! { ":codes": codes })
}

/// Removes all promotions from a campaign and deactivates them.
pub(crate) fn retire_of(tx: &Tx<'_>, campaign_id: &CampaignId) -> Result<(), Error> {
    tx.sql(
        "update promotion set campaign_id = null, status = 'inactive', updated_at = :now
          where campaign_id = :campaign_id",
    )
    .run(named_params! { ":campaign_id": campaign_id, ":now": tx.now() })
}

/// Adds promotions to a campaign, or removes them from theirs.
pub(crate) fn move_to(
    tx: &Tx<'_>,
    ids: &str,
    campaign_id: Option<&CampaignId>,
    now: Timestamp,
) -> Result<usize, Error> {
    tx.sql(
        "update promotion set campaign_id = :campaign_id, updated_at = :now
          where id in (select value from json_each(:ids)) and deleted_at is null",
    )
    .execute(named_params! { ":ids": ids, ":campaign_id": campaign_id, ":now": now })
}

/// Updates the budget of a campaign. Its used amount stays while it counts the same units; it counts anew after the budget
/// was removed.
pub(crate) fn set_budget(tx: &Tx<'_>, campaign: &Campaign) -> Result<(), Error> {
    tx.sql(
        "update campaign
            set budget_used = iif(budget_type is :type and budget_currency is :currency, budget_used, 0),
                budget_type = :type, budget_currency = :currency, budget_limit = :limit
          where id = :id",
    )
    .run(named_params! {
        ":id": campaign.id,
        ":type": campaign.budget.map(|budget| budget.kind),
        ":currency": campaign.budget.and_then(|budget| budget.currency),
        ":limit": campaign.budget.and_then(|budget| budget.limit),
    })
}

/// Returns the rules of several promotions, each with the promotion's id.
pub(crate) fn rules_of(
    tx: &Tx<'_>,
    promotion_ids: &str,
) -> Result<Vec<(PromotionId, StoredRule)>, Error> {
    tx.sql(
        "select promotion_id, id, kind, attribute, operator, values_json, description
           from promotion_rule
          where promotion_id in (select value from json_each(:ids))
          order by promotion_id, id",
    )
    .all(named_params! { ":ids": promotion_ids }, |row| Ok((row.get("promotion_id")?, rule(row)?)))
}

fn rule(row: &Row<'_>) -> rusqlite::Result<StoredRule> {
    let broken = |error: Box<dyn std::error::Error + Send + Sync>| {
        rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error)
    };
    let attribute: String = row.get("attribute")?;
    let values: String = row.get("values_json")?;
    let values = serde_json::from_str(&values).map_err(|error| broken(error.into()))?;
    let rule = Rule::new(&attribute, row.get("operator")?, values);
    Ok(StoredRule {
        id: row.get("id")?,
        kind: row.get("kind")?,
        rule: rule.map_err(|error| broken(error.into()))?,
        description: row.get("description")?,
    })
}

pub(crate) fn put_rules(
    tx: &Tx<'_>,
    promotion_id: &PromotionId,
    rules: &[StoredRule],
) -> Result<(), Error> {
    let written = |stored: &StoredRule| {
        json!({
            "id": stored.id, "kind": stored.kind.as_str(), "attribute": stored.rule.attribute(),
            "operator": stored.rule.operator().as_str(), "values": stored.rule.values(),
            "description": stored.description,
        })
    };
    let rules: Vec<Value> = rules.iter().map(written).collect();
    tx.sql(
        "insert into promotion_rule (id, promotion_id, kind, attribute, operator, values_json, description)
         select value ->> 'id', :promotion_id, value ->> 'kind', value ->> 'attribute', value ->> 'operator',
                value ->> 'values', value ->> 'description'
           from json_each(:rules) where true
         on conflict (id) do update
            set attribute = excluded.attribute, operator = excluded.operator,
                values_json = excluded.values_json, description = excluded.description",
    )
    .run(named_params! { ":promotion_id": promotion_id, ":rules": Stored(rules) })
}

/// Deletes rules of a promotion; returns their number.
pub(crate) fn delete_rules(
    tx: &Tx<'_>,
    promotion_id: &PromotionId,
    ids: &str,
) -> Result<usize, Error> {
    tx.sql(
        "delete from promotion_rule
          where promotion_id = :promotion_id and id in (select value from json_each(:ids))",
    )
    .execute(named_params! { ":promotion_id": promotion_id, ":ids": ids })
}

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

/// Stores the present campaigns of an order's promotions.
pub(crate) fn set_campaigns(tx: &Tx<'_>, order_id: &OrderId) -> Result<(), Error> {
    tx.sql(
        "update order_promotion set campaign_id = promotion.campaign_id
           from promotion
          where promotion.id = promotion_id and order_id = :order_id",
    )
    .run(named_params! { ":order_id": order_id })
}

#[derive(Debug, FromRow)]
pub(crate) struct RedemptionRow {
    pub(crate) promotion_id: PromotionId,
    pub(crate) campaign_id: Option<CampaignId>,
    /// The discount on lines and shipping methods together, in minor units of the order's currency.
    pub(crate) amount_minor: i64,
}

pub(crate) fn redemptions(tx: &Tx<'_>, order_id: &OrderId) -> Result<Vec<RedemptionRow>, Error> {
    tx.sql("select promotion_id, campaign_id, amount_minor from order_promotion where order_id = :order_id")
        .all(named_params! { ":order_id": order_id }, RedemptionRow::from_row)
}
