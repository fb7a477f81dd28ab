//! The rollup of one definition: partial aggregates by bucket and dimension key, with blocks of buckets.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::aggregates::Retraction;
use super::bucket::{BlockRange, Grain, block_of, cover_by};
use super::definition::AggregateKind;
use super::partial::{AggregateInput, PartialAggregate};
use super::partial_map::PartialMap;
use super::scalar::ScalarValue;

/// The key of a partial aggregate beside its bucket: a value for each dimension, then the currency code
/// where the rollup keeps currencies apart.
pub type DimensionKey = Vec<ScalarValue>;

/// The partial aggregates of one definition.
///
/// Above the buckets lie levels of blocks, each the merged partial of a fixed number of buckets, so that
/// a long range is answered with few merges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "RollupRecord", into = "RollupRecord")]
pub struct Rollup {
    kind: AggregateKind,
    grain: Grain,
    keys: Vec<DimensionKey>,
    numbers: BTreeMap<DimensionKey, u32>,
    /// The buckets first, then the blocks above them.
    levels: Vec<PartialMap>,
    dirty: BTreeSet<i32>,
    /// The first and the last instant folded, in microseconds: no row lies outside.
    extent: Option<(i64, i64)>,
    /// Whether rows were subtracted of which one might have been the first or the last.
    pub(super) is_extent_loose: bool,
    /// The minimal number of decimal places of a sum.
    scale: u32,
    /// Whether it was read from storage in part: the stored rollup may have more buckets and blocks.
    is_excerpt: bool,
}

impl Rollup {
    /// Creates an empty rollup.
    pub fn new(kind: AggregateKind, grain: Grain) -> Self {
        Self {
            kind,
            grain,
            keys: Vec::new(),
            numbers: BTreeMap::new(),
            levels: grain.spans().iter().map(|_| PartialMap::default()).collect(),
            dirty: BTreeSet::new(),
            extent: None,
            is_extent_loose: false,
            scale: 0,
            is_excerpt: false,
        }
    }

    /// Creates an excerpt of a stored rollup: for each level the partial aggregates by bucket, or block,
    /// and by the index of their dimension key. There may be fewer levels than the grain has.
    pub fn from_levels(
        kind: AggregateKind,
        grain: Grain,
        keys: Vec<DimensionKey>,
        levels: Vec<Vec<((i32, u32), PartialAggregate)>>,
    ) -> Self {
        let levels = levels.into_iter().map(PartialMap::from_entries).collect();
        Self { is_excerpt: true, keys, levels, ..Self::new(kind, grain) }
    }

    /// Marks a bucket that must be rebuilt from its rows before it is read.
    pub fn mark_dirty(&mut self, bucket: i32) {
        self.dirty.insert(bucket);
    }

    /// Returns the minimal number of decimal places of a sum: that of the column.
    pub const fn scale(&self) -> u32 {
        self.scale
    }

    /// Raises the scale to that of further values.
    pub fn raise_scale(&mut self, scale: u32) {
        self.scale = self.scale.max(scale);
    }

    /// Returns the kind of its partial aggregates.
    pub const fn kind(&self) -> AggregateKind {
        self.kind
    }

    /// Returns the unit of its buckets.
    pub const fn grain(&self) -> Grain {
        self.grain
    }

    /// Returns the dimension keys that occur or occurred, by number.
    pub fn keys(&self) -> &[DimensionKey] {
        &self.keys
    }

    /// Returns the number of partial aggregates, without the blocks above them.
    pub fn len(&self) -> usize {
        self.levels.first().map_or(0, PartialMap::len)
    }

    /// Returns whether there is no partial aggregate.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the partial aggregates with their bucket and dimension key, ordered by bucket, then
    /// by the number of the key.
    pub fn partials(&self) -> impl Iterator<Item = (i32, &DimensionKey, &PartialAggregate)> {
        let partials = self.levels.first().into_iter().flat_map(PartialMap::iter);
        partials.filter_map(|((bucket, key), partial)| {
            let key = self.keys.get(usize::try_from(key).ok()?)?;
            Some((bucket, key, partial))
        })
    }

    /// Returns the buckets that must be rebuilt from their rows before they are read.
    pub const fn dirty(&self) -> &BTreeSet<i32> {
        &self.dirty
    }

    /// Returns the first and the last instant folded, in microseconds.
    pub const fn extent(&self) -> Option<(i64, i64)> {
        self.extent
    }

    /// Adds a row to a bucket and to the blocks above it.
    pub fn fold(&mut self, bucket: i32, key: &DimensionKey, row: &AggregateInput) {
        let kind = self.kind;
        self.each_level(bucket, key, |partial| partial.fold(kind, row));
    }

