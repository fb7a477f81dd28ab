//! The statements of the demo store that belong to no domain: whether there is a store already, and the memory that
//! writing a whole history takes.

use crate::database::{Error, Tx};

/// Memory for pages while a history is written, in KiB: most of its pages are written once only.
const PAGE_CACHE_KIB: i64 = 262_144;

/// Whether there is no store, and nothing is sold to anybody.
pub(super) fn is_empty(tx: &Tx<'_>) -> Result<bool, Error> {
    let mut statement = tx.prepare_cached(
        "select not exists (select 1 from store) and not exists (select 1 from product) and not exists (select 1 from orders)
            and not exists (select 1 from customer) and not exists (select 1 from region)",
    )?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// Gives the writer more memory; gives what it had.
pub(super) fn grow_memory(tx: &Tx<'_>) -> Result<i64, Error> {
    let before = tx.pragma_query_value(None, "cache_size", |row| row.get(0))?;
    tx.pragma_update(None, "cache_size", PAGE_CACHE_KIB.saturating_neg())?;
    Ok(before)
}

/// Takes the memory back.
pub(super) fn shrink_memory(tx: &Tx<'_>, before: i64) -> Result<(), Error> {
    tx.pragma_update(None, "cache_size", before)?;
    Ok(tx.execute_batch("pragma shrink_memory")?)
}
