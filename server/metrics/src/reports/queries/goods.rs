//! Queries for the names of products, variants and promotions, and for the times of sales.

use std::collections::BTreeMap;

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::{self, Tx};
use crate::ids;

fn named(
    tx: &Tx<'_>,
    sql: &str,
    keys: impl IntoIterator<Item: AsRef<str>>,
) -> Result<BTreeMap<String, String>, database::Error> {
    let keys = ids::list(keys);
    tx.sql(sql).all(named_params! { ":ids": keys }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns whether orders were placed between two instants, whichever comes first.
pub(crate) fn is_any_sold_between(
    tx: &Tx<'_>,
    one: Timestamp,
    other: Timestamp,
) -> Result<bool, database::Error> {
    tx.sql("select 1 from orders where placed_at >= :from and placed_at < :to")
        .exists(named_params! { ":from": one.min(other), ":to": one.max(other) })
}

/// Returns the titles of products by id.
pub(crate) fn product_titles(
    tx: &Tx<'_>,
    product_ids: impl IntoIterator<Item: AsRef<str>>,
) -> Result<BTreeMap<String, String>, database::Error> {
    let sql = "select id, title from product where id in (select value from json_each(:ids))";
    named(tx, sql, product_ids)
}

/// Returns the names of the categories of products by id, as formulas define them; none for those without one.
pub(crate) fn product_categories(
    tx: &Tx<'_>,
    product_ids: impl IntoIterator<Item: AsRef<str>>,
) -> Result<BTreeMap<String, String>, database::Error> {
    let sql = "select id, category from metric_products
        where id in (select value from json_each(:ids)) and category is not null";
    named(tx, sql, product_ids)
}

/// Returns the titles of variants, prefixed by those of their products, by id.
pub(crate) fn variant_titles(
    tx: &Tx<'_>,
    variant_ids: impl IntoIterator<Item: AsRef<str>>,
) -> Result<BTreeMap<String, String>, database::Error> {
    let sql = "select v.id, p.title || ' / ' || v.title from product_variant v join product p on p.id = v.product_id
        where v.id in (select value from json_each(:ids))";
    named(tx, sql, variant_ids)
}

/// Returns the codes of promotions by id.
pub(crate) fn promotion_codes(
    tx: &Tx<'_>,
    promotion_ids: impl IntoIterator<Item: AsRef<str>>,
) -> Result<BTreeMap<String, String>, database::Error> {
    let sql = "select id, code from promotion where id in (select value from json_each(:ids))";
    named(tx, sql, promotion_ids)
}