    /// Merges a partial aggregate of other rows into a bucket.
    pub fn merge_partial(&mut self, bucket: i32, key: &DimensionKey, other: &PartialAggregate) {
        let kind = self.kind;
        self.each_level(bucket, key, |partial| partial.merge(kind, other));
    }

    /// Subtracts a partial aggregate from a bucket. Where that is not exact, the bucket becomes dirty.
    pub fn subtract_partial(
        &mut self,
        bucket: i32,
        key: &DimensionKey,
        other: &PartialAggregate,
    ) -> Retraction {
        self.is_extent_loose = true;
        let kind = self.kind;
        let mut of_bucket = Retraction::Exact;
        let mut is_first = true;
        let mut is_block_stale = false;
        self.each_level(bucket, key, |partial| {
            let retraction = partial.subtract(kind, other);
            if is_first {
                of_bucket = retraction;
            }
            is_block_stale |= retraction == Retraction::Rebuild;
            is_first = false;
        });
        if of_bucket == Retraction::Rebuild {
            self.dirty.insert(bucket);
        } else if is_block_stale {
            // The buckets are exact, so the blocks can be merged from them again.
            self.rebuild_blocks(bucket);
        }
        of_bucket
    }

    /// Extends the extent to the instant of a row. A period that reaches beyond the extent need not begin
    /// or end with a whole bucket.
    pub fn extend_extent(&mut self, at: i64) {
        let (low, high) = self.extent.unwrap_or((at, at));
        self.extent = Some((low.min(at), high.max(at)));
    }

    fn each_level(
        &mut self,
        bucket: i32,
        key: &DimensionKey,
        mut change: impl FnMut(&mut PartialAggregate),
    ) {
        let Some(number) = self.key_number(key) else { return };
        let kind = self.kind;
        for (level, span) in self.levels.iter_mut().zip(self.grain.spans()) {
            let (at, level) = ((block_of(bucket, *span), number), level.tree_mut());
            let partial = level.entry(at).or_insert_with(|| PartialAggregate::empty(kind));
            change(partial);
            if partial.is_empty() {
                level.remove(&at);
            }
        }
    }

    fn key_number(&mut self, key: &DimensionKey) -> Option<u32> {
        if self.numbers.len() != self.keys.len() {
            self.numbers = self.keys.iter().cloned().zip(0..).collect();
        }
        if let Some(number) = self.numbers.get(key) {
            return Some(*number);
        }
        let next = u32::try_from(self.keys.len()).ok()?;
        self.keys.push(key.clone());
        self.numbers.insert(key.clone(), next);
        Some(next)
    }

    /// Merges another rollup of the same definition.
    pub fn merge(&mut self, other: &Self) {
        for (bucket, key, partial) in other.partials() {
            self.merge_partial(bucket, key, partial);
        }
        self.dirty.extend(&other.dirty);
        self.raise_scale(other.scale);
        self.is_extent_loose |= other.is_extent_loose;
        if let Some((first, last)) = other.extent {
            self.extend_extent(first);
            self.extend_extent(last);
        }
    }

    /// Subtracts another rollup of the same definition. Its dirty buckets become dirty here too.
    pub fn subtract(&mut self, other: &Self) {
        self.dirty.extend(&other.dirty);
        for (bucket, key, partial) in other.partials() {
            // Inexact buckets are in `dirty`.
            match self.subtract_partial(bucket, key, partial) {
                Retraction::Exact | Retraction::Rebuild => {}
            }
        }
    }

    /// Replaces a bucket with that of a rollup that was folded from the rows.
    pub fn rebuild(&mut self, bucket: i32, fresh: &Self) {
        if let Some(partials) = self.levels.first_mut() {
            partials.clear(bucket);
        }
        for (of, key, partial) in fresh.partials().filter(|(of, ..)| *of == bucket) {
            if let (Some(number), Some(partials)) = (self.key_number(key), self.levels.first_mut())
            {
                partials.tree_mut().insert((of, number), partial.clone());
            }
        }
        self.dirty.remove(&bucket);
        self.raise_scale(fresh.scale);
        if let Some((first, last)) = fresh.extent {
            self.extend_extent(first);
            self.extend_extent(last);
        }
        self.rebuild_blocks(bucket);
    }

