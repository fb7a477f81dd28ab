//! The cache of answers, each valid as long as the rows it was computed from do not change.
//!
//! Invariant: an entry is stored under the versions that the rows of its days have in its snapshot, and only readers of
//! the same versions find it. Versions follow from the change list that every group of writes appends to: a reader
//! looks up the end of the list in its snapshot, and a reader whose snapshot is older than one already read bypasses
//! the cache. So no stale entry is found, whatever reads and writes run concurrently, and answers over past days stay
//! valid while today's orders come in.

use std::sync::{Arc, Mutex, PoisonError};

use quotient::cache::{Cache, CacheStatistics};
use quotient::data::{Touch, Versions};
use quotient::sql::Database;
use rust_decimal::Decimal;

use super::sums_cache::{SumsCache, SumsReader};
use super::whole_answers::WholeAnswerCache;
use crate::MetricRegistry;
use crate::database::{Error, Tx};
use crate::registry::schema::tables;
use crate::rollups::queries::changes::{self as queries, Change};
use crate::rollups::{PrefixSumReader, PrefixSums};
use crate::routes::day;

/// Limit: bytes of all entries.
const CAPACITY_BYTES: u64 = 64 << 20;

/// The sums of a goods report for each key.
pub(crate) type SoldFigures = [Decimal; 6];

/// The caches that a reader may use.
type CacheReaders<'c> = (&'c Cache, PrefixSumReader<'c>);

/// The cached answers in parts, the prefix sums of rollups, and the sums of reports.
#[derive(Debug)]
pub struct Caches {
    pub(super) cache: Cache,
    prefix_sums: Arc<PrefixSums>,
    /// Refunded amounts by goods, in minor units.
    refunds: SumsCache<i64>,
    sold: SumsCache<SoldFigures>,
    /// The number of the last change that the versions include; none before the first question.
    known: Mutex<Option<i64>>,
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            cache: Cache::new(CAPACITY_BYTES),
            prefix_sums: Arc::default(),
            refunds: SumsCache::default(),
            sold: SumsCache::default(),
            known: Mutex::new(None),
        }
    }
}

impl Caches {
    /// Returns the row versions of a snapshot, or none if others have read a newer snapshot.
    pub(super) fn versions(
        &self,
        tx: &Tx<'_>,
    ) -> Result<Option<(Versions, PrefixSumReader<'_>)>, Error> {
        self.learned(tx, |last| (self.cache.versions(), self.prefix_sums.as_of(last)))
    }

    /// Returns the refunded amounts by goods, in minor units, that are cached of a snapshot; none if others have read a newer
    /// snapshot.
    pub(crate) fn refunds(&self, tx: &Tx<'_>) -> Result<Option<SumsReader<'_, i64>>, Error> {
        self.learned(tx, |last| self.refunds.as_of(last))
    }

    /// Returns the figures of sold goods in the same way.
    pub(crate) fn sold(&self, tx: &Tx<'_>) -> Result<Option<SumsReader<'_, SoldFigures>>, Error> {
        self.learned(tx, |last| self.sold.as_of(last))
    }

    /// Learns the changes up to a snapshot and takes what belongs to it; none if others have read a newer snapshot.
    fn learned<T>(&self, tx: &Tx<'_>, take: impl FnOnce(i64) -> T) -> Result<Option<T>, Error> {
        let last = queries::last(tx)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known.unwrap_or(last);
        if last < before {
            return Ok(None);
        }
        if last > before {
            let changes = queries::since(tx, before)?;
            // If the list starts later, changes have been dropped, and every source counts as touched.
            let is_whole = changes.contains_key(&before.saturating_add(1));
            let all = || tables::sources().map(|source| Touch::Source(source.to_owned()));
            let touches =
                if is_whole { changes.values().map(touch).collect() } else { all().collect() };
            self.cache.write(touches).finish();
            let changes = is_whole.then_some(&changes);
            self.prefix_sums.learn(last, changes);
            self.refunds.learn(last, changes);
            self.sold.learn(last, changes);
        } else if known.is_none() {
            self.prefix_sums.learn(last, None);
            self.refunds.learn(last, None);
            self.sold.learn(last, None);
        }
        *known = Some(last);
        Ok(Some(take(last)))
    }

    /// Returns the database with the row versions of the snapshot, and the caches that may be read; no caches if others
    /// have read a newer snapshot.
    pub(super) fn before<'d>(
        &self,
        tx: &Tx<'_>,
        database: Database<'d>,
    ) -> Result<(Database<'d>, Option<CacheReaders<'_>>), Error> {
        Ok(match self.versions(tx)? {
            Some((versions, prefix_sums)) => {
                (database.with_versions(versions), Some((&self.cache, prefix_sums)))
            }
            None => (database, None),
        })
    }

    pub const fn prefix_sums(&self) -> &Arc<PrefixSums> {
        &self.prefix_sums
    }

    pub(super) fn clear(&self) {
        self.cache.clear();
        self.prefix_sums.clear();
        self.refunds.clear();
        self.sold.clear();
    }
}

/// Computes values for dashboards, reports and routes. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Evaluator {
    pub registry: MetricRegistry,
    caches: Arc<Caches>,
    whole_answers: Arc<WholeAnswerCache>,
}

impl Evaluator {
    pub fn new(registry: MetricRegistry) -> Self {
        Self { registry, ..Self::default() }
    }

    pub const fn caches(&self) -> &Arc<Caches> {
        &self.caches
    }

    pub(super) const fn whole_answers(&self) -> &Arc<WholeAnswerCache> {
        &self.whole_answers
    }

    pub(super) fn clear_caches(&self) {
        self.caches.clear();
        self.whole_answers.clear();
    }

    /// Returns the statistics with the writes of a snapshot, which are otherwise learned by the next question.
    pub(super) fn statistics_at(&self, tx: &Tx<'_>) -> Result<CacheStatistics, Error> {
        self.caches.versions(tx)?;
        Ok(self.statistics())
    }

    pub(super) fn statistics(&self) -> CacheStatistics {
        let parts = self.caches.cache.statistics();
        CacheStatistics { hits: parts.hits.saturating_add(self.whole_answers.hits()), ..parts }
    }
}

fn touch(change: &Change) -> Touch {
    let source = change.source.clone();
    let days = change.days.map(|(first, last)| day::of_number(first)..=day::of_number(last));
    match (days, change.is_added) {
        (Some(days), true) => Touch::Added(source, days),
        (Some(days), false) => Touch::Changed(source, days),
        (None, _) => Touch::Source(source),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::*;
    use crate::testing;

    #[tokio::test]
    async fn a_reader_of_an_older_state_finds_nothing_in_the_cache() {
        let (db, _clock) = testing::store(testing::NOON);
        let caches = Arc::new(Caches::default());
        let (reading, own) = (db.clone(), caches);
        let found = reading.read(move |tx| {
            let at_first = own.versions(tx)?.is_some();
            let caches = Arc::clone(&own);
            // Another thread writes and then reads its own writes, while this snapshot stays open.
            let other = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build();
                runtime.expect("a runtime").block_on(db.write(move |tx| {
                    let change =
                        Change { source: "orders".to_owned(), is_added: false, days: None };
                    queries::note(tx, &BTreeSet::from([change]))?;
                    Ok::<_, Error>(caches.versions(tx)?.is_some())
                }))
            });
            let newer = other.join().expect("a thread")?;
            Ok::<_, Error>((at_first, newer, own.versions(tx)?.is_some()))
        });
        assert_eq!(found.await.expect("versions"), (true, true, false));
    }
}
