//! A cache of what is computed from rows, each entry valid as long as these rows do not change.
//!
//! Invariant: all entries belong to one version of the rows, that of the last change; each change removes what depends on
//! it, and a reader of another version neither finds nor stores anything.

use std::borrow::Borrow;
use std::collections::{BTreeMap, VecDeque};

#[derive(Debug)]
pub(crate) struct VersionedCache<K, V> {
    /// The number of the last change learned.
    last: i64,
    /// Each with its weight.
    pub(super) all: BTreeMap<K, (V, usize)>,
    /// The keys in insertion order.
    pub(super) order: VecDeque<K>,
    /// The weight of all entries.
    pub(super) weight: usize,
}

impl<K, V> Default for VersionedCache<K, V> {
    fn default() -> Self {
        Self { last: 0, all: BTreeMap::new(), order: VecDeque::new(), weight: 0 }
    }
}

impl<K: Ord + Clone, V> VersionedCache<K, V> {
    /// Applies the changes up to `last`, which make some entries stale.
    pub(crate) fn learn(&mut self, last: i64, is_stale: impl FnMut(&K, &V) -> bool) {
        self.forget(is_stale);
        self.last = last;
    }

    pub(crate) fn forget(&mut self, mut is_stale: impl FnMut(&K, &V) -> bool) {
        let Self { all, order, weight, .. } = self;
        all.retain(|key, (value, _)| !is_stale(key, value));
        order.retain(|key| all.contains_key(key));
        *weight = all.values().map(|(_, own)| *own).fold(0, usize::saturating_add);
    }

    /// Returns the entry of a key, for a reader whose snapshot includes the changes up to `last`.
    pub(crate) fn find<Q: Ord + ?Sized>(&self, last: i64, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.all.get(key).filter(|_| self.last == last).map(|(value, _)| value)
    }

    /// Stores an entry for such readers, replacing an earlier one; the oldest are evicted first.
    pub(crate) fn keep(&mut self, last: i64, key: K, (value, weight): (V, usize), capacity: usize) {
        if self.last != last || weight > capacity {
            return;
        }
        self.weight = self.weight.saturating_add(weight);
        if let Some((_, earlier)) = self.all.insert(key.clone(), (value, weight)) {
            self.weight = self.weight.saturating_sub(earlier);
        } else {
            self.order.push_back(key);
        }
        while self.weight > capacity {
            let Some(first) = self.order.pop_front() else { return };
            let gone = self.all.remove(&first).map_or(0, |(_, own)| own);
            self.weight = self.weight.saturating_sub(gone);
        }
    }
}
