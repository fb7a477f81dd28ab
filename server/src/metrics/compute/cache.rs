//! What was computed, kept for as long as nothing is written that it was computed from.
//!
//! Invariant: a cache belongs to one state of the tables that its answers were computed from, by the number that is
//! read in the same snapshot as the rows. Who reads another state has another cache, so nothing stale can be found,
//! whatever reads and writes run at the same time. Within a state the engine keeps atoms by closed buckets, and equal
//! questions that come at once are computed once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quotient::cache::{Cache, CacheStatistics};

use super::data::DataState;

/// Limit: bytes of everything that is kept.
const CAPACITY_BYTES: u64 = 64 << 20;

/// Limit: states that are kept at once, the last used first.
const STATES: usize = 8;

/// The answers kept, by the state of the rows they were computed from.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    slots: VecDeque<Slot>,
    /// What caches did that are gone.
    past: CacheStatistics,
    /// Answers that were forgotten because rows changed, or on demand.
    invalidated: u64,
}

#[derive(Debug)]
struct Slot {
    state: DataState,
    cache: Arc<Cache>,
}

impl Caches {
    /// The cache of a state. One that is older than what others have seen already is used once and not kept.
    pub(crate) fn of(&self, state: DataState) -> Arc<Cache> {
        let mut kept = self.lock();
        if let Some(index) = kept.slots.iter().position(|slot| slot.state == state)
            && let Some(slot) = kept.slots.remove(index)
        {
            let cache = Arc::clone(&slot.cache);
            kept.slots.push_front(slot);
            return cache;
        }
        let share = CAPACITY_BYTES.checked_div(u64::try_from(STATES).unwrap_or(1)).unwrap_or(0);
        let cache = Arc::new(Cache::new(share));
        let other = kept.slots.iter().position(|slot| slot.state.tables == state.tables);
        match other {
            Some(index) if kept.is_older(&state, index) => return cache,
            Some(index) => kept.forget(index),
            None => {}
        }
        if kept.slots.len() >= STATES {
            let last = kept.slots.len().saturating_sub(1);
            kept.forget(last);
        }
        kept.slots.push_front(Slot { state, cache: Arc::clone(&cache) });
        cache
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        let mut kept = self.lock();
        while !kept.slots.is_empty() {
            kept.forget(0);
        }
    }

    /// What it holds and did. `invalidations` are answers that were forgotten because rows changed, or on demand.
    pub(crate) fn statistics(&self) -> CacheStatistics {
        let kept = self.lock();
        let mut sum = kept.past;
        for slot in &kept.slots {
            let own = slot.cache.statistics();
            sum = with_counts(sum, &own);
            sum.entries = sum.entries.saturating_add(own.entries);
            sum.weight_bytes = sum.weight_bytes.saturating_add(own.weight_bytes);
            sum.in_flight = sum.in_flight.saturating_add(own.in_flight);
        }
        CacheStatistics { capacity_bytes: CAPACITY_BYTES, invalidations: kept.invalidated, ..sum }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn is_older(&self, state: &DataState, index: usize) -> bool {
        self.slots.get(index).is_some_and(|slot| state.version < slot.state.version)
    }

    fn forget(&mut self, index: usize) {
        let Some(slot) = self.slots.remove(index) else { return };
        let own = slot.cache.statistics();
        self.past = with_counts(self.past, &own);
        self.invalidated = self.invalidated.saturating_add(own.entries);
    }
}

/// What was counted, together; what is held does not count.
fn with_counts(sum: CacheStatistics, own: &CacheStatistics) -> CacheStatistics {
    CacheStatistics {
        hits: sum.hits.saturating_add(own.hits),
        misses: sum.misses.saturating_add(own.misses),
        waits: sum.waits.saturating_add(own.waits),
        evictions: sum.evictions.saturating_add(own.evictions),
        ..sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(version: i64) -> DataState {
        DataState { tables: ["orders"].into(), version }
    }

    #[test]
    fn a_state_has_one_cache_and_another_state_another() {
        let caches = Caches::default();
        let first = caches.of(state(1));
        assert!(Arc::ptr_eq(&first, &caches.of(state(1))));
        assert!(!Arc::ptr_eq(&first, &caches.of(state(2))));
    }

    #[test]
    fn who_reads_an_older_state_takes_nothing_from_the_newer_one() {
        let caches = Caches::default();
        let newer = caches.of(state(2));
        let older = caches.of(state(1));
        assert!(!Arc::ptr_eq(&newer, &older));
        assert!(Arc::ptr_eq(&newer, &caches.of(state(2))));
        assert!(!Arc::ptr_eq(&older, &caches.of(state(1))));
    }

    #[test]
    fn no_more_states_are_kept_than_there_is_room_for() {
        let caches = Caches::default();
        for table in ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"] {
            let _cache = caches.of(DataState { tables: [table].into(), version: 1 });
        }
        assert_eq!(caches.lock().slots.len(), STATES);
        caches.clear();
        assert!(caches.lock().slots.is_empty());
    }
}
