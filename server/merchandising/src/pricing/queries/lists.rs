//! Statements on price lists.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{PriceListId, PriceSetId, VariantId};

pub(crate) fn clear_rules(tx: &Tx<'_>, id: &PriceListId) -> Result<(), Error> {
    tx.sql("delete from price_list_rule where price_list_id = :id").run(named_params! { ":id": id })
}

/// Inserts rules of a price list, given as a JSON array of `[attribute, values]`.
pub(crate) fn add_rules(tx: &Tx<'_>, id: &PriceListId, rules: &str) -> Result<(), Error> {
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

/// Returns how many of the prices, given as a JSON array of ids, are in a list.
pub(crate) fn count_prices(tx: &Tx<'_>, id: &PriceListId, price_ids: &str) -> Result<usize, Error> {
    let count: i64 = tx
        .sql(
            "select count(*) from price
              where price_list_id = :id and id in (select value from json_each(:ids))",
        )
        .one(named_params! { ":id": id, ":ids": price_ids }, |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// Deletes prices of a list, given as a JSON array of ids.
pub(crate) fn delete_prices(tx: &Tx<'_>, id: &PriceListId, price_ids: &str) -> Result<(), Error> {
    tx.sql(
        "delete from price where price_list_id = :id and id in (select value from json_each(:ids))",
    )
    .run(named_params! { ":id": id, ":ids": price_ids })
}
