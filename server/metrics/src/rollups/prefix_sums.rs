//! Prefix sums: ranges of days merged without their last day, cached in memory. An order of that day does not change
//! them, so the next reader reads one day. The latest pending deltas are cached too.
//!
//! Invariant: a prefix sum equals the merged buckets of the reader's snapshot. The whole cache belongs to one version
//! of the rows, that of the last change; each change removes what depends on it, and a reader of another version
//! neither finds nor stores anything.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use quotient::rollup::PartialAggregate;
use tokio::sync::Notify;

use super::error::RollupError;
use super::pages::MergedPartials;
use super::pending::{FLUSH_THRESHOLD, PendingDeltas};
use super::plan::RollupPlan;
use super::queries::changes::Change;
use super::queries::pending::{PendingIds, pending_ids};
use super::table::{BucketRange, TableDependencies};
use crate::database::Tx;

/// Limit: approximate bytes of the cache.
const CAPACITY_BYTES: usize = 32 << 20;
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
    /// The number of the last change learned.
    last: i64,
    all: BTreeMap<PrefixKey, PrefixSum>,
    /// The keys in insertion order.
    order: VecDeque<PrefixKey>,
    bytes: usize,
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
    bytes: usize,
    dependencies: Arc<TableDependencies>,
}

impl PrefixSums {
    /// Applies the changes up to `last`, or all possible changes if they are not known.
    pub fn learn(&self, last: i64, changes: Option<&BTreeMap<i64, Change>>) {
        let mut cache = self.lock();
        cache.forget(|key, prefix| {
            let holds = |change| prefix.dependencies.holds(change, key.buckets);
            changes.is_none_or(|changes| changes.values().any(holds))
        });
        cache.last = last;
    }

    pub fn clear(&self) {
        let mut cache = self.lock();
        cache.forget(|_, _| true);
        cache.pending = None;
    }

    pub(super) async fn flush_due(&self) {
        self.flush_due.notified().await;
    }

    /// Returns the cache for a reader whose snapshot includes the changes up to `last`.
    pub const fn as_of(&self, last: i64) -> PrefixSumReader<'_> {
        PrefixSumReader { prefix_sums: self, last }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, PrefixCache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PrefixCache {
    fn forget(&mut self, mut is_stale: impl FnMut(&PrefixKey, &PrefixSum) -> bool) {
        let Self { all, order, bytes, .. } = self;
        all.retain(|key, prefix| {
            let is_fresh = !is_stale(key, prefix);
            if !is_fresh {
                *bytes = bytes.saturating_sub(prefix.bytes);
            }
            is_fresh
        });
        order.retain(|key| all.contains_key(key));
    }

    fn keep(&mut self, key: PrefixKey, prefix: PrefixSum) {
        if prefix.bytes > CAPACITY_BYTES || self.all.contains_key(&key) {
            return;
        }
        self.bytes = self.bytes.saturating_add(prefix.bytes);
        self.order.push_back(key.clone());
        self.all.insert(key, prefix);
        while self.bytes > CAPACITY_BYTES {
            let Some(first) = self.order.pop_front() else { return };
            let bytes = self.all.remove(&first).map_or(0, |prefix| prefix.bytes);
            self.bytes = self.bytes.saturating_sub(bytes);
        }
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
        let prefix = cache.all.get(key).filter(|_| cache.last == self.last)?;
        Some(Arc::clone(&prefix.merged))
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
        self.prefix_sums.lock().all.len()
    }

    pub(super) fn keep(
        &self,
        key: PrefixKey,
        merged: &MergedPartials,
        dependencies: &Arc<TableDependencies>,
    ) {
        let bytes = merged.values().map(bytes_of).fold(0, usize::saturating_add);
        let prefix =
            PrefixSum { merged: Arc::clone(merged), bytes, dependencies: Arc::clone(dependencies) };
        let mut cache = self.prefix_sums.lock();
        if cache.last == self.last {
            cache.keep(key, prefix);
        }
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
    use quotient::rollup::{AggregateInput, AggregateKind};
    use quotient::types::Value;

    use super::*;
    use std::collections::BTreeSet;

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

    fn sum(number: i64) -> PartialAggregate {
        let mut partial = PartialAggregate::empty(AggregateKind::SumCount);
        let value = Some(Value::Number(number.into()));
        partial.fold(
            AggregateKind::SumCount,
            &AggregateInput { value, key_number: None, position: None },
        );
        partial
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
        assert!(cache.bytes <= CAPACITY_BYTES, "{}", cache.bytes);
        assert_eq!((cache.all.len(), cache.order.len()), (2, 2));
    }
}
