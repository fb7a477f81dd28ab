//! The SQL of tax regions.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::TaxRegionId;

/// Returns the region of a country itself.
pub(crate) fn of_country(tx: &Tx<'_>, country: &str) -> Result<Option<TaxRegionId>, Error> {
    tx.sql("select id from tax_region where country = :country and coalesce(province, '') = ''")
        .first(named_params! { ":country": country }, |row| row.get(0))
}
