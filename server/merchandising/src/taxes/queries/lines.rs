//! The SQL that finds the rates of a country and its provinces.

use rusqlite::named_params;

use crate::database::{Error, Tx, Word as _};
use crate::ids;
use crate::taxes::rates::{RateRule, Reference, RegionRate, TaxRegion};

/// Returns the tax regions of a country with their rates, and the rates' rules that name one of `references`.
pub(crate) fn regions(
    tx: &Tx<'_>,
    country: &str,
    references: &[&str],
) -> Result<Vec<TaxRegion>, Error> {
    let mut statement = tx.prepare_cached(
        "select g.id, g.country, g.province, r.id, r.rate_ppm, r.code, r.name, r.is_default,
                r.is_combinable, u.reference, u.reference_id
           from tax_region g
           left join tax_rate r on r.tax_region_id = g.id
           left join tax_rate_rule u on u.tax_rate_id = r.id
                and u.reference_id in (select value from json_each(:references))
          where g.country = :country
          order by g.id, r.id",
    )?;
    let mut rows = statement.query(named_params! {
        ":country": country.to_ascii_lowercase(), ":references": ids::list(references),
    })?;
    let mut loaded: Vec<(String, TaxRegion)> = Vec::new();
    while let Some(row) = rows.next()? {
        let region_id: String = row.get(0)?;
        if loaded.last().is_none_or(|(id, _)| *id != region_id) {
            let (country_code, province_code) = (row.get(1)?, row.get(2)?);
            let region = TaxRegion { country_code, province_code, rates: Vec::new() };
            loaded.push((region_id, region));
        }
        let Some((_, region)) = loaded.last_mut() else { continue };
        let Some(rate_id) = row.get::<_, Option<String>>(3)? else { continue };
        if region.rates.last().is_none_or(|rate| rate.id != rate_id) {
            region.rates.push(RegionRate {
                id: rate_id,
                rate_ppm: row.get(4)?,
                code: row.get(5)?,
                name: row.get(6)?,
                is_default: row.get(7)?,
                is_combinable: row.get(8)?,
                rules: Vec::new(),
            });
        }
        let (Some(rate), Some(word)) = (region.rates.last_mut(), row.get::<_, Option<String>>(9)?)
        else {
            continue;
        };
        if let Some(reference) = Reference::from_word(&word) {
            rate.rules.push(RateRule { reference, reference_id: row.get(10)? });
        }
    }
    Ok(loaded.into_iter().map(|(_, region)| region).collect())
}
