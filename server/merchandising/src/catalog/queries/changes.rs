//! Statements that update and delete products and variants.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{OptionId, OptionValueId, ProductId, VariantId};

/// Updates the timestamp of a product of which a part changed.
pub(crate) fn touch(tx: &Tx<'_>, id: &ProductId) -> Result<(), Error> {
    tx.sql("update product set updated_at = :now where id = :id")
        .run(named_params! { ":id": id, ":now": tx.now() })
}

pub(crate) fn clear_images(tx: &Tx<'_>, id: &ProductId) -> Result<(), Error> {
    tx.sql("delete from product_image where product_id = :id").run(named_params! { ":id": id })
}

/// Soft-deletes products, given as a JSON array of ids.
pub(crate) fn delete_products(tx: &Tx<'_>, ids: &str) -> Result<(), Error> {
    tx.sql(
        "update product set deleted_at = :now, updated_at = :now
          where id in (select value from json_each(:ids)) and deleted_at is null",
    )
    .run(named_params! { ":ids": ids, ":now": tx.now() })
}

/// Soft-deletes variants, given as a JSON array of ids.
pub(crate) fn delete_variants(tx: &Tx<'_>, ids: &str) -> Result<(), Error> {
    tx.sql(
        "update product_variant set deleted_at = :now, updated_at = :now
          where id in (select value from json_each(:ids)) and deleted_at is null",
    )
    .run(named_params! { ":ids": ids, ":now": tx.now() })
}

/// Removes the option values of a variant.
pub(crate) fn clear_values(tx: &Tx<'_>, id: &VariantId) -> Result<(), Error> {
    tx.sql("delete from product_variant_option where variant_id = :id")
        .run(named_params! { ":id": id })
}

pub(crate) fn has_items(tx: &Tx<'_>, id: &VariantId) -> Result<bool, Error> {
    tx.sql("select exists (select 1 from product_variant_inventory_item where variant_id = :id)")
        .one(named_params! { ":id": id }, |row| row.get(0))
}

/// Returns the option values that variants of a product have.
pub(crate) fn used_values(tx: &Tx<'_>, id: &ProductId) -> Result<Vec<OptionValueId>, Error> {
    tx.sql(
        "select distinct link.option_value_id
           from product_variant v
           join product_variant_option link on link.variant_id = v.id
          where v.product_id = :id and v.deleted_at is null",
    )
    .all(named_params! { ":id": id }, |row| row.get(0))
}

/// Updates the title and the rank of an option.
pub(crate) fn option(tx: &Tx<'_>, id: &OptionId, title: &str, rank: i64) -> Result<(), Error> {
    tx.sql(
        "update product_option set title = :title, rank = :rank, updated_at = :now where id = :id",
    )
    .run(named_params! { ":id": id, ":title": title, ":rank": rank, ":now": tx.now() })
}

/// Deletes options, given as a JSON array of ids, with their values.
pub(crate) fn delete_options(tx: &Tx<'_>, ids: &str) -> Result<(), Error> {
    tx.sql("delete from product_option where id in (select value from json_each(:ids))")
        .run(named_params! { ":ids": ids })
}

/// Deletes option values, given as a JSON array of ids.
pub(crate) fn delete_values(tx: &Tx<'_>, ids: &str) -> Result<(), Error> {
    tx.sql("delete from product_option_value where id in (select value from json_each(:ids))")
        .run(named_params! { ":ids": ids })
}
