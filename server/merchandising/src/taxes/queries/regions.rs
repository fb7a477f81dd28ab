//! The SQL of tax regions.

use rusqlite::{OptionalExtension, named_params};

use crate::database::{Error, Tx};
use crate::ids::TaxRegionId;
use crate::metadata::Metadata;

/// A tax region to write.
#[derive(Debug)]
pub(in crate::taxes) struct Row<'a> {
    pub(in crate::taxes) id: &'a TaxRegionId,
    /// The country, lower case.
    pub(in crate::taxes) country: &'a str,
    /// The province, lower case.
    pub(in crate::taxes) province: Option<&'a str>,
    /// The region of the country, for a province.
    pub(in crate::taxes) parent_id: Option<&'a TaxRegionId>,
    /// The tax provider.
    pub(in crate::taxes) provider_id: &'a str,
    pub(in crate::taxes) metadata: &'a Metadata,
    pub(in crate::taxes) created_by: Option<&'a str>,
}

pub(in crate::taxes) fn insert(tx: &Tx<'_>, row: &Row<'_>) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into tax_region
           (id, country, province, parent_id, provider_id, metadata, created_by, created_at, updated_at)
         values (:id, :country, :province, :parent_id, :provider_id, :metadata, :created_by, :now, :now)",
    )?
    .execute(named_params! {
        ":id": row.id, ":country": row.country, ":province": row.province, ":parent_id": row.parent_id,
        ":provider_id": row.provider_id, ":metadata": row.metadata, ":created_by": row.created_by,
        ":now": tx.now(),
    })?;
    Ok(())
}

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

pub(in crate::taxes) fn exists(tx: &Tx<'_>, id: &TaxRegionId) -> Result<bool, Error> {
    let found = tx
        .prepare_cached("select 1 from tax_region where id = :id")?
        .exists(named_params! { ":id": id })?;
    Ok(found)
}
