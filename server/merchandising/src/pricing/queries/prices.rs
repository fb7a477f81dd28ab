//! Statements on prices, their conditions, and the data that decides among them.

use rusqlite::{Params, named_params};

use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Tx};
use crate::ids::{self, ById, PriceId, PriceListId, PriceSetId, RegionId, VariantId};
use crate::money::Currency;
use crate::pricing::PriceCondition;
use crate::pricing::choice::{ListTerms, Preference, PriceRule};

/// Returns the prices of sets in a currency, except those of inactive lists.
pub(crate) fn candidates(
    tx: &Tx<'_>,
    price_set_ids: &str,
    currency: Currency,
) -> Result<Vec<PriceRow>, Error> {
    let rest = "left join price_list list on list.id = price.price_list_id
          where price.price_set_id in (select value from json_each(:ids)) and price.currency = :currency
            and (price.price_list_id is null or (list.status = 'active' and list.deleted_at is null))
          order by price.price_set_id, price.id";
    read_prices(tx, rest, named_params! { ":ids": price_set_ids, ":currency": currency })
}

/// Returns the terms of price lists with their rules.
pub(crate) fn list_terms(
    tx: &Tx<'_>,
    list_ids: impl IntoIterator<Item: AsRef<str>>,
) -> Result<ById<ListTerms>, Error> {
    let mut statement = tx.prepare_cached(
        "select list.id, list.type, list.starts_at, list.ends_at, rule.attribute, rule.values_json
           from price_list list
           left join price_list_rule rule on rule.price_list_id = list.id
          where list.id in (select value from json_each(:ids))",
    )?;
    let mut lists: ById<ListTerms> = ById::default();
    let mut rows = statement.query(named_params! { ":ids": ids::list(list_ids) })?;
    while let Some(row) = rows.next()? {
        let id: PriceListId = row.get(0)?;
        if lists.get(&id).is_none() {
            let terms = ListTerms {
                id: id.clone(),
                kind: row.get(1)?,
                is_active: true,
                starts_at: row.get(2)?,
                ends_at: row.get(3)?,
                rules: Vec::new(),
            };
            lists.insert(&id, terms);
        }
        if let (Some(list), Some(attribute)) = (lists.get_mut(&id), row.get(4)?) {
            // Unreadable values match nobody, which is the safe default.
            let values = serde_json::from_str(&row.get::<_, String>(5)?).unwrap_or_default();
            list.rules.push(PriceRule { attribute, values });
        }
    }
    Ok(lists)
}

