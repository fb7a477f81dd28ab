//! The cache as programs use it.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use jiff::civil::Date;

use super::locks::{Lock, Real, RealLock};
use super::protocol::Protocol;
use super::store::MokaStore;
use crate::data::{Data, Read, Stamp, Touch, Versions};
use crate::evaluate::{AnswerCache, BucketAnswers, CellKey, DataSource, RowVersion};

/// A cache of answers between evaluations, for one store.
///
/// It is `Send` and `Sync` and is shared by reference between threads: equal requests that arrive
/// at the same time are computed once. Its capacity in bytes is fixed when it is created.
///
/// ```
/// # use quotient::data::Rates;
/// # use quotient::{Engine, Request, file};
/// use quotient::Inputs;
/// use quotient::cache::Cache;
/// # let text = "source orders event\n    date placed_at datetime\n    field total money\n";
/// # let loaded = file::load("shop.metrics", &mut |_| Ok(text.to_owned()));
/// # let (engine, _) = Engine::from_loaded(&loaded);
/// # let mut orders = engine.table("orders", &["placed_at", "total"])?;
/// # orders.push(&["2026-02-03 09:30:00", "40.00"])?;
///
/// let cache = Cache::new(64 << 20);
/// let versions = cache.versions();
/// let data = engine.data(vec![orders.finish()], Rates::new())?.with_versions(versions);
/// let revenue = engine.compile("sum(orders.total)").expect("a formula that checks");
///
/// for _ in 0..3 {
///     let inputs = Inputs::data(&data).cached(&cache);
///     let answers = engine.evaluate(&[&revenue], inputs, &Request::default());
///     assert_eq!(answers.expect("a value").first().expect("one").formatted, "$40.00");
/// }
/// assert_eq!((cache.statistics().hits, cache.statistics().misses), (2, 1));
///
/// // A late refund: answers that read the orders of that day are recomputed, all others stay.
/// let day = "2026-02-03".parse()?;
/// let change = cache.change("orders", day..=day);
/// // … here the store's transaction commits …
/// change.finish();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Cache {
    protocol: Protocol<Real, MokaStore>,
    capacity_bytes: u64,
    /// The data without versions that was requested so far, with its numbers.
    unversioned: RealLock<Unversioned>,
}

/// Data without versions, numbered by identity.
#[derive(Debug, Default)]
struct Unversioned {
    last: u64,
    known: Vec<(Arc<()>, u64)>,
}

/// Statistics of a cache.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CacheStatistics {
    /// The number of cached answers.
    pub entries: u64,
    /// Their approximate size in bytes.
    pub weight_bytes: u64,
    /// The capacity in bytes.
    pub capacity_bytes: u64,
    /// The number of answers found in the cache.
    pub hits: u64,
    /// The number of answers computed.
    pub misses: u64,
    /// How often a thread waited for an answer that another thread computed.
    pub waits: u64,
    /// The number of answers evicted to make room.
    pub evictions: u64,
    /// How often answers were invalidated: by a reported write, or because all were removed.
    pub invalidations: u64,
    /// The number of answers being computed.
    pub in_flight: u64,
}

/// A write to the store in progress: until it ends, answers that read what it touches are neither
/// served from the cache nor stored in it.
///
/// It ends when it is finished or dropped; the affected answers are then recomputed.
#[derive(Debug)]
#[must_use = "the write ends when this is dropped"]
pub struct Change<'c> {
    cache: &'c Cache,
    touches: Vec<Touch>,
}

impl Change<'_> {
    /// Ends the write. Call it after the store's own transaction has committed, before the commit is
    /// reported to anyone.
    pub fn finish(self) {
        drop(self);
    }
}

impl Drop for Change<'_> {
    fn drop(&mut self) {
        self.cache.protocol.end(&self.touches);
    }
}

impl std::fmt::Debug for Cache {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Cache").field("statistics", &self.statistics()).finish()
    }
}

impl Cache {
    /// Creates an empty cache of at most this many bytes.
    pub fn new(capacity_bytes: u64) -> Self {
        Self {
            protocol: Protocol::new(MokaStore::new(capacity_bytes)),
            capacity_bytes,
            unversioned: RealLock::new(Unversioned::default()),
        }
    }

    /// Returns the versions of the store's rows, for [`Data`] that is read from the store after this
    /// call.
    pub fn versions(&self) -> Versions {
        self.protocol.versions(Clone::clone)
    }

    /// Starts a write to the rows of a source whose own date is on one of these days.
    pub fn change(&self, source: &str, days: RangeInclusive<Date>) -> Change<'_> {
        self.write(vec![Touch::Changed(source.to_owned(), days)])
    }

    /// Starts a write with any number of touches.
    pub fn write(&self, touches: Vec<Touch>) -> Change<'_> {
        self.protocol.begin(&touches);
        Change { cache: self, touches }
    }

    /// Removes all answers.
    pub fn clear(&self) {
        self.protocol.store.clear();
        self.protocol.counts.invalidations.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the statistics.
    pub fn statistics(&self) -> CacheStatistics {
        let Protocol { store, counts, .. } = &self.protocol;
        CacheStatistics {
            entries: store.entry_count(),
            weight_bytes: store.weight_bytes(),
            capacity_bytes: self.capacity_bytes,
            hits: counts.hits.load(Ordering::Relaxed),
            misses: counts.misses.load(Ordering::Relaxed),
            waits: counts.waits.load(Ordering::Relaxed),
            evictions: store.evictions(),
            invalidations: counts.invalidations.load(Ordering::Relaxed),
            in_flight: u64::try_from(self.protocol.in_flight()).unwrap_or(u64::MAX),
        }
    }

    fn number_of(&self, data: &Data) -> u64 {
        self.unversioned.with(|unversioned| {
            // The `Arc` in the list keeps its address from being reused by other rows.
            unversioned.known.retain(|(identity, _)| {
                Arc::strong_count(identity) > 1 || Arc::ptr_eq(identity, &data.identity)
            });
            let same = |(identity, _): &&(Arc<()>, u64)| Arc::ptr_eq(identity, &data.identity);
            if let Some((_, number)) = unversioned.known.iter().find(same) {
                return *number;
            }
            unversioned.last = unversioned.last.saturating_add(1);
            unversioned.known.push((Arc::clone(&data.identity), unversioned.last));
            unversioned.last
        })
    }
}

impl AnswerCache for Cache {
    fn row_version(
        &self,
        data: Option<&Data>,
        source: Option<&dyn DataSource>,
    ) -> Option<RowVersion> {
        let is_own = |own: &Versions| self.protocol.versions(|versions| versions.is_of(own));
        if let Some(versions) = source.and_then(DataSource::versions) {
            return is_own(versions).then_some(RowVersion::Stamped);
        }
        let Some(data) = data else { return source.map(|_| RowVersion::Live) };
        if data.versions.as_ref().is_some_and(is_own) {
            return Some(RowVersion::Stamped);
        }
        source.is_none().then(|| RowVersion::Numbered(self.number_of(data)))
    }

    fn live(&self, reads: &[Read], days: (Date, Date)) -> Option<Stamp> {
        self.protocol.versions(|versions| versions.stamp(reads, days))
    }

    fn fetch(
        &self,
        keys: &[CellKey],
        holds: &dyn Fn(&Versions) -> bool,
        compute: &mut dyn FnMut(&[CellKey]) -> Option<Vec<BucketAnswers>>,
    ) -> Vec<Option<BucketAnswers>> {
        self.protocol.fetch(keys, holds, compute)
    }
}
