//! The ids of events in the last seven days: each is counted once.
//!
//! A row holds the keys of a batch of events, in the order in which batches were written. Look-ups use memory, which
//! first reads the rows added since, whoever wrote them, in the snapshot of the caller.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};

use super::queries;
use crate::clock::{DAY_MS, Timestamp};
use crate::database::{Error, Tx};

/// How long an event's id is not counted again.
pub(super) const REPEAT_MS: i64 = 7 * DAY_MS;

/// The first bytes of the digest of an event's id, because the id may identify a person. Among seven million others, an
/// id collides with a probability of 4 in 10^13.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EventKey(pub(super) [u8; 8]);

impl EventKey {
    pub(super) fn of(event_id: &str) -> Self {
        let digest = Sha256::digest(event_id.as_bytes());
        Self(digest.first_chunk().copied().unwrap_or_default())
    }
}

#[derive(Debug, Default)]
pub(super) struct EventKeys(Mutex<KeyCache>);

#[derive(Debug, Default)]
struct KeyCache {
    /// The number of the last row.
    last: i64,
    /// The keys of each row with its time, oldest first.
    rows: VecDeque<(Timestamp, Vec<EventKey>)>,
    keys: BTreeSet<EventKey>,
}

impl EventKeys {
    /// Returns which of the keys were written in the last seven days.
    pub(super) fn counted(
        &self,
        tx: &Tx<'_>,
        keys: impl Iterator<Item = EventKey>,
    ) -> Result<BTreeSet<EventKey>, Error> {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cache.read_new_rows(tx)?;
        Ok(keys.filter(|key| cache.keys.contains(key)).collect())
    }
}

impl KeyCache {
    fn read_new_rows(&mut self, tx: &Tx<'_>) -> Result<(), Error> {
        let since = tx.now().minus_ms(REPEAT_MS);
        // First, because a new row may repeat a key of an old one.
        let old = self.rows.partition_point(|(at, _)| *at <= since);
        for key in self.rows.drain(..old).flat_map(|(_, keys)| keys) {
            self.keys.remove(&key);
        }
        for (seq, at, keys) in queries::keys_after(tx, self.last)? {
            self.last = seq;
            if at > since {
                self.keys.extend(&keys);
                self.rows.push_back((at, keys));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::clock::Clock;
    use crate::database::{Db, Options, temporary};

    const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    fn key(number: i32) -> EventKey {
        EventKey::of(&number.to_string())
    }

    /// Inserts a key that was not counted, and then fails if `fails`; returns whether it was counted.
    fn write(tx: &Tx<'_>, keys: &EventKeys, number: i32, fails: bool) -> Result<bool, Error> {
        let is_counted = !keys.counted(tx, std::iter::once(key(number)))?.is_empty();
        if !is_counted {
            queries::insert_keys(tx, std::iter::once(key(number)))?;
        }
        if fails { Err(Error::Busy) } else { Ok(is_counted) }
    }

    #[tokio::test]
    async fn written_event_ids_are_recognised_for_seven_days_whoever_wrote_them() {
        let (_folder, path) = temporary::place();
        let clock = Clock::fixed(NOW);
        let options = Options::new(path, clock.clone());
        let db = Db::open(&options).expect("a database");
        let (own, others) = (Arc::new(EventKeys::default()), Arc::new(EventKeys::default()));
        let was_counted = async |keys: &Arc<EventKeys>, number, fails| {
            let keys = Arc::clone(keys);
            db.write(move |tx| write(tx, &keys, number, fails)).await.ok()
        };
        assert_eq!(was_counted(&own, 1, true).await, None);
        assert_eq!(
            was_counted(&own, 1, false).await,
            Some(false),
            "the failed write is not remembered"
        );
        assert_eq!(was_counted(&others, 1, false).await, Some(true));
        assert_eq!(was_counted(&others, 2, false).await, Some(false));
        assert_eq!(was_counted(&own, 2, false).await, Some(true));
        clock.advance(REPEAT_MS - 1);
        assert_eq!(was_counted(&own, 1, false).await, Some(true));
        clock.advance(1);
        assert_eq!(was_counted(&own, 1, false).await, Some(false));
        assert_eq!(was_counted(&EventKeys::default().into(), 1, false).await, Some(true));
    }
}
