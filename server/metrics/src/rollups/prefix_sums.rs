//! Prefix sums: ranges of days merged without their last day, cached in memory. An order of that day does not change
//! them, so the next reader reads one day. The latest pending deltas are cached too.
//!
//! Invariant: a prefix sum equals the merged buckets of the reader's snapshot.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quotient::rollup::PartialAggregate;
use tokio::sync::Notify;

use super::error::RollupError;
use super::pages::MergedPartials;
use super::pending::{FLUSH_THRESHOLD, PendingDeltas};
use super::plan::RollupPlan;
use super::queries::changes::Change;
use super::queries::pending::{PendingIds, pending_ids};
use super::table::{BucketRange, TableDependencies};
use super::versioned_cache::VersionedCache;
use crate::database::Tx;

/// Limit: approximate bytes of the cache.
const CAPACITY_BYTES: usize = 32 << 20;
/// The size of an entry without its partial aggregates.
const ENTRY_BYTES: usize = 256;
/// The size of a partial aggregate without its sets.
const STATE_BYTES: usize = 128;

#[derive(Debug, Default)]
pub struct PrefixSums {
    cache: Mutex<PrefixCache>,
    /// Notified when a reader has folded many pending orders.
    flush_due: Notify,
}

#[derive(Debug, Default)]
struct PrefixCache {
    sums: VersionedCache<PrefixKey, PrefixSum>,
    /// The latest pending deltas, with the last change at that time.
    pending: Option<(i64, Arc<PendingDeltas>)>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PrefixKey {
    pub(super) table: String,
    pub(super) layout: String,
    pub(super) place: u8,
    pub(super) buckets: BucketRange,
}

#[derive(Debug)]
struct PrefixSum {
    merged: MergedPartials,
    dependencies: Arc<TableDependencies>,
}

impl PrefixSums {
    /// Applies the changes up to `last`, or all possible changes if they are not known.
    pub fn learn(&self, last: i64, changes: Option<&BTreeMap<i64, Change>>) {
        self.lock().sums.learn(last, |key, prefix| {
            let holds = |change| prefix.dependencies.holds(change, key.buckets);
            changes.is_none_or(|changes| changes.values().any(holds))
        });
    }

    pub fn clear(&self) {
        let mut cache = self.lock();
        cache.sums.forget(|_, _| true);
        cache.pending = None;
    }

    pub(super) async fn flush_due(&self) {
        self.flush_due.notified().await;
    }

    /// Returns the cache for a reader whose snapshot includes the changes up to `last`.
    pub const fn as_of(&self, last: i64) -> PrefixSumReader<'_> {
        PrefixSumReader { prefix_sums: self, last }
    }

    fn lock(&self) -> MutexGuard<'_, PrefixCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct PrefixSumReader<'p> {
    prefix_sums: &'p PrefixSums,
    last: i64,
}

impl PrefixSumReader<'_> {
    pub(super) fn find(&self, key: &PrefixKey) -> Option<MergedPartials> {
        let cache = self.prefix_sums.lock();
        cache.sums.find(self.last, key).map(|prefix| Arc::clone(&prefix.merged))
    }

    fn pending(&self, plan: &Arc<RollupPlan>, ids: &PendingIds) -> Option<Arc<PendingDeltas>> {
        let cache = self.prefix_sums.lock();
        let current = cache.pending.as_ref().filter(|(last, _)| *last == self.last);
        current.filter(|(_, own)| own.is_of(plan, ids)).map(|(_, own)| Arc::clone(own))
    }

    fn keep_pending(&self, pending: &Arc<PendingDeltas>) {
        if pending.ids.orders.len() >= FLUSH_THRESHOLD {
            self.prefix_sums.flush_due.notify_one();
        }
        self.prefix_sums.lock().pending = Some((self.last, Arc::clone(pending)));
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.prefix_sums.lock().sums.all.len()
    }

    pub(super) fn keep(
        &self,
        key: PrefixKey,
        merged: &MergedPartials,
        dependencies: &Arc<TableDependencies>,
    ) {
        let bytes = merged.values().map(bytes_of).fold(ENTRY_BYTES, usize::saturating_add);
        let prefix =
            PrefixSum { merged: Arc::clone(merged), dependencies: Arc::clone(dependencies) };
        self.prefix_sums.lock().sums.keep(self.last, key, (prefix, bytes), CAPACITY_BYTES);
    }
}

