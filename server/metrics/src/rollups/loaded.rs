//! Cells as they are kept, read for some slots, and what is made of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use quotient::rollup::{
    BlockRange, DimensionKey, PartialAggregate, Rollup, RollupDefinition, cover_by,
};

use super::page;
use super::prefix_sums::Merged;
use super::queries::tables::{self as queries, CellRow, SheetRow};
use super::rows::StateError;
use super::table::{self, Sheet};
use crate::database::Tx;

/// Slots, from the first to before the second.
pub(super) type Slots = (i32, i32);

/// The cells of some slots, with the blocks that they are merged from.
#[derive(Debug)]
pub(super) struct Loaded {
    /// By level.
    rows: Vec<Vec<CellRow>>,
    /// The first and the last number that a key of theirs can have.
    pub(super) keys: Option<(i64, i64)>,
}

/// Keys of cells.
#[derive(Debug, Default)]
pub(super) struct KeysRead {
    pub(super) tuples: Vec<DimensionKey>,
    /// By the number of a key the place of its tuple.
    pub(super) places: BTreeMap<i64, u32>,
}

/// The cells of a definition by level, each with its number and the place of its tuple.
pub(super) type Levels = Vec<Vec<((i32, u32), PartialAggregate)>>;

/// Reads the cells of some slots of a sheet.
pub(super) fn load(
    tx: &Tx<'_>,
    (sheet, row): (&Sheet, &SheetRow),
    ranges: &[Slots],
) -> Result<Loaded, StateError> {
    let mut rows: Vec<Vec<CellRow>> = sheet.spans().iter().map(|_| Vec::new()).collect();
    for BlockRange { level, first, end } in pieces(sheet.spans(), ranges) {
        let of = (row.seq, i64::try_from(level).unwrap_or(0));
        if let Some(own) = rows.get_mut(level) {
            own.append(&mut queries::cells(tx, of, (first, end))?);
        }
    }
    let pages = || rows.iter().flatten().map(|row| row.page);
    let ends = pages().min().zip(pages().max());
    let keys = ends.map(|(first, last)| {
        (sheet.first_key(first), sheet.first_key(last.saturating_add(1)).saturating_sub(1))
    });
    Ok(Loaded { rows, keys })
}

/// Reads the keys with numbers from the first to the last.
pub(super) fn keys(tx: &Tx<'_>, ends: (i64, i64)) -> Result<KeysRead, StateError> {
    let mut found = KeysRead::default();
    for ((key, parts), place) in queries::key_parts(tx, ends)?.into_iter().zip(0_u32..) {
        found.places.insert(key, place);
        found.tuples.push(table::tuple(&parts)?);
    }
    Ok(found)
}

impl Loaded {
    /// The cells of one definition of the sheet, of those that were read the ones of these slots.
    pub(super) fn levels(
        &self,
        (sheet, place): (&Sheet, u8),
        keys: &KeysRead,
        ranges: &[Slots],
    ) -> Result<Levels, StateError> {
        let pieces = pieces(sheet.spans(), ranges);
        let mut levels = Levels::with_capacity(self.rows.len());
        for (level, rows) in self.rows.iter().enumerate() {
            let is_asked = |row: &&CellRow| {
                let holds = |piece: &BlockRange| (piece.first..piece.end).contains(&row.slot);
                pieces.iter().any(|piece| piece.level == level && holds(piece))
            };
            let mut cells = Vec::new();
            for row in rows.iter().filter(is_asked) {
                let first = sheet.first_key(row.page);
                let columns = page::columns(&row.body)?;
                let Some(own) = columns.iter().find(|column| column.place == place) else {
                    continue;
                };
                for state in own.states() {
                    let (key, state) = state?;
                    let tuple = keys.places.get(&first.saturating_add(i64::from(key)));
                    cells.extend(tuple.map(|tuple| ((row.slot, *tuple), state)));
                }
            }
            levels.push(cells);
        }
        Ok(levels)
    }
}

