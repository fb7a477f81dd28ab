//! How far a sheet reaches: the instants of its rows, and the digits of their sums.

use quotient::rollup::{Rollup, Rollups};

use super::queries::tables::SheetRow;
use super::table::Sheet;

/// How far rows reach: their instants, and the digits of their values.
#[derive(Debug, Default)]
pub(super) struct Reach {
    extent: Option<(i64, i64)>,
    scales: Vec<u32>,
}

impl Reach {
    pub(super) fn of(sheet: &Sheet, cells: &Rollups) -> Self {
        let mut reach = Self::default();
        for definition in &sheet.definitions {
            let grid = cells.rollup(definition);
            reach.scales.push(grid.map_or(0, Rollup::scale));
            reach.extent = either(reach.extent, grid.and_then(Rollup::extent));
        }
        reach
    }

    pub(super) fn widens(&self, row: &SheetRow) -> bool {
        let mut wider = row.clone();
        self.widen(&mut wider);
        wider != *row
    }

    pub(super) fn widen(&self, row: &mut SheetRow) {
        row.extent = either(row.extent, self.extent);
        let own = scales(row);
        let both = self.scales.iter().enumerate();
        let both: Vec<u32> =
            both.map(|(index, scale)| own.get(index).copied().unwrap_or(0).max(*scale)).collect();
        row.scales = serde_json::Value::from(both).to_string();
    }
}

/// The digits after the point that a definition's sums have at least, with those of what waits.
pub(super) fn scale((row, place): (&SheetRow, u8), waiting: Option<&Rollup>) -> u32 {
    let own = scales(row).get(usize::from(place)).copied().unwrap_or(0);
    own.max(waiting.map_or(0, Rollup::scale))
}

/// The digits after the point, by definition.
fn scales(row: &SheetRow) -> Vec<u32> {
    serde_json::from_str(&row.scales).unwrap_or_default()
}

fn either(one: Option<(i64, i64)>, other: Option<(i64, i64)>) -> Option<(i64, i64)> {
    match (one, other) {
        (Some((a, b)), Some((c, d))) => Some((a.min(c), b.max(d))),
        (one, other) => one.or(other),
    }
}
