//! The SQL of the demo store that belongs to no domain: whether a store exists, and the memory for writing a whole
//! history.

use crate::database::{Error, Tx};

/// The page cache while the history is written, in KiB, so that most pages are written only once.
const PAGE_CACHE_KIB: i64 = 262_144;

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

/// Restores the page cache.
pub(super) fn shrink_memory(tx: &Tx<'_>, before: i64) -> Result<(), Error> {
    tx.pragma_update(None, "cache_size", before)?;
    Ok(tx.execute_batch("pragma shrink_memory")?)
}
