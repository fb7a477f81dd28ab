//! Cells, or blocks of cells, of one size.

use std::collections::BTreeMap;
use std::ops::Range;

use super::state::State;

/// The number of a cell or block, and that of its tuple.
pub(super) type Key = (i32, u32);

/// The cells or blocks of one level, in order.
///
/// Invariant: one of the two is empty. Cells that were kept are read as they lie; making a tree of them cost more
/// than all merges of a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Level {
    /// Those that rows are folded into.
    open: BTreeMap<Key, State>,
    /// Those that were put in all at once.
    kept: Vec<(Key, State)>,
}

impl Level {
    /// Cells as they were kept.
    pub(super) fn kept(mut kept: Vec<(Key, State)>) -> Self {
        kept.sort_by_key(|(key, _)| *key);
        Self { kept, open: BTreeMap::new() }
    }

    /// The cells, to be changed.
    pub(super) fn open(&mut self) -> &mut BTreeMap<Key, State> {
        self.open.extend(std::mem::take(&mut self.kept));
        &mut self.open
    }

    /// Takes the cells of a number away.
    pub(super) fn clear(&mut self, number: i32) {
        let stale: Vec<Key> =
            self.range(number..number.saturating_add(1)).map(|(key, _)| key).collect();
        for key in stale {
            self.open().remove(&key);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.open.len().saturating_add(self.kept.len())
    }

    /// All cells.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (Key, &State)> {
        let open = self.open.iter().map(|(key, state)| (*key, state));
        open.chain(self.kept.iter().map(|(key, state)| (*key, state)))
    }

    /// The cells whose numbers are in a range.
    pub(super) fn range(
        &self,
        Range { start, end }: Range<i32>,
    ) -> impl DoubleEndedIterator<Item = (Key, &State)> {
        let place = |number| self.kept.partition_point(|(key, _)| *key < (number, 0));
        let kept = self.kept.get(place(start)..place(end)).unwrap_or_default();
        let open = (start < end).then(|| self.open.range((start, 0)..(end, 0)));
        let open = open.into_iter().flatten().map(|(key, state)| (*key, state));
        open.chain(kept.iter().map(|(key, state)| (*key, state)))
    }
}
