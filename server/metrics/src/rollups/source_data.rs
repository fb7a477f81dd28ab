//! Folds rows of the store into rollups.

use std::collections::{BTreeMap, BTreeSet};

use quotient::data::Rates;
use quotient::rollup::{RollupSchema, Rollups};

use super::error::RollupError;
use super::key_numbers::StoredKeyNumbers;
use super::plan::RollupPlan;
use super::queries::source_rows::SourceRows;
use crate::registry::findings;

#[derive(Debug)]
pub(super) struct SourceData(quotient::data::Data);

impl SourceData {
    pub(super) fn of(plan: &RollupPlan, read: &[SourceRows<'_>]) -> Result<Self, RollupError> {
        let engine = &plan.engine;
        let mut tables = Vec::with_capacity(read.len());
        for (source, fields, rows) in read {
            tables.push(plan.binding.rows(engine.schema(), (source, fields), rows)?);
        }
        let data = engine.data(tables, Rates::new());
        Ok(Self(data.map_err(|error| RollupError::Rows(error.to_string()))?))
    }
}

/// Returns the sources that some definitions read, with the fields of each.
pub(super) fn reads<'d>(definitions: &[&'d RollupSchema]) -> BTreeMap<&'d str, BTreeSet<&'d str>> {
    let mut reads: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (source, fields) in definitions.iter().flat_map(|definitions| definitions.reads()) {
        reads.entry(source).or_default().extend(fields);
    }
    reads
}

pub(super) fn fold(
    plan: &RollupPlan,
    (definitions, rows): (&RollupSchema, &SourceData),
    numbers: &mut StoredKeyNumbers<'_, '_>,
) -> Result<Rollups, RollupError> {
    let rollups = plan.engine.fold_rollups(definitions, &rows.0, numbers);
    numbers.check()?;
    rollups.map_err(|findings| RollupError::Rows(findings::first(&findings)))
}
