//! The SQL of regions.

use rusqlite::named_params;

use crate::database::{Error, Link, Tx};
use crate::ids::{self, RegionId};

pub(crate) const COUNTRIES: Link = Link::new("region_country", "region_id", "country");

pub(crate) const PAYMENT_PROVIDERS: Link =
    Link::new("region_payment_provider", "region_id", "provider_id");

/// Returns one of the countries that belongs to another region.
pub(crate) fn country_elsewhere(
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
    .first(named_params! { ":countries": ids::list(countries), ":region": region }, |row| {
        row.get(0)
    })
}
