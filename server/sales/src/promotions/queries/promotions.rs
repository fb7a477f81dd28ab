//! Statements on promotions without their rules.

use rusqlite::named_params;
use rusqlite::types::Type;

use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Filtered as _, FromRow, Named, Tx};
use crate::ids::{CampaignId, PromotionId};
use crate::promotions::promotion::{ApplicationMethod, Promotion, PromotionType, ValueType};
use crate::promotions::rules::Status;

pub(crate) static PROMOTIONS: Listing = Listing {
    plural: "promotions",
    table: "promotion p",
    tie_breaker: "p.id",
    columns: &[
        Column::new("id", "p.id", Kind::Id),
        Column::new("code", "p.code", Kind::Text),
        Column::filter("campaign_id", "p.campaign_id", Kind::Id),
        Column::filter("status", "p.status", Status::KIND),
        Column::filter("type", "p.type", PromotionType::KIND),
        Column::filter("is_automatic", "p.is_automatic", Kind::Boolean),
        Column::filter("application_method_type", "p.application_type", ValueType::KIND),
        Column::new("created_at", "p.created_at", Kind::Time),
        Column::new("updated_at", "p.updated_at", Kind::Time),
    ],
    search: &["p.code"],
    default_limit: 50,
    default_order: "id",
    extra: &[],
};

/// Returns a page of the list and the total number.
pub(crate) fn page(tx: &Tx<'_>, query: ListQuery) -> Result<(Vec<Promotion>, u64), Error> {
    let query = query.narrow("p.deleted_at is null", []);
    Ok((query.page(tx, "p.*", Promotion::from_row)?, query.count(tx)?))
}

/// Returns the promotions with these ids that are not deleted.
pub(crate) fn by_ids(tx: &Tx<'_>, ids: &str) -> Result<Vec<Promotion>, Error> {
    let sql = "select * from promotion
          where id in (select value from json_each(:ids)) and deleted_at is null
          order by id";
    tx.sql(sql).all(named_params! { ":ids": ids }, Promotion::from_row)
}

/// Returns the promotions with these ids or codes.
pub(crate) fn by_ids_or_codes(
    tx: &Tx<'_>,
    ids: &str,
    codes: &str,
) -> Result<Vec<Promotion>, Error> {
    let sql = "select * from promotion
          where id in (select value from json_each(:ids)
                        union
                       select id from promotion
                        where deleted_at is null and code in (select value from json_each(:codes)))
          order by id";
    tx.sql(sql).all(named_params! { ":ids": ids, ":codes": codes }, Promotion::from_row)
}

/// Returns the candidates for a cart: the promotions of its codes, and the active automatic ones.
pub(crate) fn candidates(tx: &Tx<'_>, codes: &str) -> Result<Vec<Promotion>, Error> {
    let sql = "select * from promotion
          where id in (select id from promotion
                        where is_automatic = 1 and deleted_at is null and status = 'active'
                        union
                       select id from promotion
                        where deleted_at is null and code in (select value from json_each(:codes)))
          order by id";
    tx.sql(sql).all(named_params! { ":codes": codes }, Promotion::from_row)
}

impl FromRow for ApplicationMethod {
    fn from_named(row: &Named<'_, '_>) -> rusqlite::Result<Self> {
        let value: String = row.get("value_text")?;
        let value = value.parse().map_err(|error: rust_decimal::Error| {
            rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into())
        })?;
        Ok(Self {
            id: row.get("application_method_id")?,
            kind: row.get("application_type")?,
            target: row.get("target_type")?,
            allocation: row.get("allocation")?,
            value,
            currency: row.get("value_currency")?,
            max_quantity: row.get("max_quantity")?,
            apply_to_quantity: row.get("apply_to_quantity")?,
            buy_rules_min_quantity: row.get("buy_rules_min_quantity")?,
        })
    }
}

/// Inserts a promotion without its rules, or updates everything but its number of uses.
pub(crate) fn put(tx: &Tx<'_>, promotion: &Promotion) -> Result<(), Error> {
    let method = &promotion.method;
    tx.put("promotion", &["id"], &["application_method_id"], named_params! {
        ":id": promotion.id, ":code": promotion.code, ":type": promotion.kind,
        ":status": promotion.status, ":is_automatic": promotion.is_automatic,
        ":is_tax_inclusive": promotion.is_tax_inclusive, ":limit_count": promotion.limit,
        ":campaign_id": promotion.campaign_id, ":application_method_id": method.id,
        ":application_type": method.kind, ":target_type": method.target,
        ":allocation": method.allocation, ":value_text": method.value.to_string(),
        ":value_currency": method.currency, ":max_quantity": method.max_quantity,
        ":apply_to_quantity": method.apply_to_quantity,
        ":buy_rules_min_quantity": method.buy_rules_min_quantity, ":metadata": promotion.metadata,
        ":created_at": tx.now(), ":updated_at": tx.now(),
    })
}

/// Returns whether another promotion that is not deleted has the code.
pub(crate) fn is_code_taken(tx: &Tx<'_>, code: &str, id: &PromotionId) -> Result<bool, Error> {
    tx.sql("select exists (select 1 from promotion where code = :code and deleted_at is null and id <> :id)")
        .one(named_params! { ":code": code, ":id": id }, |row| row.get(0))
}

/// Marks a promotion as deleted; returns `false` if it does not exist.
pub(crate) fn delete(tx: &Tx<'_>, id: &PromotionId) -> Result<bool, Error> {
    let count = tx
        .sql("update promotion set deleted_at = :now, updated_at = :now where id = :id and deleted_at is null")
        .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(count > 0)
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
