//! The SQL of tax regions and rates as people see and change them.

use rusqlite::{OptionalExtension, Row, named_params};

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{self, TaxRateId, TaxRegionId};
use crate::taxes::stored::{StoredRate, StoredRegion};

/// What the list of tax regions can be asked for.
pub(in crate::taxes) static REGIONS: Listing = Listing {
    plural: "tax_regions",
    table: "tax_region g",
    id: "g.id",
    columns: &[
        Column::new("id", "g.id", Kind::Id),
        Column::new("country_code", "g.country", Kind::Text),
        Column::new("province_code", "g.province", Kind::Text),
        Column::filter("parent_id", "g.parent_id", Kind::Id),
        Column::filter("provider_id", "g.provider_id", Kind::Text),
        Column::filter("created_by", "g.created_by", Kind::Text),
        Column::new("created_at", "g.created_at", Kind::Time),
        Column::new("updated_at", "g.updated_at", Kind::Time),
    ],
    search: &["g.country", "g.province"],
    default_limit: 20,
    default_order: "id",
    extra: &[],
};

/// What the list of tax rates can be asked for.
pub(in crate::taxes) static RATES: Listing = Listing {
    plural: "tax_rates",
    table: "tax_rate t",
    id: "t.id",
    columns: &[
        Column::new("id", "t.id", Kind::Id),
        Column::new("name", "t.name", Kind::Text),
        Column::new("code", "t.code", Kind::Text),
        Column::filter("tax_region_id", "t.tax_region_id", Kind::Id),
        Column::filter("is_default", "t.is_default", Kind::Boolean),
        Column::filter("is_combinable", "t.is_combinable", Kind::Boolean),
        Column::new("created_at", "t.created_at", Kind::Time),
        Column::new("updated_at", "t.updated_at", Kind::Time),
    ],
    search: &["t.name", "t.code"],
    default_limit: 20,
    default_order: "id",
    extra: &[],
};

fn read_region(row: &Row<'_>) -> rusqlite::Result<StoredRegion> {
    Ok(StoredRegion {
        id: row.get("id")?,
        country_code: row.get("country")?,
        province_code: row.get("province")?,
        parent_id: row.get("parent_id")?,
        provider_id: row.get("provider_id")?,
        metadata: row.get("metadata")?,
        created_by: row.get("created_by")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
        deleted_at: None,
    })
}

