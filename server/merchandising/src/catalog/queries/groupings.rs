//! Statements on collections, tags and types.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{CollectionId, ProductTypeId, TagId};

/// Returns the handles of collections that are `handle` or start with it and a hyphen.
pub(in crate::catalog) fn handles_like(tx: &Tx<'_>, handle: &str) -> Result<Vec<String>, Error> {
    let after = format!("{handle}-\u{10ffff}");
    tx.sql(
        "select handle from product_collection
          where handle >= :handle and handle < :after and deleted_at is null limit 10000",
    )
    .all(named_params! { ":handle": handle, ":after": after }, |row| row.get(0))
}

/// Removes all products from a collection.
pub(in crate::catalog) fn empty_collection(tx: &Tx<'_>, id: &CollectionId) -> Result<(), Error> {
    tx.sql("update product set collection_id = null, updated_at = :now where collection_id = :id")
        .run(named_params! { ":id": id, ":now": tx.now() })
}

/// Removes a tag from all products.
pub(in crate::catalog) fn untag(tx: &Tx<'_>, id: &TagId) -> Result<(), Error> {
    tx.sql("delete from product_tag_product where product_tag_id = :id")
        .run(named_params! { ":id": id })
}

/// Removes a type from all products.
pub(in crate::catalog) fn untype(tx: &Tx<'_>, id: &ProductTypeId) -> Result<(), Error> {
    tx.sql("update product set type_id = null, updated_at = :now where type_id = :id")
        .run(named_params! { ":id": id, ":now": tx.now() })
}

/// Adds products, given as a JSON array of ids, to a collection.
pub(in crate::catalog) fn collect(
    tx: &Tx<'_>,
    id: &CollectionId,
    product_ids: &str,
) -> Result<(), Error> {
    tx.sql(
        "update product set collection_id = :id, updated_at = :now
          where id in (select value from json_each(:ids)) and deleted_at is null",
    )
    .run(named_params! { ":id": id, ":ids": product_ids, ":now": tx.now() })
}

/// Removes products, given as a JSON array of ids, from a collection.
pub(in crate::catalog) fn release(
    tx: &Tx<'_>,
    id: &CollectionId,
    product_ids: &str,
) -> Result<(), Error> {
    tx.sql(
        "update product set collection_id = null, updated_at = :now
          where id in (select value from json_each(:ids)) and collection_id = :id",
    )
    .run(named_params! { ":id": id, ":ids": product_ids, ":now": tx.now() })
}