    /// Merges the blocks above a bucket from their buckets.
    fn rebuild_blocks(&mut self, bucket: i32) {
        let kind = self.kind;
        let Some((partials, blocks)) = self.levels.split_first_mut() else { return };
        for (level, span) in blocks.iter_mut().zip(self.grain.spans().iter().skip(1)) {
            let block = block_of(bucket, *span);
            level.clear(block);
            let level = level.tree_mut();
            let first = block.saturating_mul(*span);
            for ((_, key), partial) in partials.range(first..first.saturating_add(*span)) {
                let above =
                    level.entry((block, key)).or_insert_with(|| PartialAggregate::empty(kind));
                above.merge(kind, partial);
            }
        }
    }

    /// Returns the last bucket before another that has a partial aggregate.
    pub fn last_bucket(&self, before: i32) -> Option<i32> {
        let partials = self.levels.first()?;
        partials.range(i32::MIN..before).next_back().map(|((bucket, _), _)| bucket)
    }

    /// Returns the first and the last bucket that have a partial aggregate.
    pub fn buckets(&self) -> Option<(i32, i32)> {
        let partials = self.levels.first()?;
        let ((first, _), _) = partials.iter().next()?;
        let ((last, _), _) = partials.iter().next_back()?;
        Some((first, last))
    }

    /// Returns the first dirty bucket of a range.
    pub fn dirty_in(&self, from: i32, to: i32) -> Option<i32> {
        (from < to).then(|| self.dirty.range(from..to).next().copied()).flatten()
    }

    /// Merges the buckets of a range into groups and returns the number of merges, which the blocks keep
    /// low.
    ///
    /// `group_of_key` has for each dimension key, by number, the index in `groups`, if it is in any.
    pub fn merge_range(
        &self,
        range: (i32, i32),
        group_of_key: &[Option<usize>],
        groups: &mut [PartialAggregate],
    ) -> usize {
        let (from, to) = self.widened(range);
        let mut count = 0_usize;
        for BlockRange { level, first, end } in cover_by(self.spans(), from, to) {
            let Some(partials) = self.levels.get(level) else { continue };
            for ((_, key), partial) in partials.range(first..end) {
                let own = usize::try_from(key).ok().and_then(|key| *group_of_key.get(key)?);
                if let Some(into) = own.and_then(|own| groups.get_mut(own)) {
                    into.merge(self.kind, partial);
                    count = count.saturating_add(1);
                }
            }
        }
        count
    }

    /// Returns the number of buckets in an entry of each level.
    fn spans(&self) -> &'static [i32] {
        let spans = self.grain.spans();
        spans.get(..self.levels.len()).unwrap_or(spans)
    }

    /// Extends a range to whole blocks where it reaches beyond all buckets, since those blocks hold
    /// nothing else.
    fn widened(&self, (from, to): (i32, i32)) -> (i32, i32) {
        let Some((first, last)) = self.buckets().filter(|_| !self.is_excerpt) else {
            return (from, to);
        };
        let span = self.spans().last().copied().unwrap_or(1);
        let lowest = block_of(first, span).saturating_mul(span);
        let highest = block_of(last, span).saturating_add(1).saturating_mul(span);
        (if from <= first { lowest } else { from }, if to > last { highest } else { to })
    }
}

/// The stored form of a rollup, without the blocks, which follow from the buckets.
#[derive(Serialize, Deserialize)]
struct RollupRecord {
    kind: AggregateKind,
    grain: Grain,
    keys: Vec<DimensionKey>,
    partials: Vec<(i32, u32, PartialAggregate)>,
    dirty: BTreeSet<i32>,
    extent: Option<(i64, i64)>,
    is_extent_loose: bool,
    scale: u32,
}

impl From<Rollup> for RollupRecord {
    fn from(rollup: Rollup) -> Self {
        let mut levels = rollup.levels.into_iter();
        let buckets = levels.next().map(|mut level| std::mem::take(level.tree_mut()));
        let Rollup { kind, grain, keys, dirty, extent, is_extent_loose, scale, .. } = rollup;
        let entries = buckets.unwrap_or_default().into_iter();
        let partials = entries.map(|((bucket, key), partial)| (bucket, key, partial)).collect();
        Self { kind, grain, keys, partials, dirty, extent, is_extent_loose, scale }
    }
}

impl From<RollupRecord> for Rollup {
    fn from(record: RollupRecord) -> Self {
        let RollupRecord { kind, grain, keys, partials, dirty, extent, is_extent_loose, scale } =
            record;
        let mut rollup = Self { dirty, extent, is_extent_loose, scale, ..Self::new(kind, grain) };
        for (bucket, key, partial) in &partials {
            let key = usize::try_from(*key).ok().and_then(|key| keys.get(key));
            if let Some(key) = key {
                rollup.merge_partial(*bucket, key, partial);
            }
        }
        rollup
    }
}
