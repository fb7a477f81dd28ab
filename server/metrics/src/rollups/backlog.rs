//! How far rollups are behind their rows. Answers are right all the same: what they lack is read from rows.

use serde::Serialize;

use super::queries::{pending, tables};
use crate::database::{Error, Tx};
use crate::http::ToSchema;

/// What rollups have not taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RollupBacklog {
    /// New orders that readers add until they are taken in.
    pub pending_orders: i64,
    /// Hours and days that are to be built anew.
    pub dirty_buckets: i64,
    /// Tables that are not built yet.
    pub unbuilt_tables: i64,
}

/// Counts what rollups have not taken in.
///
/// # Errors
/// A database error.
pub fn backlog(tx: &Tx<'_>) -> Result<RollupBacklog, Error> {
    Ok(RollupBacklog {
        pending_orders: pending::pending_order_count(tx)?,
        dirty_buckets: tables::dirty_count(tx)?,
        unbuilt_tables: tables::unbuilt_count(tx)?,
    })
}
