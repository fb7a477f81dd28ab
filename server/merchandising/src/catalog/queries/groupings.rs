//! Statements on collections, tags and types.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{CollectionId, ProductTypeId, TagId};

/// Returns the handles of collections that are `handle` or start with it and a hyphen.
pub(in crate::catalog) fn handles_like(tx: &Tx<'_>, handle: &str) -> Result<Vec<String>, Error> {
    let mut statement = tx.prepare_cached(
        "select handle from product_collection
          where handle >= :handle and handle < :after and deleted_at is null limit 10000",
    )?;
    let after = format!("{handle}-\u{10ffff}");
    let rows = statement
        .query_map(named_params! { ":handle": handle, ":after": after }, |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Removes all products from a collection.
pub(in crate::catalog) fn empty_collection(tx: &Tx<'_>, id: &CollectionId) -> Result<(), Error> {
    tx.prepare_cached(
        "update product set collection_id = null, updated_at = :now where collection_id = :id",
    )?
    .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

/// Removes a tag from all products.
pub(in crate::catalog) fn untag(tx: &Tx<'_>, id: &TagId) -> Result<(), Error> {
    tx.prepare_cached("delete from product_tag_product where product_tag_id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

/// Removes a type from all products.
pub(in crate::catalog) fn untype(tx: &Tx<'_>, id: &ProductTypeId) -> Result<(), Error> {
    tx.prepare_cached("update product set type_id = null, updated_at = :now where type_id = :id")?
        .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

/// Adds products, given as a JSON array of ids, to a collection.
pub(in crate::catalog) fn collect(
    tx: &Tx<'_>,
    id: &CollectionId,
    product_ids: &str,
) -> Result<(), Error> {
    tx.prepare_cached(
        "update product set collection_id = :id, updated_at = :now
          where id in (select value from json_each(:ids)) and deleted_at is null",
    )?
    .execute(named_params! { ":id": id, ":ids": product_ids, ":now": tx.now() })?;
    Ok(())
}

/// Removes products, given as a JSON array of ids, from a collection.
pub(in crate::catalog) fn release(
    tx: &Tx<'_>,
    id: &CollectionId,
    product_ids: &str,
) -> Result<(), Error> {
    tx.prepare_cached(
        "update product set collection_id = null, updated_at = :now
          where id in (select value from json_each(:ids)) and collection_id = :id",
    )?
    .execute(named_params! { ":id": id, ":ids": product_ids, ":now": tx.now() })?;
    Ok(())
}
