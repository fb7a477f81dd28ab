//! The SQL of regions.

use rusqlite::named_params;

use crate::database::{Error, Tx};
use crate::ids::{self, RegionId};

pub(in crate::regions) fn countries(
    tx: &Tx<'_>,
    regions: &[RegionId],
) -> Result<Vec<(RegionId, String)>, Error> {
    tx.sql(
        "select region_id, country
           from region_country
          where region_id in (select value from json_each(:regions))
          order by country",
    )
    .all(named_params! { ":regions": ids::list(regions.iter().map(RegionId::as_str)) }, |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

/// Returns one of the countries that belongs to another region.
pub(in crate::regions) fn country_elsewhere(
    tx: &Tx<'_>,
    region: &RegionId,
    countries: &[&str],
) -> Result<Option<String>, Error> {
    tx.sql(
        "select country
           from region_country
          where country in (select value from json_each(:countries)) and region_id <> :region
          order by country
          limit 1",
    )
    .first(
        named_params! { ":countries": ids::list(countries.iter().copied()), ":region": region },
        |row| row.get(0),
    )
}

pub(in crate::regions) fn replace_countries(
    tx: &Tx<'_>,
    region: &RegionId,
    countries: &[&str],
) -> Result<(), Error> {
    tx.sql("delete from region_country where region_id = :region")
        .run(named_params! { ":region": region })?;
    tx.sql(
        "insert into region_country (country, region_id)
         select value, :region from json_each(:countries)",
    )
    .run(named_params! { ":region": region, ":countries": ids::list(countries.iter().copied()) })
}

pub(in crate::regions) fn payment_providers(
    tx: &Tx<'_>,
    regions: &[RegionId],
) -> Result<Vec<(RegionId, String)>, Error> {
    tx.sql(
        "select region_id, provider_id
           from region_payment_provider
          where region_id in (select value from json_each(:regions))
          order by provider_id",
    )
    .all(named_params! { ":regions": ids::list(regions.iter().map(RegionId::as_str)) }, |row| {
        Ok((row.get(0)?, row.get(1)?))
    })
}

pub(in crate::regions) fn replace_payment_providers(
    tx: &Tx<'_>,
    region: &RegionId,
    providers: &[String],
) -> Result<(), Error> {
    tx.sql("delete from region_payment_provider where region_id = :region")
        .run(named_params! { ":region": region })?;
    tx.sql(
        "insert or ignore into region_payment_provider (region_id, provider_id)
         select :region, value from json_each(:providers)",
    )
    .run(named_params! {
        ":region": region, ":providers": ids::list(providers.iter().map(String::as_str)),
    })
}
