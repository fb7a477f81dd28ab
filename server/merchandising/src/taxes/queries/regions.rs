//! The SQL of tax regions.

use rusqlite::{OptionalExtension, named_params};

use crate::database::{Error, Tx};
use crate::ids::TaxRegionId;

/// Returns the region of a country itself.
pub(in crate::taxes) fn of_country(
    tx: &Tx<'_>,
    country: &str,
) -> Result<Option<TaxRegionId>, Error> {
    let id = tx
        .prepare_cached(
            "select id from tax_region where country = :country and coalesce(province, '') = ''",
        )?
        .query_row(named_params! { ":country": country }, |row| row.get(0))
        .optional()?;
    Ok(id)
}
