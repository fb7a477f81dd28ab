//! Loads and merges the pages of some buckets.

use std::collections::BTreeMap;
use std::sync::Arc;

use quotient::rollup::{
    BlockRange, DimensionKey, PartialAggregate, Rollup, RollupDefinition, cover_by,
};

use super::error::RollupError;
use super::page;
use super::queries::tables::{self as queries, PageRow, TableRow};
use super::table::{self, BucketRange, RollupTable};
use crate::database::Tx;

/// The merged buckets of a range, by key number.
pub(super) type MergedPartials = Arc<BTreeMap<i64, PartialAggregate>>;

#[derive(Debug)]
pub(super) struct LoadedPages {
    /// Rows by level.
    rows: Vec<Vec<PageRow>>,
    /// The first and the last possible number of their keys.
    pub(super) keys: Option<(i64, i64)>,
}

#[derive(Debug, Default)]
pub(super) struct DimensionKeys {
    pub(super) keys: Vec<DimensionKey>,
    /// The index of each tuple by key number.
    pub(super) places: BTreeMap<i64, u32>,
}

/// The partial aggregates of a definition by level, each with its bucket and the index of its key.
pub(super) type PartialLevels = Vec<Vec<((i32, u32), PartialAggregate)>>;

pub(super) fn load(
    tx: &Tx<'_>,
    (table, row): (&RollupTable, &TableRow),
    ranges: &[BucketRange],
) -> Result<LoadedPages, RollupError> {
    let mut rows: Vec<Vec<PageRow>> = table.spans().iter().map(|_| Vec::new()).collect();
    for BlockRange { level, first, end } in pieces(table.spans(), ranges) {
        let of = (row.seq, i64::try_from(level).unwrap_or(0));
        if let Some(own) = rows.get_mut(level) {
            own.append(&mut queries::pages(tx, of, (first, end))?);
        }
    }
    let pages = || rows.iter().flatten().map(|row| row.page);
    let ends = pages().min().zip(pages().max());
    let keys = ends.map(|(first, last)| {
        (table.first_key(first), table.first_key(last.saturating_add(1)).saturating_sub(1))
    });
    Ok(LoadedPages { rows, keys })
}

pub(super) fn keys(tx: &Tx<'_>, ends: (i64, i64)) -> Result<DimensionKeys, RollupError> {
    let mut keys = DimensionKeys::default();
    for ((key, parts), place) in queries::dimension_keys(tx, ends)?.into_iter().zip(0_u32..) {
        keys.places.insert(key, place);
        keys.keys.push(table::tuple(&parts)?);
    }
    Ok(keys)
}

impl LoadedPages {
    /// Returns the partial aggregates of one definition in these buckets.
    pub(super) fn levels(
        &self,
        (table, place): (&RollupTable, u8),
        keys: &DimensionKeys,
        ranges: &[BucketRange],
    ) -> Result<PartialLevels, RollupError> {
        let pieces = pieces(table.spans(), ranges);
        let mut levels = PartialLevels::with_capacity(self.rows.len());
        for (level, rows) in self.rows.iter().enumerate() {
            let is_requested = |row: &&PageRow| {
                let holds = |piece: &BlockRange| (piece.first..piece.end).contains(&row.bucket);
                pieces.iter().any(|piece| piece.level == level && holds(piece))
            };
            let mut partials = Vec::new();
            for row in rows.iter().filter(is_requested) {
                let first = table.first_key(row.page);
                let columns = page::columns(&row.body)?;
                let Some(own) = columns.iter().find(|column| column.place == place) else {
                    continue;
                };
                for partial in own.partials() {
                    let (key, partial) = partial?;
                    let tuple = keys.places.get(&first.saturating_add(i64::from(key)));
                    partials.extend(tuple.map(|tuple| ((row.bucket, *tuple), partial)));
                }
            }
            levels.push(partials);
        }
        Ok(levels)
    }
}

/// Builds the rollup of a definition, with its pending deltas in these buckets.
pub(super) fn part(
    definition: &RollupDefinition,
    (keys, mut levels): (&DimensionKeys, PartialLevels),
    pending: Option<(&Rollup, &[i32], &[BucketRange])>,
) -> Rollup {
    let mut keys = keys.keys.clone();
    if let Some((grid, spans, ranges)) = pending {
        let is_requested =
            |bucket: i32| ranges.iter().any(|(first, end)| (*first..*end).contains(&bucket));
        for (bucket, tuple, partial) in grid.partials().filter(|(bucket, ..)| is_requested(*bucket))
        {
            // A key may occur twice: reading merges the two.
            let Ok(place) = u32::try_from(keys.len()) else { break };
            keys.push(tuple.clone());
            for (partials, span) in levels.iter_mut().zip(spans) {
                partials.push(((bucket.div_euclid((*span).max(1)), place), partial.clone()));
            }
        }
    }
    Rollup::from_levels(definition.kind, definition.grain, keys, levels)
}

pub(super) fn merged(
    definition: &RollupDefinition,
    (keys, levels): (&DimensionKeys, PartialLevels),
    buckets: BucketRange,
) -> MergedPartials {
    let each: Vec<Option<usize>> = (0..keys.keys.len()).map(Some).collect();
    let mut partials = vec![PartialAggregate::empty(definition.kind); each.len()];
    part(definition, (keys, levels), None).merge_range(buckets, &each, &mut partials);
    let mut merged = BTreeMap::new();
    for (key, place) in &keys.places {
        let partial = usize::try_from(*place).ok().and_then(|place| partials.get_mut(place));
        let partial = partial.filter(|partial| !partial.is_empty());
        merged.extend(partial.map(|partial| {
            (*key, std::mem::replace(partial, PartialAggregate::empty(definition.kind)))
        }));
    }
    Arc::new(merged)
}

pub(super) fn ends_of(merged: &MergedPartials) -> Option<(i64, i64)> {
    merged
        .first_key_value()
        .zip(merged.last_key_value())
        .map(|((first, _), (last, _))| (*first, *last))
}

/// Puts the prefix sum of a range, and its last bucket, at the first bucket or block of the range.
pub(super) fn put_prefix(
    spans: &[i32],
    (from, end): BucketRange,
    keys: &DimensionKeys,
    merged: &MergedPartials,
    levels: &mut PartialLevels,
) {
    let Some(BlockRange { level, first, .. }) = cover_by(spans, from, end).into_iter().next()
    else {
        return;
    };
    let mut own: Vec<((i32, u32), PartialAggregate)> = Vec::with_capacity(merged.len());
    if let Some(partials) = levels.first_mut() {
        let last = partials.extract_if(.., |((bucket, _), _)| (from..end).contains(bucket));
        own.extend(last.map(|((_, tuple), partial)| ((first, tuple), partial)));
    }
    for (key, partial) in &**merged {
        own.extend(keys.places.get(key).map(|tuple| ((first, *tuple), partial.clone())));
    }
    if let Some(partials) = levels.get_mut(level) {
        partials.append(&mut own);
    }
}

/// Returns the blocks and, at both ends, the buckets that cover some ranges, without duplicates.
fn pieces(spans: &[i32], ranges: &[BucketRange]) -> Vec<BlockRange> {
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
