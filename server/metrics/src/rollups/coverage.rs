//! The coverage of a table: the range of its rows in time, and the decimal places of their sums.

use quotient::rollup::{Rollup, Rollups};

use super::queries::tables::TableRow;
use super::table::RollupTable;

#[derive(Debug, Default)]
pub(super) struct Coverage {
    extent: Option<(i64, i64)>,
    scales: Vec<u32>,
}

impl Coverage {
    pub(super) fn of(table: &RollupTable, rollups: &Rollups) -> Self {
        let mut coverage = Self::default();
        for definition in &table.definitions {
            let grid = rollups.rollup(definition);
            coverage.scales.push(grid.map_or(0, Rollup::scale));
            coverage.extent = either(coverage.extent, grid.and_then(Rollup::extent));
        }
        coverage
    }

    pub(super) fn widens(&self, row: &TableRow) -> bool {
        let mut wider = row.clone();
        self.widen(&mut wider);
        wider != *row
    }

    pub(super) fn widen(&self, row: &mut TableRow) {
        row.extent = either(row.extent, self.extent);
        let own = scales(row);
        let both = self.scales.iter().enumerate();
        let both: Vec<u32> =
            both.map(|(index, scale)| own.get(index).copied().unwrap_or(0).max(*scale)).collect();
        row.scales = serde_json::Value::from(both).to_string();
    }
}

/// Returns the decimal places of a definition's sums, including those of pending deltas.
pub(super) fn scale((row, place): (&TableRow, u8), pending: Option<&Rollup>) -> u32 {
    let own = scales(row).get(usize::from(place)).copied().unwrap_or(0);
    own.max(pending.map_or(0, Rollup::scale))
}

/// Returns the decimal places by definition.
fn scales(row: &TableRow) -> Vec<u32> {
    serde_json::from_str(&row.scales).unwrap_or_default()
}

fn either(one: Option<(i64, i64)>, other: Option<(i64, i64)>) -> Option<(i64, i64)> {
    match (one, other) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (one, other) => one.or(other),
    }
}
