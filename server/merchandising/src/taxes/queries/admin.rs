//! The SQL of the relations of tax regions and rates.

use rusqlite::named_params;

use crate::database::{Error, Record, Tx};
use crate::ids::{self, TaxRateId, TaxRegionId};
use crate::taxes::rows::{TaxRateRow, TaxRegionRow};

/// Returns the provinces of regions.
pub(crate) fn children(tx: &Tx<'_>, regions: &[TaxRegionId]) -> Result<Vec<TaxRegionRow>, Error> {
    TaxRegionRow::select(
        tx,
        "where g.parent_id in (select value from json_each(:regions)) order by g.id",
        named_params! { ":regions": ids::list(regions) },
    )
}

pub(crate) fn rates_of(tx: &Tx<'_>, regions: &[TaxRegionId]) -> Result<Vec<TaxRateRow>, Error> {
    TaxRateRow::select(
        tx,
        "where t.tax_region_id in (select value from json_each(:regions)) order by t.id",
        named_params! { ":regions": ids::list(regions) },
    )
}

/// Returns the rules of rates: rate, kind of reference, referenced id.
pub(crate) fn rules_of(
    tx: &Tx<'_>,
    rates: &[TaxRateId],
) -> Result<Vec<(TaxRateId, String, String)>, Error> {
    tx.sql(
        "select tax_rate_id, reference, reference_id
           from tax_rate_rule
          where tax_rate_id in (select value from json_each(:rates))
          order by reference, reference_id",
    )
    .all(named_params! { ":rates": ids::list(rates) }, |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })
}
