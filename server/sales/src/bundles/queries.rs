//! Statements on bundles and their slots.

use rusqlite::named_params;

use super::bundle::{Bundle, Slot};
use crate::database::{Error, Record as _, Stored, Tx};
use crate::ids::{self, BundleItemId, BundleProductId, ProductId, VariantId};

/// Returns the bundles with these ids, whatever their status; without ids no statement runs.
pub fn with_ids(
    tx: &Tx<'_>,
    bundles: impl IntoIterator<Item: AsRef<str>>,
) -> Result<Vec<Bundle>, Error> {
    let mut bundles = bundles.into_iter().peekable();
    if bundles.peek().is_none() {
        return Ok(Vec::new());
    }
    Bundle::select(
        tx,
        "where b.id in (select value from json_each(:ids))",
        named_params! { ":ids": ids::list(bundles) },
    )
}

pub fn with_slot(tx: &Tx<'_>, slot: &BundleItemId) -> Result<Option<Bundle>, Error> {
    Bundle::select_one(
        tx,
        "where b.id = (select bundle_id from bundle_slot where id = :slot)",
        named_params! { ":slot": slot },
    )
}

/// Returns the bundle with an id or a handle, or the one sold as a product with this id.
pub(super) fn named(tx: &Tx<'_>, name: &str) -> Result<Option<Bundle>, Error> {
    Bundle::select_one(
        tx,
        "where b.id = :name or b.handle = :name or b.product_id = :name limit 1",
        named_params! { ":name": name },
    )
}

/// Replaces the slots of a bundle. A remaining slot keeps its id, so that carts keep their bundles.
pub(super) fn replace_slots(
    tx: &Tx<'_>,
    bundle: &BundleProductId,
    slots: &[Slot],
) -> Result<(), Error> {
    tx.sql("delete from bundle_slot where bundle_id = :bundle")
        .run(named_params! { ":bundle": bundle })?;
    tx.sql(
        "insert into bundle_slot (id, bundle_id, position, title, product_id, quantity, is_optional, default_variant_id)
         select value ->> 'id', :bundle, key, value ->> 'title', value ->> 'product_id', value ->> 'quantity',
                value ->> 'is_optional', value ->> 'default_variant_id'
           from json_each(:slots)",
    )
    .run(named_params! { ":bundle": bundle, ":slots": Stored(slots) })
}

/// Returns whether another bundle has one of these slots.
pub(super) fn has_foreign_slot(
    tx: &Tx<'_>,
    bundle: &BundleProductId,
    slots: impl IntoIterator<Item: AsRef<str>>,
) -> Result<bool, Error> {
    tx.sql(
        "select 1 from bundle_slot where id in (select value from json_each(:ids)) and bundle_id <> :bundle",
    )
    .exists(named_params! { ":ids": ids::list(slots), ":bundle": bundle })
}

/// Returns whether a bundle is sold as one of these products.
pub(super) fn is_bundle(
    tx: &Tx<'_>,
    products: impl IntoIterator<Item: AsRef<str>>,
) -> Result<bool, Error> {
    tx.sql("select 1 from bundle_product where product_id in (select value from json_each(:ids))")
        .exists(named_params! { ":ids": ids::list(products) })
}

pub(super) fn is_in_slot(tx: &Tx<'_>, product: &ProductId) -> Result<bool, Error> {
    tx.sql("select 1 from bundle_slot where product_id = :id")
        .exists(named_params! { ":id": product })
}

/// Returns the variants of products, in display order.
pub(super) fn variants_of(
    tx: &Tx<'_>,
    products: impl IntoIterator<Item: AsRef<str>>,
) -> Result<Vec<VariantId>, Error> {
    tx.sql(
        "select id from product_variant
          where product_id in (select value from json_each(:ids)) and deleted_at is null
          order by variant_rank, id",
    )
    .all(named_params! { ":ids": ids::list(products) }, |row| row.get(0))
}
