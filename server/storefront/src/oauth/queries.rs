//! Queries for clients.

use crate::database::{Error, Tx};

/// Returns the number of clients.
pub(super) fn count(tx: &Tx<'_>) -> Result<u32, Error> {
    tx.sql("select count(*) from oauth_client").one([], |row| row.get(0))
}
