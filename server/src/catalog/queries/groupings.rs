//! Collections, tags and types.

use rusqlite::named_params;

use crate::catalog::view::{Collection, ProductType, Tag};
use crate::database::{Error, Table, Tx};
use crate::ids::{CollectionId, ProductTypeId, TagId};

/// The handles of collections that are `handle` or begin with it and a hyphen.
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

/// Deletes a collection softly; its products are in none.
pub(in crate::catalog) fn delete_collection(tx: &Tx<'_>, id: &CollectionId) -> Result<(), Error> {
    tx.prepare_cached(
        "update product set collection_id = null, updated_at = :now where collection_id = :id",
    )?
    .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Collection::delete(tx, id)
}

/// Deletes a tag softly; no product has it any more.
pub(in crate::catalog) fn delete_tag(tx: &Tx<'_>, id: &TagId) -> Result<(), Error> {
    tx.prepare_cached("delete from product_tag_product where product_tag_id = :id")?
        .execute(named_params! { ":id": id })?;
    Tag::delete(tx, id)
}

/// Deletes a type softly; no product is of it any more.
pub(in crate::catalog) fn delete_type(tx: &Tx<'_>, id: &ProductTypeId) -> Result<(), Error> {
    tx.prepare_cached("update product set type_id = null, updated_at = :now where type_id = :id")?
        .execute(named_params! { ":id": id, ":now": tx.now() })?;
    ProductType::delete(tx, id)
}

/// Puts products, given as a JSON array of ids, into a collection.
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

/// Takes products, given as a JSON array of ids, out of a collection.
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
