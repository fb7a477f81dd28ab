//! Statements on prices, their conditions, and the data that decides among them.

use rusqlite::{Row, named_params};

use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Tx, Word as _};
use crate::ids::{self, PriceId, PriceListId, PriceSetId, RegionId};
use crate::money::Currency;
use crate::pricing::{Comparison, PriceCondition};

/// A price with one of its conditions, or with none.
#[derive(Debug)]
pub(crate) struct CandidateRow {
    pub(crate) id: PriceId,
    pub(crate) price_set_id: PriceSetId,
    pub(crate) amount_minor: i64,
    pub(crate) min_quantity: Option<i64>,
    pub(crate) max_quantity: Option<i64>,
    pub(crate) list: Option<ListRow>,
    /// Attribute, operator, value.
    pub(crate) condition: Option<(String, String, String)>,
}

#[derive(Debug)]
pub(crate) struct ListRow {
    pub(crate) id: PriceListId,
    pub(crate) is_override: bool,
    pub(crate) starts_at: Option<Timestamp>,
    pub(crate) ends_at: Option<Timestamp>,
}

impl CandidateRow {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let list_id: Option<PriceListId> = row.get(5)?;
        let list = match list_id {
            Some(id) => Some(ListRow {
                id,
                is_override: row.get(6)?,
                starts_at: row.get(7)?,
                ends_at: row.get(8)?,
            }),
            None => None,
        };
        let attribute: Option<String> = row.get(9)?;
        let condition = match attribute {
            Some(attribute) => Some((attribute, row.get(10)?, row.get(11)?)),
            None => None,
        };
        Ok(Self {
            id: row.get(0)?,
            price_set_id: row.get(1)?,
            amount_minor: row.get(2)?,
            min_quantity: row.get(3)?,
            max_quantity: row.get(4)?,
            list,
            condition,
        })
    }
}

/// Returns the prices of sets in a currency, except those of inactive lists: one row per condition, with the rows of a
/// price adjacent.
pub(crate) fn candidates(
    tx: &Tx<'_>,
    price_set_ids: &str,
    currency: Currency,
) -> Result<Vec<CandidateRow>, Error> {
    tx.sql(
        "select price.id, price.price_set_id, price.amount_minor, price.min_quantity, price.max_quantity,
                list.id, list.type = 'override', list.starts_at, list.ends_at,
                rule.attribute, rule.operator, rule.value
           from price
           left join price_list list on list.id = price.price_list_id
           left join price_rule rule on rule.price_id = price.id
          where price.price_set_id in (select value from json_each(:ids)) and price.currency = :currency
            and (price.price_list_id is null or (list.status = 'active' and list.deleted_at is null))
          order by price.price_set_id, price.id, rule.attribute, rule.operator",
    )
    .all(named_params! { ":ids": price_set_ids, ":currency": currency }, CandidateRow::read)
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

/// Returns the tax preferences of a currency and a region: attribute and whether prices include tax.
pub(crate) fn preferences(
    tx: &Tx<'_>,
    currency: Currency,
    region_id: Option<&RegionId>,
) -> Result<Vec<(String, bool)>, Error> {
    tx.sql(
        "select attribute, is_tax_inclusive
           from price_preference
          where (attribute = 'currency_code' and value = :currency)
             or (attribute = 'region_id' and value = :region_id)",
    )
    .all(named_params! { ":currency": currency, ":region_id": region_id }, |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

/// Returns the set, the id and the creation time of each price outside of price lists.
pub(crate) fn ordinary(
    tx: &Tx<'_>,
    price_set_ids: &str,
) -> Result<Vec<(PriceSetId, PriceId, Timestamp)>, Error> {
    tx.sql(
        "select price_set_id, id, created_at
           from price
          where price_set_id in (select value from json_each(:ids)) and price_list_id is null",
    )
    .all(named_params! { ":ids": price_set_ids }, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
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
    /// The price list that it belongs to.
    pub price_list_id: Option<PriceListId>,
    pub currency: Currency,
    /// In minor units.
    pub amount_minor: i64,
    pub min_quantity: Option<i64>,
    /// The highest quantity, inclusive.
    pub max_quantity: Option<i64>,
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
    read_prices(tx, rest, price_set_ids)
}

pub(crate) fn stored_of_lists(tx: &Tx<'_>, price_list_ids: &str) -> Result<Vec<PriceRow>, Error> {
    let rest = "where price.price_list_id in (select value from json_each(:ids))
          order by price.price_list_id, price.id";
    read_prices(tx, rest, price_list_ids)
}

/// Collects the adjacent rows of each price into one price with its conditions.
fn read_prices(tx: &Tx<'_>, rest: &str, ids: &str) -> Result<Vec<PriceRow>, Error> {
    let mut statement = tx.prepare_cached(&format!(
        "select price.*, rule.attribute, rule.operator, rule.value
           from price
           left join price_rule rule on rule.price_id = price.id
          {rest}"
    ))?;
    let mut prices: Vec<PriceRow> = Vec::new();
    let mut rows = statement.query(named_params! { ":ids": ids })?;
    while let Some(row) = rows.next()? {
        let price = PriceRow::from_row(row)?;
        if prices.last().is_none_or(|last| last.id != price.id) {
            prices.push(price);
        }
        let attribute: Option<String> = row.get("attribute")?;
        if let (Some(attribute), Some(last)) = (attribute, prices.last_mut()) {
            let operator: String = row.get("operator")?;
            if let Some(comparison) = Comparison::from_word(&operator) {
                let value = row.get("value")?;
                last.conditions.push(PriceCondition { attribute, comparison, value });
            }
        }
    }
    Ok(prices)
}
