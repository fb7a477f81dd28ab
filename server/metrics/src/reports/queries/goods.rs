//! Queries for the names of products, variants and promotions, and for the times of sales.

use std::collections::BTreeMap;

use rusqlite::named_params;

use crate::clock::Timestamp;
use crate::database::{self, Tx};
use crate::ids;

/// Returns whether orders were placed between two instants, whichever comes first.
pub(crate) fn is_any_sold_between(
    tx: &Tx<'_>,
    one: Timestamp,
    other: Timestamp,
) -> Result<bool, database::Error> {
    tx.sql("select 1 from orders where placed_at >= :from and placed_at < :to")
        .exists(named_params! { ":from": one.min(other), ":to": one.max(other) })
}

/// The names that are looked up by id.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Names {
    ProductTitles,
    /// The categories of products, as formulas define them; none for those without one.
    ProductCategories,
    /// The titles of variants, prefixed by those of their products.
    VariantTitles,
    PromotionCodes,
}

pub(crate) fn names(
    tx: &Tx<'_>,
    names: Names,
    ids: impl IntoIterator<Item: AsRef<str>>,
) -> Result<BTreeMap<String, String>, database::Error> {
    let sql = match names {
        Names::ProductTitles => {
            "select id, title from product where id in (select value from json_each(:ids))"
        }
        Names::ProductCategories => {
            "select id, category from metric_products
              where id in (select value from json_each(:ids)) and category is not null"
        }
        Names::VariantTitles => {
            "select v.id, p.title || ' / ' || v.title from product_variant v join product p on p.id = v.product_id
              where v.id in (select value from json_each(:ids))"
        }
        Names::PromotionCodes => {
            "select id, code from promotion where id in (select value from json_each(:ids))"
        }
    };
    tx.sql(sql).all(named_params! { ":ids": ids::list(ids) }, |row| Ok((row.get(0)?, row.get(1)?)))
}
