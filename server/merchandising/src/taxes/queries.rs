//! The SQL of tax regions and rates, one statement per function.

use rusqlite::named_params;
use serde_json::{Value, json};

use super::rates::{RateRule, Reference, RegionRate, TaxRegion};
use super::rows::{TaxRateRuleView, TaxRateView, TaxRegionRow};
use crate::database::{Error, FromRow as _, Record, Tx, Word as _};
use crate::ids::{self, TaxRateId, TaxRegionId};

/// Returns the provinces of regions.
pub(crate) fn children(tx: &Tx<'_>, regions: &[TaxRegionId]) -> Result<Vec<TaxRegionRow>, Error> {
    TaxRegionRow::select(
        tx,
        "where g.parent_id in (select value from json_each(:regions)) order by g.id",
        named_params! { ":regions": ids::list(regions) },
    )
}

pub(crate) fn rates_of(tx: &Tx<'_>, regions: &[TaxRegionId]) -> Result<Vec<TaxRateView>, Error> {
    TaxRateView::select(
        tx,
        "where t.tax_region_id in (select value from json_each(:regions)) order by t.id",
        named_params! { ":regions": ids::list(regions) },
    )
}

pub(crate) fn rules_of(tx: &Tx<'_>, rates: &[TaxRateId]) -> Result<Vec<TaxRateRuleView>, Error> {
    tx.sql(
        "select reference_id as id, tax_rate_id, reference, reference_id
           from tax_rate_rule
          where tax_rate_id in (select value from json_each(:rates))
          order by reference, reference_id",
    )
    .all(named_params! { ":rates": ids::list(rates) }, TaxRateRuleView::from_row)
}

/// Returns the tax regions of a country with their rates, and the rates' rules that name one of `references`.
pub(crate) fn regions_of_country(
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
        let Some(rate_id) = row.get::<_, Option<TaxRateId>>(3)? else { continue };
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
        if let (Some(rate), Some(reference)) = (region.rates.last_mut(), row.get(9)?) {
            rate.rules.push(RateRule { reference, reference_id: row.get(10)? });
        }
    }
    Ok(loaded.into_iter().map(|(_, region)| region).collect())
}

pub(crate) fn country_itself(tx: &Tx<'_>, country: &str) -> Result<Option<TaxRegionId>, Error> {
    tx.sql("select id from tax_region where country = :country and coalesce(province, '') = ''")
        .first(named_params! { ":country": country }, |row| row.get(0))
}

pub(crate) fn clear_rules(tx: &Tx<'_>, id: &TaxRateId) -> Result<(), Error> {
    tx.sql("delete from tax_rate_rule where tax_rate_id = :id").run(named_params! { ":id": id })
}

pub(crate) fn add_rules(
    tx: &Tx<'_>,
    id: &TaxRateId,
    rules: &[(Reference, String)],
) -> Result<(), Error> {
    let rows: Value = rules.iter().map(|(reference, id)| json!([reference.as_str(), id])).collect();
    tx.sql(
        "insert or ignore into tax_rate_rule (tax_rate_id, reference, reference_id)
         select :id, value ->> 0, value ->> 1 from json_each(:rows)",
    )
    .run(named_params! { ":id": id, ":rows": rows.to_string() })
}

/// Deletes a rule; returns whether it existed.
pub(crate) fn remove_rule(tx: &Tx<'_>, id: &TaxRateId, reference_id: &str) -> Result<bool, Error> {
    let count = tx
        .sql("delete from tax_rate_rule where tax_rate_id = :id and reference_id = :reference_id")
        .execute(named_params! { ":id": id, ":reference_id": reference_id })?;
    Ok(count > 0)
}
