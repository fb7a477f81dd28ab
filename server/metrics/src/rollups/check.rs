//! Compares rollups with their rows.

use std::collections::BTreeMap;

use quotient::rollup::{DimensionKey, PartialAggregate};

use super::apply::{codes, plan_of};
use super::build::counted;
use super::error::RollupError;
use super::page::Page;
use super::pending;
use super::plan::PlannedTable;
use super::queries::changes::touched;
use super::queries::tables::{self as queries, TableRow};
use super::table::{self, RollupTable};
use crate::database::{Error, Tx};
use crate::registry::queries::stamp;

/// Where a partial aggregate is in a table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    level: i64,
    bucket: i32,
    key: DimensionKey,
    /// The index of the definition.
    definition: u8,
}

type PartialsByPlace = BTreeMap<Place, PartialAggregate>;

/// Returns whether rollups can be compared with their rows: not in a group whose earlier writes touched orders, since
/// these are folded at the end of the group.
pub fn are_comparable(tx: &Tx<'_>) -> Result<bool, Error> {
    Ok(touched(tx)?.is_empty())
}

/// Describes where the next rollup after `after` differs from its rows, with its number; none after the last one. Flushes
/// pending deltas and assigns numbers to new keys, so it needs a write transaction.
///
/// # Errors
/// A database error, or unreadable pages.
pub fn differences(tx: &Tx<'_>, after: i64) -> Result<Option<(i64, Vec<String>)>, Error> {
    pending::flush(tx)?;
    let rows = queries::tables(tx)?;
    let next = rows.iter().filter(|row| row.seq > after).min_by_key(|row| row.seq);
    let Some(row) = next else { return Ok(None) };
    let zone = stamp::read(tx)?.zone;
    let mut differences = Vec::new();
    for code in codes(&rows) {
        let Some(plan) = plan_of(&code, &zone) else { continue };
        for planned in plan.tables().filter(|planned| planned.table.matches(row)) {
            if row.built_from != i32::MAX {
                differences.extend(differing(tx, planned, row)?);
            }
        }
    }
    Ok(Some((row.seq, differences)))
}

fn differing(
    tx: &Tx<'_>,
    planned: PlannedTable<'_>,
    row: &TableRow,
) -> Result<Vec<String>, RollupError> {
    let table = planned.table;
    let dirty = queries::dirty_of(tx, row.seq)?;
    let is_built = |at: &Place| {
        let span = usize::try_from(at.level).ok().and_then(|level| table.spans().get(level));
        let span = span.copied().unwrap_or(1).max(1);
        let first = at.bucket.saturating_mul(span);
        let is_dirty = |bucket: &i32| (first..first.saturating_add(span)).contains(bucket);
        first >= row.built_from && !dirty.iter().any(is_dirty)
    };
    let (mut expected, mut stored) = (expected(tx, planned, row)?, stored(tx, table, row)?);
    expected.retain(|at, partial| is_built(at) && !partial.is_empty());
    stored.retain(|at, partial| is_built(at) && !partial.is_empty());
    let mut places: Vec<&Place> = expected
        .iter()
        .filter(|(at, partial)| stored.get(at) != Some(partial))
        .map(|(at, _)| at)
        .chain(stored.keys().filter(|at| !expected.contains_key(at)))
        .collect();
    places.sort_unstable();
    let say = |at: &Place| {
        format!(
            "{}, level {}, bucket {}, {:?}, {:?}: stored {:?}, counted {:?}",
            table.name,
            at.level,
            at.bucket,
            at.key,
            table.definitions.get(usize::from(at.definition)).map(ToString::to_string),
            stored.get(at),
            expected.get(at)
        )
    };
    Ok(places.into_iter().map(say).collect())
}

fn expected(
    tx: &Tx<'_>,
    planned: PlannedTable<'_>,
    row: &TableRow,
) -> Result<PartialsByPlace, RollupError> {
    let table = planned.table;
    let rollups = counted(tx, planned, (row.built_from, i32::MAX))?;
    let mut expected = PartialsByPlace::new();
    for entry in table.partials(&rollups) {
        for (level, bucket) in table.levels(entry.bucket) {
            let (key, definition) = (entry.tuple.clone(), entry.place);
            let own = expected.entry(Place { level, bucket, key, definition });
            own.or_insert_with(|| PartialAggregate::empty(entry.kind))
                .merge(entry.kind, entry.aggregate);
        }
    }
    Ok(expected)
}

fn stored(
    tx: &Tx<'_>,
    table: &RollupTable,
    row: &TableRow,
) -> Result<PartialsByPlace, RollupError> {
    let keys: BTreeMap<i64, Vec<u8>> =
        queries::dimension_keys(tx, (0, i64::MAX))?.into_iter().collect();
    let mut stored = PartialsByPlace::new();
    for (_, level) in table.spans().iter().zip(0_i64..) {
        for own in queries::pages(tx, (row.seq, level), (i32::MIN, i32::MAX))? {
            let first = table.first_key(own.page);
            for (definition, key, partial) in Page::read(&own.body)?.partials() {
                let parts = keys.get(&first.saturating_add(i64::from(key)));
                let key = table::tuple(parts.map(Vec::as_slice).unwrap_or_default())?;
                let place = Place { level, bucket: own.bucket, key, definition };
                stored.insert(place, partial.clone());
            }
        }
    }
    Ok(stored)
}