/// Returns the rules of price lists: list, attribute, values as JSON.
pub(crate) fn list_rules(
    tx: &Tx<'_>,
    list_ids: &[PriceListId],
) -> Result<Vec<(PriceListId, String, String)>, Error> {
    let ids = ids::list(list_ids);
    tx.sql(
        "select price_list_id, attribute, values_json
           from price_list_rule
          where price_list_id in (select value from json_each(:ids))",
    )
    .all(named_params! { ":ids": ids }, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}

pub(crate) fn clear_list_rules(tx: &Tx<'_>, id: &PriceListId) -> Result<(), Error> {
    tx.sql("delete from price_list_rule where price_list_id = :id").run(named_params! { ":id": id })
}

/// Inserts rules of a price list, given as a JSON array of `[attribute, values]`.
pub(crate) fn add_list_rules(tx: &Tx<'_>, id: &PriceListId, rules: &str) -> Result<(), Error> {
    tx.sql(
        "insert into price_list_rule (price_list_id, attribute, values_json)
         select :id, value ->> 0, value ->> 1 from json_each(:rules)",
    )
    .run(named_params! { ":id": id, ":rules": rules })
}

/// Returns the price sets of the variants, given as a JSON array of ids, that exist.
pub(crate) fn price_sets(
    tx: &Tx<'_>,
    variant_ids: &str,
) -> Result<Vec<(VariantId, PriceSetId)>, Error> {
    tx.sql(
        "select id, price_set_id from product_variant
          where id in (select value from json_each(:ids)) and deleted_at is null",
    )
    .all(named_params! { ":ids": variant_ids }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns the variants of price sets, given as a JSON array of ids.
pub(crate) fn variants_of(
    tx: &Tx<'_>,
    price_set_ids: &str,
) -> Result<Vec<(PriceSetId, VariantId)>, Error> {
    tx.sql(
        "select price_set_id, id from product_variant
          where price_set_id in (select value from json_each(:ids))",
    )
    .all(named_params! { ":ids": price_set_ids }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Deletes prices, given as a JSON array of ids.
pub(crate) fn delete(tx: &Tx<'_>, price_ids: &str) -> Result<(), Error> {
    tx.sql("delete from price where id in (select value from json_each(:ids))")
        .run(named_params! { ":ids": price_ids })
}

pub(crate) fn preferences(
    tx: &Tx<'_>,
    currency: Currency,
    region_id: Option<&RegionId>,
) -> Result<Vec<Preference>, Error> {
    tx.sql(
        "select attribute, value, is_tax_inclusive
           from price_preference
          where (attribute = 'currency_code' and value = :currency)
             or (attribute = 'region_id' and value = :region_id)",
    )
    .all(named_params! { ":currency": currency, ":region_id": region_id }, Preference::from_row)
}

/// Deletes the prices of sets outside of price lists.
pub(crate) fn delete_ordinary(tx: &Tx<'_>, price_set_ids: &str) -> Result<(), Error> {
    tx.sql(
        "delete from price
          where price_set_id in (select value from json_each(:ids)) and price_list_id is null",
    )
    .run(named_params! { ":ids": price_set_ids })
}

/// Inserts prices without their conditions, given as a JSON array of `[id, set, list, currency, amount, least, most,
/// title, created_at]`.
pub(crate) fn insert(tx: &Tx<'_>, prices: &str) -> Result<(), Error> {
    tx.sql(
        "insert into price (id, price_set_id, price_list_id, currency, amount_minor, min_quantity, max_quantity,
                            title, created_at, updated_at)
         select value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
                value ->> 7, value ->> 8, :now
           from json_each(:prices)",
    )
    .run(named_params! { ":prices": prices, ":now": tx.now() })
}

/// Inserts the conditions of prices, given as a JSON array of `[price, attribute, operator, value]`.
pub(crate) fn insert_conditions(tx: &Tx<'_>, conditions: &str) -> Result<(), Error> {
    tx.sql(
        "insert into price_rule (price_id, attribute, operator, value)
         select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(:conditions)",
    )
    .run(named_params! { ":conditions": conditions })
}

#[derive(Debug, Clone, FromRow)]
pub struct PriceRow {
    pub id: PriceId,
    /// The price set that it belongs to.
    pub price_set_id: PriceSetId,
    pub currency: Currency,
    /// In minor units.
    pub amount_minor: i64,
    pub min_quantity: Option<i64>,
    /// The highest quantity, inclusive.
    pub max_quantity: Option<i64>,
    /// The price list that it belongs to.
    pub price_list_id: Option<PriceListId>,
    /// The display name.
    pub title: Option<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// The conditions, which must all hold.
    #[column(skip)]
    pub conditions: Vec<PriceCondition>,
}

/// Returns the prices of sets outside of price lists: per set, by currency, cheapest first.
pub(crate) fn stored_of_sets(tx: &Tx<'_>, price_set_ids: &str) -> Result<Vec<PriceRow>, Error> {
    let rest = "where price.price_set_id in (select value from json_each(:ids)) and price.price_list_id is null
          order by price.price_set_id, price.currency, price.amount_minor, price.id";
    read_prices(tx, rest, named_params! { ":ids": price_set_ids })
}

pub(crate) fn stored_of_lists(tx: &Tx<'_>, price_list_ids: &str) -> Result<Vec<PriceRow>, Error> {
    let rest = "where price.price_list_id in (select value from json_each(:ids))
          order by price.price_list_id, price.id";
    read_prices(tx, rest, named_params! { ":ids": price_list_ids })
}

/// Collects the adjacent rows of each price into one price with its conditions.
fn read_prices(tx: &Tx<'_>, rest: &str, parameters: impl Params) -> Result<Vec<PriceRow>, Error> {
    let mut statement = tx.prepare_cached(&format!(
        "select price.*, rule.attribute, rule.operator, rule.value
           from price
           left join price_rule rule on rule.price_id = price.id
          {rest}"
    ))?;
    let mut prices: Vec<PriceRow> = Vec::new();
    let mut rows = statement.query(parameters)?;
    while let Some(row) = rows.next()? {
        let id: PriceId = row.get("id")?;
        if prices.last().is_none_or(|last| last.id != id) {
            prices.push(PriceRow::from_row(row)?);
        }
        let attribute: Option<String> = row.get("attribute")?;
        if let (Some(attribute), Some(last)) = (attribute, prices.last_mut()) {
            let (comparison, value) = (row.get("operator")?, row.get("value")?);
            last.conditions.push(PriceCondition { attribute, comparison, value });
        }
    }
    Ok(prices)
}
