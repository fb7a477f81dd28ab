//! Compares rollups with their rows.

use std::collections::BTreeMap;

use quotient::rollup::{DimensionKey, PartialAggregate};

use super::apply::{codes, plan_of};
use super::build::counted;
use super::error::RollupError;
use super::page::Page;
use super::pending;
use super::plan::{PlanPart, RollupPlan};
use super::queries::tables::{self as queries, TableRow};
use super::table::{self, RollupTable};
use crate::database::{Error, Tx};
use crate::registry::queries::stamp;

/// Partial aggregates by level, bucket, key and index of the definition.
type PartialsByPlace = BTreeMap<(i64, i32, DimensionKey, u8), PartialAggregate>;

/// Describes where the next rollup after `after` differs from its rows, with its number; none after the last one. Flushes
/// pending deltas and assigns numbers to new keys, so it needs a write transaction: one for each rollup, since other writes
/// wait for it.
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
        for (part, table) in plan.tables().filter(|(_, table)| table.matches(row)) {
            if row.built_from != i32::MAX {
                differences.extend(differing(tx, (&plan, part, table), row)?);
            }
        }
    }
    Ok(Some((row.seq, differences)))
}

fn differing(
    tx: &Tx<'_>,
    of: (&RollupPlan, &PlanPart, &RollupTable),
    row: &TableRow,
) -> Result<Vec<String>, RollupError> {
    let (_, _, table) = of;
    let dirty = queries::dirty_of(tx, row.seq)?;
    let is_built = |(level, number, _, _): &(i64, i32, DimensionKey, u8)| {
        let span = usize::try_from(*level).ok().and_then(|level| table.spans().get(level));
        let span = span.copied().unwrap_or(1).max(1);
        let first = number.saturating_mul(span);
        let is_dirty = |bucket: &i32| (first..first.saturating_add(span)).contains(bucket);
        first >= row.built_from && !dirty.iter().any(is_dirty)
    };
    let (mut expected, mut stored) = (expected(tx, of, row)?, stored(tx, table, row)?);
    expected.retain(|at, partial| is_built(at) && !partial.is_empty());
    stored.retain(|at, partial| is_built(at) && !partial.is_empty());
    let mut places: Vec<&(i64, i32, DimensionKey, u8)> = expected
        .iter()
        .filter(|(at, partial)| stored.get(at) != Some(partial))
        .map(|(at, _)| at)
        .chain(stored.keys().filter(|at| !expected.contains_key(at)))
        .collect();
    places.sort_unstable();
    let say = |at: &(i64, i32, DimensionKey, u8)| {
        format!(
            "{}, level {}, bucket {}, {:?}, {:?}: kept {:?}, counted {:?}",
            table.name,
            at.0,
            at.1,
            at.2,
            table.definitions.get(usize::from(at.3)).map(ToString::to_string),
            stored.get(at),
            expected.get(at)
        )
    };
    Ok(places.into_iter().map(say).collect())
}

fn expected(
    tx: &Tx<'_>,
    of: (&RollupPlan, &PlanPart, &RollupTable),
    row: &TableRow,
) -> Result<PartialsByPlace, RollupError> {
    let (_, _, table) = of;
    let rollups = counted(tx, of, (row.built_from, i32::MAX))?;
    let mut expected = PartialsByPlace::new();
    for entry in table.partials(&rollups) {
        for (level, number) in table.levels(entry.bucket) {
            let own = expected.entry((level, number, entry.tuple.clone(), entry.place));
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
            for (place, key, partial) in Page::read(&own.body)?.partials() {
                let parts = keys.get(&first.saturating_add(i64::from(key)));
                let tuple = table::tuple(parts.map(Vec::as_slice).unwrap_or_default())?;
                stored.insert((level, own.bucket, tuple, place), partial.clone());
            }
        }
    }
    Ok(stored)
}
