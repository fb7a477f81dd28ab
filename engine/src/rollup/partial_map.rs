//! The partial aggregates of one level of a rollup: of its buckets, or of blocks of one size.

use std::collections::BTreeMap;
use std::ops::Range;

use super::partial::PartialAggregate;

/// The number of a bucket or block, and that of the dimension key.
pub(super) type PartialKey = (i32, u32);

/// Partial aggregates ordered by key.
///
/// Invariant: one of the two is empty. Entries read from storage stay a sorted list, because building a
/// tree of them took longer than all merges of a request.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct PartialMap {
    /// Entries that rows are folded into.
    tree: BTreeMap<PartialKey, PartialAggregate>,
    /// Entries that were read from storage at once.
    sorted: Vec<(PartialKey, PartialAggregate)>,
}

impl PartialMap {
    pub(super) fn from_entries(mut sorted: Vec<(PartialKey, PartialAggregate)>) -> Self {
        sorted.sort_by_key(|(key, _)| *key);
        Self { sorted, tree: BTreeMap::new() }
    }

    /// Returns the entries as a tree that can be changed.
    pub(super) fn tree_mut(&mut self) -> &mut BTreeMap<PartialKey, PartialAggregate> {
        self.tree.extend(std::mem::take(&mut self.sorted));
        &mut self.tree
    }

    /// Removes the entries of a bucket or block.
    pub(super) fn clear(&mut self, number: i32) {
        let stale: Vec<PartialKey> =
            self.range(number..number.saturating_add(1)).map(|(key, _)| key).collect();
        for key in stale {
            self.tree_mut().remove(&key);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.tree.len().saturating_add(self.sorted.len())
    }

    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (PartialKey, &PartialAggregate)> {
        let tree = self.tree.iter().map(|(key, partial)| (*key, partial));
        tree.chain(self.sorted.iter().map(|(key, partial)| (*key, partial)))
    }

    /// Returns the entries whose buckets or blocks are in a range.
    pub(super) fn range(
        &self,
        Range { start, end }: Range<i32>,
    ) -> impl DoubleEndedIterator<Item = (PartialKey, &PartialAggregate)> {
        let position = |number| self.sorted.partition_point(|(key, _)| *key < (number, 0));
        let sorted = self.sorted.get(position(start)..position(end)).unwrap_or_default();
        let tree = (start < end).then(|| self.tree.range((start, 0)..(end, 0)));
        let tree = tree.into_iter().flatten().map(|(key, partial)| (*key, partial));
        tree.chain(sorted.iter().map(|(key, partial)| (*key, partial)))
    }
}