/// The cells of a definition as a grid, with those of what waits in some slots.
pub(super) fn part(
    definition: &RollupDefinition,
    (keys, mut levels): (&KeysRead, Levels),
    waiting: Option<(&Rollup, &[i32], &[Slots])>,
) -> Rollup {
    let mut tuples = keys.tuples.clone();
    if let Some((grid, spans, ranges)) = waiting {
        let is_asked = |slot: i32| ranges.iter().any(|(first, end)| (*first..*end).contains(&slot));
        for (slot, tuple, state) in grid.partials().filter(|(slot, ..)| is_asked(*slot)) {
            // A tuple may be there twice: what is asked is what cells have together.
            let Ok(place) = u32::try_from(tuples.len()) else { break };
            tuples.push(tuple.clone());
            for (cells, span) in levels.iter_mut().zip(spans) {
                cells.push(((slot.div_euclid((*span).max(1)), place), state.clone()));
            }
        }
    }
    Rollup::from_levels(definition.kind, definition.grain, tuples, levels)
}

/// What the cells of some slots come to together.
pub(super) fn merged(
    definition: &RollupDefinition,
    (keys, levels): (&KeysRead, Levels),
    slots: Slots,
) -> Merged {
    let each: Vec<Option<usize>> = (0..keys.tuples.len()).map(Some).collect();
    let mut states = vec![PartialAggregate::empty(definition.kind); each.len()];
    part(definition, (keys, levels), None).merge_range(slots, &each, &mut states);
    let mut merged = BTreeMap::new();
    for (key, place) in &keys.places {
        let state = usize::try_from(*place).ok().and_then(|place| states.get_mut(place));
        let state = state.filter(|state| !state.is_empty());
        merged.extend(state.map(|state| {
            (*key, std::mem::replace(state, PartialAggregate::empty(definition.kind)))
        }));
    }
    Arc::new(merged)
}

/// The first and the last key of what cells came to.
pub(super) fn ends_of(merged: &Merged) -> Option<(i64, i64)> {
    merged
        .first_key_value()
        .zip(merged.last_key_value())
        .map(|((first, _), (last, _))| (*first, *last))
}

/// Puts what a range came to before its last slot, and that slot, where the first cells or blocks of the range are read.
pub(super) fn put_early(
    spans: &[i32],
    (from, end): Slots,
    (keys, merged): (&KeysRead, &Merged),
    levels: &mut Levels,
) {
    let Some(BlockRange { level, first, .. }) = cover_by(spans, from, end).into_iter().next()
    else {
        return;
    };
    let mut own: Vec<((i32, u32), PartialAggregate)> = Vec::with_capacity(merged.len());
    if let Some(cells) = levels.first_mut() {
        let last = cells.extract_if(.., |((slot, _), _)| (from..end).contains(slot));
        own.extend(last.map(|((_, tuple), state)| ((first, tuple), state)));
    }
    for (key, state) in &**merged {
        own.extend(keys.places.get(key).map(|tuple| ((first, *tuple), state.clone())));
    }
    if let Some(cells) = levels.get_mut(level) {
        cells.append(&mut own);
    }
}

/// What to read for some ranges: of each its blocks with the cells at both ends, and nothing twice.
fn pieces(spans: &[i32], ranges: &[Slots]) -> Vec<BlockRange> {
    let mut all: Vec<BlockRange> =
        ranges.iter().flat_map(|(first, end)| cover_by(spans, *first, *end)).collect();
    all.sort_unstable_by_key(|piece| (piece.level, piece.first));
    let mut pieces: Vec<BlockRange> = Vec::with_capacity(all.len());
    for piece in all {
        match pieces.last_mut() {
            Some(last) if last.level == piece.level && piece.first <= last.end => {
                last.end = last.end.max(piece.end);
            }
            _ => pieces.push(piece),
        }
    }
    pieces
}
