//! Customers, addresses and groups in the database.

pub(super) mod addresses;
pub(super) mod customers;
pub(super) mod groups;

use serde::Serialize;

use crate::database::Error;

/// Ids as one value to bind, so that a statement does not depend on how many there are.
fn list(ids: &[impl Serialize]) -> Result<String, Error> {
    let text = serde_json::to_string(ids)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
    Ok(text)
}
