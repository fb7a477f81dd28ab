//! The cache of answers, valid while the rows stay that they were computed from.
//!
//! Invariant: an answer is stored under the versions of the rows of its days in its snapshot, and found by readers of
//! the same versions. The versions follow from the list of changes that every group of writes adds to: a reader looks
//! up how far the list goes in its snapshot, and a reader of an older snapshot than others have read does without the
//! cache. So nothing stale is found, whatever reads and writes run at the same time, and answers over past days stay
//! valid while orders of today come in.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::civil::{Date, date};
use quotient::cache::{Cache, CacheStatistics};
use quotient::data::{Touch, Versions};
use quotient::sql::Database;

use crate::database::{Error, Tx};
use crate::registry::schema::tables;
use crate::rollups::queries::changes::{self as queries, Change};
use crate::rollups::{PrefixSumReader, PrefixSums};

/// Limit: bytes of everything that is kept.
const CAPACITY_BYTES: u64 = 64 << 20;

/// What was computed before: answers, and prefix sums of rollups.
type CacheReaders<'c> = (&'c Cache, PrefixSumReader<'c>);

#[derive(Debug)]
pub struct Caches {
    pub(super) cache: Cache,
    prefix_sums: Arc<PrefixSums>,
    /// The number of the last change that the versions know; none before the first question.
    known: Mutex<Option<i64>>,
}

impl Default for Caches {
    fn default() -> Self {
        Self {
            cache: Cache::new(CAPACITY_BYTES),
            prefix_sums: Arc::default(),
            known: Mutex::new(None),
        }
    }
}

impl Caches {
    /// The versions of the rows in a snapshot; none for one that is older than what others have seen.
    pub(super) fn versions(
        &self,
        tx: &Tx<'_>,
    ) -> Result<Option<(Versions, PrefixSumReader<'_>)>, Error> {
        let last = queries::last(tx)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known.unwrap_or(last);
        if last < before {
            return Ok(None);
        }
        if last > before {
            let changes = queries::since(tx, before)?;
            // A list that begins later has lost some of them.
            let is_whole = changes.contains_key(&before.saturating_add(1));
            let all = || tables::sources().map(|source| Touch::Source(source.to_owned()));
            let touches =
                if is_whole { changes.values().map(touch).collect() } else { all().collect() };
            self.cache.write(touches).finish();
            self.prefix_sums.learn(last, is_whole.then_some(&changes));
        } else if known.is_none() {
            self.prefix_sums.learn(last, None);
        }
        *known = Some(last);
        Ok(Some((self.cache.versions(), self.prefix_sums.as_of(last))))
    }

    /// The database with the versions of the snapshot's rows, and the caches that may be read; none of these for a
    /// snapshot older than what others have read.
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

    pub fn clear(&self) {
        self.cache.clear();
        self.prefix_sums.clear();
    }

    pub fn statistics(&self) -> CacheStatistics {
        self.cache.statistics()
    }
}

fn touch(change: &Change) -> Touch {
    let source = change.source.clone();
    let days = change.days.map(|(first, last)| day(first)..=day(last));
    match (days, change.is_added) {
        (Some(days), true) => Touch::Added(source, days),
        (Some(days), false) => Touch::Changed(source, days),
        (None, _) => Touch::Source(source),
    }
}

fn day(number: i64) -> Date {
    let days = jiff::Span::new().try_days(number);
    days.map_or(Date::MIN, |days| date(1970, 1, 1).saturating_add(days))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::*;
    use crate::clock::Clock;
    use crate::database::Db;
    use crate::testing;

    #[tokio::test]
    async fn who_reads_an_older_state_than_others_finds_nothing_that_is_kept() {
        let clock = Clock::fixed("2026-11-21T10:00:00Z".parse().expect("an instant"));
        let db = Db::open(&testing::options(&clock)).expect("a database");
        let caches = Arc::new(Caches::default());
        let (reading, own) = (db.clone(), caches);
        let found = reading.read(move |tx| {
            let at_first = own.versions(tx)?.is_some();
            let kept = Arc::clone(&own);
            // Another thread writes, and reads what it wrote, while this snapshot stays.
            let other = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build();
                runtime.expect("a runtime").block_on(db.write(move |tx| {
                    let change =
                        Change { source: "orders".to_owned(), is_added: false, days: None };
                    queries::note(tx, &BTreeSet::from([change]))?;
                    Ok::<_, Error>(kept.versions(tx)?.is_some())
                }))
            });
            let newer = other.join().expect("a thread")?;
            Ok::<_, Error>((at_first, newer, own.versions(tx)?.is_some()))
        });
        assert_eq!(found.await.expect("versions"), (true, true, false));
    }
}
