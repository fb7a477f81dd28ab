//! Decides which thread computes a missing answer, and whether the answer may be cached.
//!
//! Invariant: a cached answer was computed from the version of the rows in its key. The version is
//! read before the computation and again before the answer is stored; a write removes the version
//! while it lasts and ends with a new one. So a result that saw half a write is never stored, and none
//! from before a write is found under the version after it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use super::locks::{Lock, Locks};
use crate::data::{Touch, Versions};

/// A store of results, which may evict any of them at any time.
pub(super) trait Store {
    /// The key of a result: everything it depends on.
    type Key: Copy + Ord + Send;
    type Result: Clone;

    fn get(&self, key: &Self::Key) -> Option<Self::Result>;
    fn keep(&self, key: Self::Key, result: Self::Result);
}

/// Computes the results of the given keys; `None` on failure.
pub(super) type Compute<'c, S> =
    dyn FnMut(&[<S as Store>::Key]) -> Option<Vec<<S as Store>::Result>> + 'c;

/// Counters for the statistics.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) hits: AtomicU64,
    pub(super) misses: AtomicU64,
    pub(super) waits: AtomicU64,
    pub(super) invalidations: AtomicU64,
}

impl Counts {
    fn add(counter: &AtomicU64, count: usize) {
        counter.fetch_add(u64::try_from(count).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// A store of results with the versions of the rows that they are computed from.
pub(super) struct Protocol<L: Locks, S: Store> {
    pub(super) store: S,
    pub(super) counts: Counts,
    versions: L::Lock<Versions>,
    /// The keys that are being computed.
    in_flight: L::Lock<BTreeSet<S::Key>>,
}

/// The keys that this thread computes; released on drop, also after a failure or a panic.
struct Claim<'p, L: Locks, S: Store> {
    protocol: &'p Protocol<L, S>,
    keys: Vec<S::Key>,
}

impl<L: Locks, S: Store> Drop for Claim<'_, L, S> {
    fn drop(&mut self) {
        self.protocol.in_flight.change(|in_flight| {
            for key in &self.keys {
                in_flight.remove(key);
            }
        });
    }
}

/// Results by the index of their key, and the indices of the keys still missing.
struct Lookup<S: Store> {
    results: Vec<Option<S::Result>>,
    missing: BTreeMap<S::Key, Vec<usize>>,
}

impl<S: Store> Lookup<S> {
    fn new(store: &S, keys: &[S::Key]) -> Self {
        let results: Vec<_> = keys.iter().map(|key| store.get(key)).collect();
        let mut missing: BTreeMap<S::Key, Vec<usize>> = BTreeMap::new();
        for (place, key) in keys.iter().enumerate() {
            if results.get(place).is_some_and(Option::is_none) {
                missing.entry(*key).or_default().push(place);
            }
        }
        Self { results, missing }
    }

    fn retry(&mut self, store: &S) {
        let keys: Vec<S::Key> = self.missing.keys().copied().collect();
        for key in keys {
            if let Some(result) = store.get(&key) {
                self.found(&key, &result);
            }
        }
    }

    fn found(&mut self, key: &S::Key, result: &S::Result) {
        for place in self.missing.remove(key).unwrap_or_default() {
            if let Some(slot) = self.results.get_mut(place) {
                *slot = Some(result.clone());
            }
        }
    }
}

impl<L: Locks, S: Store> Protocol<L, S> {
    pub(super) fn new(store: S) -> Self {
        Self {
            store,
            counts: Counts::default(),
            versions: L::Lock::new(Versions::default()),
            in_flight: L::Lock::new(BTreeSet::new()),
        }
    }

    /// Reads the versions.
    pub(super) fn versions<R>(&self, read: impl FnOnce(&Versions) -> R) -> R {
        self.versions.with(|versions| read(versions))
    }

    /// Marks the start of a write.
    pub(super) fn begin(&self, touches: &[Touch]) {
        self.versions.with(|versions| versions.begin(touches));
    }

    /// Marks the end of a write.
    pub(super) fn end(&self, touches: &[Touch]) {
        self.versions.with(|versions| versions.end(touches));
        Counts::add(&self.counts.invalidations, 1);
    }

    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.with(|in_flight| in_flight.len())
    }

    /// Returns the results of the keys: from the store, or from `compute`, which is called with missing
    /// keys. Each key is computed by one thread at a time; others wait for its result.
    ///
    /// `holds` tells whether the versions are still those in the keys. A result is `None` if `compute`
    /// failed; failures are not stored.
    pub(super) fn fetch(
        &self,
        keys: &[S::Key],
        holds: &dyn Fn(&Versions) -> bool,
        compute: &mut Compute<'_, S>,
    ) -> Vec<Option<S::Result>> {
        let mut lookup = Lookup::new(&self.store, keys);
        Counts::add(&self.counts.hits, lookup.results.iter().flatten().count());
        while !lookup.missing.is_empty() {
            let claim = self.claim(&lookup.missing);
            if claim.keys.is_empty() {
                Counts::add(&self.counts.waits, 1);
                let missing = &lookup.missing;
                self.in_flight
                    .wait_while(|in_flight| missing.keys().all(|key| in_flight.contains(key)));
            }
            // Another thread may have stored results in the meantime.
            lookup.retry(&self.store);
            let is_missing = |key: &S::Key| lookup.missing.contains_key(key);
            let own: Vec<S::Key> = claim.keys.iter().copied().filter(is_missing).collect();
            if own.is_empty() {
                continue;
            }
            Counts::add(&self.counts.misses, own.len());
            let computed = compute(&own).filter(|computed| computed.len() == own.len());
            let Some(computed) = computed else { break };
            self.store_results(&own, &computed, holds);
            drop(claim);
            for (key, result) in own.iter().zip(&computed) {
                lookup.found(key, result);
            }
        }
        lookup.results
    }

    /// Claims the keys that no other thread computes.
    fn claim(&self, missing: &BTreeMap<S::Key, Vec<usize>>) -> Claim<'_, L, S> {
        let keys = self.in_flight.with(|in_flight| {
            missing.keys().copied().filter(|key| in_flight.insert(*key)).collect::<Vec<_>>()
        });
        Claim { protocol: self, keys }
    }

    /// Stores results, unless a write to their rows has begun since their versions were read.
    fn store_results(
        &self,
        keys: &[S::Key],
        results: &[S::Result],
        holds: &dyn Fn(&Versions) -> bool,
    ) {
        self.versions.with(|versions| {
            if holds(versions) {
                for (key, result) in keys.iter().zip(results) {
                    self.store.keep(*key, result.clone());
                }
            }
        });
    }
}
