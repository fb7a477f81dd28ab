//! The SQL of regions.

use rusqlite::{OptionalExtension, Row, named_params};

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{self, RegionId};
use crate::regions::Region;

const INSERT: &str = "insert into region
    (id, name, currency, automatic_taxes, is_tax_inclusive, metadata, created_at, updated_at)
  values (:id, :name, :currency, :automatic_taxes, :is_tax_inclusive, :metadata, :created_at, :updated_at)";

/// What the list of regions can be asked for.
pub(in crate::regions) static REGIONS: Listing = Listing {
    plural: "regions",
    table: "region r",
    id: "r.id",
    columns: &[
        Column::new("id", "r.id", Kind::Id),
        Column::new("name", "r.name", Kind::Text),
        Column::new("currency_code", "r.currency", Kind::Text),
        Column::new("created_at", "r.created_at", Kind::Time),
        Column::new("updated_at", "r.updated_at", Kind::Time),
        Column::filter(
            "country_code",
            "r.id in (select region_id from region_country where country in ({}))",
            Kind::Link,
        ),
    ],
    search: &["r.name", "r.currency"],
    default_limit: 50,
    default_order: "id",
    extra: &[],
};

/// What [`read`] reads.
const COLUMNS: &str = "r.id, r.name, r.currency, r.automatic_taxes, r.is_tax_inclusive, r.metadata, \
     r.created_at, r.updated_at";

/// A page of the list, and how many there are.
pub(in crate::regions) fn page(tx: &Tx<'_>, query: ListQuery) -> Result<(Vec<Region>, u64), Error> {
    let query = query.narrow("r.deleted_at is null", []);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

fn read(row: &Row<'_>) -> rusqlite::Result<Region> {
    Ok(Region {
        id: row.get(0)?,
        name: row.get(1)?,
        currency: row.get(2)?,
        automatic_taxes: row.get(3)?,
        is_tax_inclusive: row.get(4)?,
        metadata: row.get(5)?,
        created_at: row.get(6)?,
        updated_at: row.get(7)?,
        deleted_at: None,
    })
}

pub(in crate::regions) fn insert(tx: &Tx<'_>, region: &Region) -> Result<(), Error> {
    tx.prepare_cached(INSERT)?.execute(named_params! {
        ":id": region.id, ":name": region.name, ":currency": region.currency,
        ":automatic_taxes": region.automatic_taxes, ":is_tax_inclusive": region.is_tax_inclusive,
        ":metadata": region.metadata, ":created_at": region.created_at, ":updated_at": region.updated_at,
    })?;
    Ok(())
}

pub(in crate::regions) fn update(tx: &Tx<'_>, region: &Region) -> Result<(), Error> {
    tx.prepare_cached(
        "update region
            set name = :name, currency = :currency, automatic_taxes = :automatic_taxes,
                is_tax_inclusive = :is_tax_inclusive, metadata = :metadata, updated_at = :updated_at
          where id = :id",
    )?
    .execute(named_params! {
        ":id": region.id, ":name": region.name, ":currency": region.currency,
        ":automatic_taxes": region.automatic_taxes, ":is_tax_inclusive": region.is_tax_inclusive,
        ":metadata": region.metadata, ":updated_at": region.updated_at,
    })?;
    Ok(())
}

pub(in crate::regions) fn delete(tx: &Tx<'_>, id: &RegionId) -> Result<bool, Error> {
    let count = tx
        .prepare_cached(
            "update region set deleted_at = :now, updated_at = :now
              where id = :id and deleted_at is null",
        )?
        .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(count > 0)
}

pub(in crate::regions) fn find(tx: &Tx<'_>, id: &RegionId) -> Result<Option<Region>, Error> {
    let region = tx
        .prepare_cached(
            "select r.id, r.name, r.currency, r.automatic_taxes, r.is_tax_inclusive, r.metadata,
                    r.created_at, r.updated_at
               from region r
              where r.id = :id and r.deleted_at is null",
        )?
        .query_row(named_params! { ":id": id }, read)
        .optional()?;
    Ok(region)
}

pub(in crate::regions) fn default_region(tx: &Tx<'_>) -> Result<Option<Region>, Error> {
    let region = tx
        .prepare_cached(
            "select r.id, r.name, r.currency, r.automatic_taxes, r.is_tax_inclusive, r.metadata,
                    r.created_at, r.updated_at
               from region r
               left join store on store.default_region_id = r.id
              where r.deleted_at is null
              order by store.id is null, r.created_at, r.rowid
              limit 1",
        )?
        .query_row([], read)
        .optional()?;
    Ok(region)
}

pub(in crate::regions) fn countries(
    tx: &Tx<'_>,
    regions: &[RegionId],
) -> Result<Vec<(RegionId, String)>, Error> {
    let rows = tx
        .prepare_cached(
            "select region_id, country
               from region_country
              where region_id in (select value from json_each(:regions))
              order by country",
        )?
        .query_map(
            named_params! { ":regions": ids::list(regions.iter().map(RegionId::as_str)) },
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

/// One of the countries that belongs to another region.
pub(in crate::regions) fn country_elsewhere(
    tx: &Tx<'_>,
    region: &RegionId,
    countries: &[&str],
) -> Result<Option<String>, Error> {
    let country = tx
        .prepare_cached(
            "select country
               from region_country
              where country in (select value from json_each(:countries)) and region_id <> :region
              order by country
              limit 1",
        )?
        .query_row(
            named_params! { ":countries": ids::list(countries.iter().copied()), ":region": region },
            |row| row.get(0),
        )
        .optional()?;
    Ok(country)
}

pub(in crate::regions) fn replace_countries(
    tx: &Tx<'_>,
    region: &RegionId,
    countries: &[&str],
) -> Result<(), Error> {
    tx.prepare_cached("delete from region_country where region_id = :region")?
        .execute(named_params! { ":region": region })?;
    tx.prepare_cached(
        "insert into region_country (country, region_id)
         select value, :region from json_each(:countries)",
    )?
    .execute(
        named_params! { ":region": region, ":countries": ids::list(countries.iter().copied()) },
    )?;
    Ok(())
}

pub(in crate::regions) fn payment_providers(
    tx: &Tx<'_>,
    regions: &[RegionId],
) -> Result<Vec<(RegionId, String)>, Error> {
    let rows = tx
        .prepare_cached(
            "select region_id, provider_id
               from region_payment_provider
              where region_id in (select value from json_each(:regions))
              order by provider_id",
        )?
        .query_map(
            named_params! { ":regions": ids::list(regions.iter().map(RegionId::as_str)) },
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?
        .collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}

pub(in crate::regions) fn replace_payment_providers(
    tx: &Tx<'_>,
    region: &RegionId,
    providers: &[String],
) -> Result<(), Error> {
    tx.prepare_cached("delete from region_payment_provider where region_id = :region")?
        .execute(named_params! { ":region": region })?;
    tx.prepare_cached(
        "insert or ignore into region_payment_provider (region_id, provider_id)
         select :region, value from json_each(:providers)",
    )?
    .execute(named_params! {
        ":region": region, ":providers": ids::list(providers.iter().map(String::as_str)),
    })?;
    Ok(())
}
