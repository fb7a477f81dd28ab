//! How far rollups lag behind their rows. Answers are correct regardless: what rollups lack is read from
//! rows.

use serde::Serialize;

use super::queries::{pending, tables};
use crate::database::{Error, Tx};
use crate::http::ToSchema;

/// What rollups do not contain yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RollupBacklog {
    /// New orders that readers add until they are taken in.
    pub pending_orders: i64,
    /// Hours and days to be rebuilt.
    pub dirty_buckets: i64,
    /// Tables that are not built yet.
    pub unbuilt_tables: i64,
}

/// Counts what rollups do not contain yet.
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