/// Returns the pending deltas in one currency; they are folded once for all readers of the same row versions.
pub(super) fn pending_deltas(
    tx: &Tx<'_>,
    plan: &Arc<RollupPlan>,
    prefix_sums: Option<PrefixSumReader<'_>>,
) -> Result<Arc<PendingDeltas>, RollupError> {
    let ids = pending_ids(tx)?;
    if ids.is_empty() {
        return Ok(Arc::default());
    }
    if let Some(cached) = prefix_sums.and_then(|prefix_sums| prefix_sums.pending(plan, &ids)) {
        return Ok(cached);
    }
    let deltas = Arc::new(PendingDeltas::counted(tx, plan, ids)?);
    if let Some(prefix_sums) = prefix_sums {
        prefix_sums.keep_pending(&deltas);
    }
    Ok(deltas)
}

fn bytes_of(partial: &PartialAggregate) -> usize {
    let sets = match partial {
        PartialAggregate::DistinctSet(keys) => keys.seen().serialized_size(),
        PartialAggregate::RepeatSet(keys) => {
            keys.seen().serialized_size().saturating_add(keys.repeated().serialized_size())
        }
        PartialAggregate::Frequencies(values) => values.value_count().saturating_mul(STATE_BYTES),
        PartialAggregate::SumCount(_)
        | PartialAggregate::Moments(_)
        | PartialAggregate::QuantileSketch(_)
        | PartialAggregate::Extreme(_)
        | PartialAggregate::FirstOrLast(_) => 0,
    };
    sets.saturating_add(STATE_BYTES)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::rollups::page::tests::sum;

    const BY_DAY: &[&str] = &["orders", "items"];

    fn key(from: i32, to: i32) -> PrefixKey {
        let (table, layout) = ("GBP days of items".to_owned(), "1".to_owned());
        PrefixKey { table, layout, place: 0, buckets: (from, to) }
    }

    fn dependencies() -> Arc<TableDependencies> {
        let linked =
            BTreeSet::from(["items".to_owned(), "orders".to_owned(), "products".to_owned()]);
        Arc::new(TableDependencies { source: "items".to_owned(), by_day: BY_DAY, linked })
    }

    fn merged(keys: i64) -> MergedPartials {
        Arc::new((0..keys).map(|number| (number, sum(number))).collect())
    }

    fn change(source: &str, is_added: bool, days: Option<(i64, i64)>) -> BTreeMap<i64, Change> {
        BTreeMap::from([(2, Change { source: source.to_owned(), is_added, days })])
    }

    #[test]
    fn a_change_of_rows_only_affects_their_buckets() {
        for (source, is_added, days, reaches) in [
            ("items", true, Some((20, 20)), false),
            ("items", false, Some((20, 20)), false),
            ("items", false, Some((19, 20)), true),
            ("orders", false, Some((20, 21)), false),
            ("orders", true, Some((9, 10)), true),
            ("orders", false, None, true),
            ("products", false, None, true),
            ("products", true, None, false),
            ("customers", false, None, false),
        ] {
            let prefix_sums = PrefixSums::default();
            prefix_sums.learn(1, None);
            prefix_sums.as_of(1).keep(key(10, 20), &merged(3), &dependencies());
            assert_eq!(prefix_sums.as_of(1).find(&key(10, 20)), Some(merged(3)));

            prefix_sums.learn(2, Some(&change(source, is_added, days)));

            let found = prefix_sums.as_of(2).find(&key(10, 20));
            assert_eq!(found.is_none(), reaches, "{source} {is_added} {days:?}");
        }
    }

    #[test]
    fn who_reads_another_state_of_the_rows_neither_finds_nor_keeps() {
        let prefix_sums = PrefixSums::default();
        prefix_sums.learn(1, None);
        prefix_sums.as_of(1).keep(key(10, 20), &merged(3), &dependencies());
        prefix_sums.learn(2, Some(&change("customers", false, None)));

        assert_eq!(prefix_sums.as_of(1).find(&key(10, 20)), None);
        prefix_sums.as_of(1).keep(key(10, 21), &merged(4), &dependencies());
        assert_eq!(prefix_sums.as_of(2).find(&key(10, 21)), None);

        // Unknown changes may affect anything.
        prefix_sums.learn(9, None);
        assert_eq!(prefix_sums.as_of(9).find(&key(10, 20)), None);
    }

    #[test]
    fn the_cache_is_bounded_and_evicts_the_oldest_first() {
        let prefix_sums = PrefixSums::default();
        let large = merged(100_000);
        for to in 20..24 {
            prefix_sums.as_of(0).keep(key(10, to), &large, &dependencies());
        }

        let found = (20..24).map(|to| prefix_sums.as_of(0).find(&key(10, to)).is_some());
        assert_eq!(found.collect::<Vec<_>>(), [false, false, true, true]);
        let cache = prefix_sums.lock();
        let sums = &cache.sums;
        assert!(sums.weight <= CAPACITY_BYTES, "{}", sums.weight);
        assert_eq!((sums.all.len(), sums.order.len()), (2, 2));
    }
}
