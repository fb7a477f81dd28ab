//! Statements that read variants.

use rusqlite::named_params;
use rusqlite::types::Value;

use crate::catalog::view::Variant;
use crate::database::listing::ListQuery;
use crate::database::{Error, Record, Tx};
use crate::ids::{OptionValueId, ProductId, VariantId};

/// Restricts a list to variants that are not deleted, of products that are not deleted.
pub(crate) fn existing(query: ListQuery) -> ListQuery {
    query.narrow(
        "v.deleted_at is null
         and exists (select 1 from product p where p.id = v.product_id and p.deleted_at is null)",
        [],
    )
}

/// Returns the variants of the page and their total number.
pub(crate) fn page(tx: &Tx<'_>, query: &ListQuery) -> Result<(Vec<Variant>, u64), Error> {
    Ok((query.page(tx, Variant::COLUMNS, Variant::read)?, query.count(tx)?))
}

pub fn has_variant(
    tx: &Tx<'_>,
    product_id: &ProductId,
    variant_id: &VariantId,
) -> Result<bool, Error> {
    tx.sql("select 1 from product_variant where id = :variant_id and product_id = :product_id and deleted_at is null")
        .exists(named_params! { ":variant_id": variant_id, ":product_id": product_id })
}

/// Returns the variants of products, given as a JSON array of ids, by rank.
pub(crate) fn of_products(tx: &Tx<'_>, product_ids: &str) -> Result<Vec<Variant>, Error> {
    let rest = "where v.product_id in (select value from json_each(:ids)) and v.deleted_at is null
                order by v.product_id, v.variant_rank, v.id";
    Variant::select(tx, rest, named_params! { ":ids": product_ids })
}

/// Returns the option values of variants, given as a JSON array of ids, by the rank of the option.
pub(crate) fn values(
    tx: &Tx<'_>,
    variant_ids: &str,
) -> Result<Vec<(VariantId, OptionValueId)>, Error> {
    tx.sql(
        "select link.variant_id, link.option_value_id
           from product_variant_option link
           join product_option_value value on value.id = link.option_value_id
           join product_option option on option.id = value.option_id
          where link.variant_id in (select value from json_each(:ids))
          order by link.variant_id, option.rank, option.id",
    )
    .all(named_params! { ":ids": variant_ids }, |row| Ok((row.get(0)?, row.get(1)?)))
}

pub(crate) fn of_product_list(query: ListQuery, product_id: &ProductId) -> ListQuery {
    let product_id = Value::Text(product_id.to_string());
    query.narrow("v.deleted_at is null and v.product_id = ?", [product_id])
}
