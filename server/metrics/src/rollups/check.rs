//! States against a recount of their rows.

use std::collections::BTreeMap;

use quotient::rollup::{DimensionKey, PartialAggregate};

use super::build::counted;
use super::fold::{codes, keeping_of};
use super::page::Page;
use super::pending;
use super::queries::tables::{self as queries, SheetRow};
use super::retention::{Keeping, Part};
use super::rows::StateError;
use super::table::{self, Sheet};
use crate::database::{Error, Tx};
use crate::registry::queries::stamp;

/// What cells hold, by level, number, key and place.
type Held = BTreeMap<(i64, i32, DimensionKey, u8), PartialAggregate>;

/// What states say otherwise than a recount of all rows: the sheet and where, for people. It puts in what
/// waits, and writes numbers of keys that are not known yet, and so needs a transaction that writes.
///
/// # Errors
/// A database error, or cells that cannot be read.
pub fn differences(tx: &Tx<'_>) -> Result<Vec<String>, Error> {
    pending::settle(tx)?;
    let mut found = Vec::new();
    let zone = stamp::read(tx)?.zone;
    let kept = queries::sheets(tx)?;
    for code in codes(&kept) {
        let Some(keeping) = keeping_of(&code, &zone) else { continue };
        for (part, sheet) in keeping.sheets() {
            let row = kept.iter().find(|row| sheet.is_kept_as(row));
            if let Some(row) = row.filter(|row| row.built_from != i32::MAX) {
                found.extend(differing(tx, (&keeping, part, sheet), row)?);
            }
        }
    }
    Ok(found)
}

fn differing(
    tx: &Tx<'_>,
    of: (&Keeping, &Part, &Sheet),
    row: &SheetRow,
) -> Result<Vec<String>, StateError> {
    let (_, _, sheet) = of;
    let dirty = queries::dirty_of(tx, row.seq)?;
    let is_known = |(level, number, _, _): &(i64, i32, DimensionKey, u8)| {
        let span = usize::try_from(*level).ok().and_then(|level| sheet.spans().get(level));
        let span = span.copied().unwrap_or(1).max(1);
        let first = number.saturating_mul(span);
        let is_dirty = |slot: &i32| (first..first.saturating_add(span)).contains(slot);
        first >= row.built_from && !dirty.iter().any(is_dirty)
    };
    let (mut wanted, mut held) = (wanted(tx, of, row)?, held(tx, sheet, row)?);
    wanted.retain(|at, state| is_known(at) && !state.is_empty());
    held.retain(|at, state| is_known(at) && !state.is_empty());
    let mut places: Vec<&(i64, i32, DimensionKey, u8)> = wanted
        .iter()
        .filter(|(at, state)| held.get(at) != Some(state))
        .map(|(at, _)| at)
        .chain(held.keys().filter(|at| !wanted.contains_key(at)))
        .collect();
    places.sort_unstable();
    let say = |at: &(i64, i32, DimensionKey, u8)| {
        format!(
            "{}, level {}, slot {}, {:?}, {:?}: kept {:?}, counted {:?}",
            sheet.name,
            at.0,
            at.1,
            at.2,
            sheet.definitions.get(usize::from(at.3)).map(ToString::to_string),
            held.get(at),
            wanted.get(at)
        )
    };
    Ok(places.into_iter().map(say).collect())
}

/// What a recount gives.
fn wanted(tx: &Tx<'_>, of: (&Keeping, &Part, &Sheet), row: &SheetRow) -> Result<Held, StateError> {
    let (_, _, sheet) = of;
    let cells = counted(tx, of, (row.built_from, i32::MAX))?;
    let mut wanted = Held::new();
    for cell in sheet.cells(&cells) {
        for (level, number) in sheet.levels(cell.slot) {
            let own = wanted.entry((level, number, cell.tuple.clone(), cell.place));
            own.or_insert_with(|| PartialAggregate::empty(cell.kind)).merge(cell.kind, cell.state);
        }
    }
    Ok(wanted)
}

/// What is kept.
fn held(tx: &Tx<'_>, sheet: &Sheet, row: &SheetRow) -> Result<Held, StateError> {
    let keys: BTreeMap<i64, Vec<u8>> = queries::key_parts(tx, (0, i64::MAX))?.into_iter().collect();
    let mut held = Held::new();
    for (_, level) in sheet.spans().iter().zip(0_i64..) {
        for cell in queries::cells(tx, (row.seq, level), (i32::MIN, i32::MAX))? {
            let first = sheet.first_key(cell.page);
            for (place, key, state) in Page::read(&cell.body)?.states() {
                let parts = keys.get(&first.saturating_add(i64::from(key)));
                let tuple = table::tuple(parts.map(Vec::as_slice).unwrap_or_default())?;
                held.insert((level, cell.slot, tuple, place), state.clone());
            }
        }
    }
    Ok(held)
}
