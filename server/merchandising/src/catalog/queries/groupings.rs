//! Statements on collections, tags and types.

use rusqlite::named_params;
use rusqlite::types::FromSql;

use crate::catalog::view::Product;
use crate::database::{Error, Record, Tx};
use crate::ids::{CategoryId, CollectionId};

/// Limit: products that are returned with their collection or category.
const MAX_PRODUCTS: usize = 20;

/// Returns the first products of collections that are visible in these channels, both given as JSON arrays of ids.
pub(crate) fn products_of_collections(
    tx: &Tx<'_>,
    ids: &str,
    channels: &str,
) -> Result<Vec<(CollectionId, Product)>, Error> {
    let members = "product one where one.collection_id = grouped.value";
    first_products(tx, "one.id", members, ids, channels)
}

/// Returns the first products of categories that are visible in these channels, both given as JSON arrays of ids.
pub(crate) fn products_of_categories(
    tx: &Tx<'_>,
    ids: &str,
    channels: &str,
) -> Result<Vec<(CategoryId, Product)>, Error> {
    let members = "product_category_product link join product one on one.id = link.product_id
                   where link.product_category_id = grouped.value";
    first_products(tx, "link.product_id", members, ids, channels)
}

fn first_products<K: FromSql>(
    tx: &Tx<'_>,
    id: &str,
    members: &str,
    ids: &str,
    channels: &str,
) -> Result<Vec<(K, Product)>, Error> {
    let from = format!(
        "json_each(:ids) grouped join product p on p.id in (
           select {id} from {members}
              and one.deleted_at is null and one.status = 'published'
              and exists (select 1 from product_sales_channel seen
                           where seen.product_id = one.id
                             and seen.sales_channel_id in (select value from json_each(:channels)))
            order by {id} limit {MAX_PRODUCTS})
         order by grouped.key, p.id"
    );
    let parameters = named_params! { ":ids": ids, ":channels": channels };
    Product::select_by(tx, "grouped.value", &from, parameters)
}

/// Empties a column of the products that have an id in it.
pub(crate) fn clear(tx: &Tx<'_>, column: &str, id: &str) -> Result<(), Error> {
    tx.sql(&format!("update product set {column} = null, updated_at = :now where {column} = :id"))
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
