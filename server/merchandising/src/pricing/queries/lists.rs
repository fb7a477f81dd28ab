//! Statements on price lists.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{PriceListId, PriceSetId, VariantId};

/// Deletes the rules of a price list.
pub(in crate::pricing) fn clear_rules(tx: &Tx<'_>, id: &PriceListId) -> Result<(), Error> {
    tx.prepare_cached("delete from price_list_rule where price_list_id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

/// Inserts rules of a price list, given as a JSON array of `[attribute, values]`.
pub(in crate::pricing) fn add_rules(
    tx: &Tx<'_>,
    id: &PriceListId,
    rules: &str,
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into price_list_rule (price_list_id, attribute, values_json)
         select :id, value ->> 0, value ->> 1 from json_each(:rules)",
    )?
    .execute(named_params! { ":id": id, ":rules": rules })?;
    Ok(())
}

/// Returns the price sets of the variants, given as a JSON array of ids, that exist.
pub(in crate::pricing) fn price_sets(
    tx: &Tx<'_>,
    variant_ids: &str,
) -> Result<Vec<(VariantId, PriceSetId)>, Error> {
    let mut statement = tx.prepare_cached(
        "select id, price_set_id from product_variant
          where id in (select value from json_each(:ids)) and deleted_at is null",
    )?;
    let rows = statement
        .query_map(named_params! { ":ids": variant_ids }, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Returns the variants of price sets, given as a JSON array of ids.
pub(in crate::pricing) fn variants_of(
    tx: &Tx<'_>,
    price_set_ids: &str,
) -> Result<Vec<(PriceSetId, VariantId)>, Error> {
    let mut statement = tx.prepare_cached(
        "select price_set_id, id from product_variant
          where price_set_id in (select value from json_each(:ids))",
    )?;
    let rows = statement
        .query_map(named_params! { ":ids": price_set_ids }, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Returns how many of the prices, given as a JSON array of ids, are in a list.
pub(in crate::pricing) fn count_prices(
    tx: &Tx<'_>,
    id: &PriceListId,
    price_ids: &str,
) -> Result<usize, Error> {
    let count: i64 = tx
        .prepare_cached(
            "select count(*) from price
              where price_list_id = :id and id in (select value from json_each(:ids))",
        )?
        .query_row(named_params! { ":id": id, ":ids": price_ids }, |row| row.get(0))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

/// Deletes prices of a list, given as a JSON array of ids.
pub(in crate::pricing) fn delete_prices(
    tx: &Tx<'_>,
    id: &PriceListId,
    price_ids: &str,
) -> Result<(), Error> {
    tx.prepare_cached(
        "delete from price where price_list_id = :id and id in (select value from json_each(:ids))",
    )?
    .execute(named_params! { ":id": id, ":ids": price_ids })?;
    Ok(())
}
