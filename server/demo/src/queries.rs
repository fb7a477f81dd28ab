//! The SQL of the demo store that belongs to no domain: whether a store exists, and the memory for writing a whole
//! history.

use crate::database::{Error, Tx};

/// The page cache while the history is written, in KiB, so that most pages are written only once.
const PAGE_CACHE_KIB: i64 = 262_144;
/// The large indexes in another order than the history's. Nothing reads them while it is written, and to sort all their
/// rows at the end takes less time than to find the place of each.
const LATE_INDEXES: [&str; 3] =
    ["order_line_by_product", "order_line_by_variant", "inventory_movement_by_item"];

/// Returns whether there are no store, products and orders.
pub(super) fn is_empty(tx: &Tx<'_>) -> Result<bool, Error> {
    tx.sql(
        "select not exists (select 1 from store) and not exists (select 1 from product) and not exists (select 1 from orders)
            and not exists (select 1 from customer) and not exists (select 1 from region)",
    )
    .one([], |row| row.get(0))
}

/// Enlarges the writer's page cache; returns the previous size.
pub(super) fn grow_memory(tx: &Tx<'_>) -> Result<i64, Error> {
    let before = tx.pragma_query_value(None, "cache_size", |row| row.get(0))?;
    tx.pragma_update(None, "cache_size", PAGE_CACHE_KIB.saturating_neg())?;
    Ok(before)
}

pub(super) fn shrink_memory(tx: &Tx<'_>, before: i64) -> Result<(), Error> {
    tx.pragma_update(None, "cache_size", before)?;
    Ok(tx.execute_batch("pragma shrink_memory")?)
}

/// Drops the indexes that are filled at the end; returns the statements that create them.
pub(super) fn drop_late_indexes(tx: &Tx<'_>) -> Result<String, Error> {
    let drop_index = |name| {
        let create: String = tx
            .sql("select sql || ';' from sqlite_schema where type = 'index' and name = ?1")
            .one([name], |row| row.get(0))?;
        tx.execute_batch(&format!("drop index {name}"))?;
        Ok(create)
    };
    LATE_INDEXES.into_iter().map(drop_index).collect()
}

/// Creates the indexes, and sorts all rows into them.
pub(super) fn create_indexes(tx: &Tx<'_>, statements: &str) -> Result<(), Error> {
    Ok(tx.execute_batch(statements)?)
}
