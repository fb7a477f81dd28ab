//! Statements on collections, tags and types.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{CollectionId, ProductTypeId};

/// Removes all products from a collection.
pub(crate) fn empty_collection(tx: &Tx<'_>, id: &CollectionId) -> Result<(), Error> {
    tx.sql("update product set collection_id = null, updated_at = :now where collection_id = :id")
        .run(named_params! { ":id": id, ":now": tx.now() })
}

pub(crate) fn untype(tx: &Tx<'_>, id: &ProductTypeId) -> Result<(), Error> {
    tx.sql("update product set type_id = null, updated_at = :now where type_id = :id")
        .run(named_params! { ":id": id, ":now": tx.now() })
}

/// Adds products, given as a JSON array of ids, to a collection.
pub(crate) fn collect(tx: &Tx<'_>, id: &CollectionId, product_ids: &str) -> Result<(), Error> {
    tx.sql(
        "update product set collection_id = :id, updated_at = :now
          where id in (select value from json_each(:ids)) and deleted_at is null",
    )
    .run(named_params! { ":id": id, ":ids": product_ids, ":now": tx.now() })
}

/// Removes products, given as a JSON array of ids, from a collection.
pub(crate) fn release(tx: &Tx<'_>, id: &CollectionId, product_ids: &str) -> Result<(), Error> {
    tx.sql(
        "update product set collection_id = null, updated_at = :now
          where id in (select value from json_each(:ids)) and collection_id = :id",
    )
    .run(named_params! { ":id": id, ":ids": product_ids, ":now": tx.now() })
}