fn read_rate(row: &Row<'_>) -> rusqlite::Result<StoredRate> {
    Ok(StoredRate {
        id: row.get("id")?,
        tax_region_id: row.get("tax_region_id")?,
        rate_ppm: row.get("rate_ppm")?,
        code: row.get("code")?,
        name: row.get("name")?,
        is_default: row.get("is_default")?,
        is_combinable: row.get("is_combinable")?,
        metadata: row.get("metadata")?,
        created_by: row.get("created_by")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

/// A page of tax regions, and how many there are.
pub(in crate::taxes) fn regions(
    tx: &Tx<'_>,
    query: &ListQuery,
) -> Result<(Vec<StoredRegion>, u64), Error> {
    Ok((query.page(tx, "g.*", read_region)?, query.count(tx)?))
}

/// A page of tax rates, and how many there are.
pub(in crate::taxes) fn rates(
    tx: &Tx<'_>,
    query: &ListQuery,
) -> Result<(Vec<StoredRate>, u64), Error> {
    Ok((query.page(tx, "t.*", read_rate)?, query.count(tx)?))
}

pub(in crate::taxes) fn find_region(
    tx: &Tx<'_>,
    id: &TaxRegionId,
) -> Result<Option<StoredRegion>, Error> {
    let region = tx
        .prepare_cached("select * from tax_region where id = :id")?
        .query_row(named_params! { ":id": id }, read_region)
        .optional()?;
    Ok(region)
}

/// The regions of these ids.
pub(in crate::taxes) fn regions_by_ids(
    tx: &Tx<'_>,
    regions: &[TaxRegionId],
) -> Result<Vec<StoredRegion>, Error> {
    let rows = tx
        .prepare_cached(
            "select * from tax_region where id in (select value from json_each(:regions)) order by id",
        )?
        .query_map(
            named_params! { ":regions": ids::list(regions.iter().map(TaxRegionId::as_str)) },
            read_region,
        )?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The provinces of regions.
pub(in crate::taxes) fn children(
    tx: &Tx<'_>,
    regions: &[TaxRegionId],
) -> Result<Vec<StoredRegion>, Error> {
    let rows = tx
        .prepare_cached(
            "select * from tax_region where parent_id in (select value from json_each(:regions)) order by id",
        )?
        .query_map(
            named_params! { ":regions": ids::list(regions.iter().map(TaxRegionId::as_str)) },
            read_region,
        )?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The rates of regions.
pub(in crate::taxes) fn rates_of(
    tx: &Tx<'_>,
    regions: &[TaxRegionId],
) -> Result<Vec<StoredRate>, Error> {
    let rows = tx
        .prepare_cached(
            "select * from tax_rate where tax_region_id in (select value from json_each(:regions)) order by id",
        )?
        .query_map(
            named_params! { ":regions": ids::list(regions.iter().map(TaxRegionId::as_str)) },
            read_rate,
        )?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// The rules of rates: rate, kind of thing, thing.
pub(in crate::taxes) fn rules_of(
    tx: &Tx<'_>,
    rates: &[TaxRateId],
) -> Result<Vec<(TaxRateId, String, String)>, Error> {
    let rows = tx
        .prepare_cached(
            "select tax_rate_id, reference, reference_id
               from tax_rate_rule
              where tax_rate_id in (select value from json_each(:rates))
              order by reference, reference_id",
        )?
        .query_map(
            named_params! { ":rates": ids::list(rates.iter().map(TaxRateId::as_str)) },
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

pub(in crate::taxes) fn update_region(tx: &Tx<'_>, region: &StoredRegion) -> Result<(), Error> {
    tx.prepare_cached(
        "update tax_region set provider_id = :provider, metadata = :metadata, updated_at = :now
          where id = :id",
    )?
    .execute(named_params! {
        ":id": region.id, ":provider": region.provider_id, ":metadata": region.metadata,
        ":now": tx.now(),
    })?;
    Ok(())
}

pub(in crate::taxes) fn delete_region(tx: &Tx<'_>, id: &TaxRegionId) -> Result<(), Error> {
    tx.prepare_cached("delete from tax_region where id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}

pub(in crate::taxes) fn find_rate(
    tx: &Tx<'_>,
    id: &TaxRateId,
) -> Result<Option<StoredRate>, Error> {
    let rate = tx
        .prepare_cached("select * from tax_rate where id = :id")?
        .query_row(named_params! { ":id": id }, read_rate)
        .optional()?;
    Ok(rate)
}

pub(in crate::taxes) fn update_rate(tx: &Tx<'_>, rate: &StoredRate) -> Result<(), Error> {
    tx.prepare_cached(
        "update tax_rate
            set rate_ppm = :rate_ppm, code = :code, name = :name, is_default = :is_default,
                is_combinable = :is_combinable, metadata = :metadata, updated_at = :now
          where id = :id",
    )?
    .execute(named_params! {
        ":id": rate.id, ":rate_ppm": rate.rate_ppm, ":code": rate.code, ":name": rate.name,
        ":is_default": rate.is_default, ":is_combinable": rate.is_combinable,
        ":metadata": rate.metadata, ":now": tx.now(),
    })?;
    Ok(())
}

pub(in crate::taxes) fn delete_rate(tx: &Tx<'_>, id: &TaxRateId) -> Result<(), Error> {
    tx.prepare_cached("delete from tax_rate where id = :id")?
        .execute(named_params! { ":id": id })?;
    Ok(())
}
