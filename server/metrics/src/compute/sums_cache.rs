//! The cache of the sums that reports add up from rows, each valid as long as these do not change.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::clock::Timestamp;
use crate::rollups::VersionedCache;
use crate::rollups::queries::changes::Change;

/// Limit: keys of all answers in the cache.
const MAX_KEYS: usize = 100_000;

/// The sums for each key.
pub(crate) type Sums<V> = Arc<BTreeMap<Option<String>, V>>;

/// A source that an answer was read from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadFrom {
    pub(crate) source: &'static str,
    /// Whether added rows alone change the answer.
    pub(crate) is_of_added: bool,
}

/// An answer with the instant up to which its rows were read.
#[derive(Debug, Clone)]
pub(crate) struct CachedSums<V> {
    pub(crate) sums: Sums<V>,
    pub(crate) until: Timestamp,
    pub(crate) reads: &'static [ReadFrom],
}

/// The answers by a text of everything that they depend on besides rows and the present.
#[derive(Debug, Default)]
pub(super) struct SumsCache<V>(Mutex<VersionedCache<String, CachedSums<V>>>);

impl<V> SumsCache<V> {
    /// Applies the changes up to `last`, or all possible changes if they are not known.
    pub(super) fn learn(&self, last: i64, changes: Option<&BTreeMap<i64, Change>>) {
        self.lock().learn(last, |_, answer| {
            changes.is_none_or(|changes| changes.values().any(|change| answer.reads_of(change)))
        });
    }

    pub(super) fn clear(&self) {
        self.lock().forget(|_, _| true);
    }

    pub(super) const fn as_of(&self, last: i64) -> SumsReader<'_, V> {
        SumsReader { cache: self, last }
    }

    fn lock(&self) -> MutexGuard<'_, VersionedCache<String, CachedSums<V>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V> CachedSums<V> {
    fn reads_of(&self, change: &Change) -> bool {
        let is_read =
            |own: &ReadFrom| own.source == change.source && (own.is_of_added || !change.is_added);
        self.reads.iter().any(is_read)
    }
}

/// The answers for a reader whose snapshot includes the changes up to a number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SumsReader<'k, V> {
    cache: &'k SumsCache<V>,
    last: i64,
}

impl<V: Clone> SumsReader<'_, V> {
    pub(crate) fn find(&self, key: &str) -> Option<CachedSums<V>> {
        self.cache.lock().find(self.last, key).cloned()
    }

    pub(crate) fn keep(&self, key: String, answer: CachedSums<V>) {
        // An answer without keys takes memory, too.
        let weight = answer.sums.len().saturating_add(1);
        self.cache.lock().keep(self.last, key, (answer, weight), MAX_KEYS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READS: &[ReadFrom] = &[
        ReadFrom { source: "refunds", is_of_added: true },
        ReadFrom { source: "items", is_of_added: false },
    ];

    fn answer(sum: i64) -> CachedSums<i64> {
        let sums = Arc::new(BTreeMap::from([(None, sum)]));
        CachedSums { sums, until: Timestamp::from_millis(0), reads: READS }
    }

    fn change(source: &str, is_added: bool) -> BTreeMap<i64, Change> {
        BTreeMap::from([(2, Change { source: source.to_owned(), is_added, days: None })])
    }

    fn found(cache: &SumsCache<i64>, last: i64, key: &str) -> Option<i64> {
        cache.as_of(last).find(key)?.sums.get(&None).copied()
    }

    #[test]
    fn an_answer_is_cached_until_its_rows_change() {
        for (source, is_added, is_kept) in [
            ("refunds", false, false),
            ("refunds", true, false),
            ("items", false, false),
            ("items", true, true),
            ("orders", false, true),
        ] {
            let cache = SumsCache::default();
            cache.learn(1, None);
            cache.as_of(1).keep("a".to_owned(), answer(7));
            assert_eq!(found(&cache, 1, "a"), Some(7));

            cache.learn(2, Some(&change(source, is_added)));

            assert_eq!(found(&cache, 2, "a").is_some(), is_kept, "{source} {is_added}");
        }
    }

    #[test]
    fn a_reader_of_another_state_neither_finds_nor_keeps() {
        let cache = SumsCache::default();
        cache.learn(1, None);
        cache.as_of(1).keep("a".to_owned(), answer(7));
        cache.learn(2, Some(&change("carts", false)));

        assert_eq!(found(&cache, 1, "a"), None);
        cache.as_of(1).keep("b".to_owned(), answer(8));
        assert_eq!((found(&cache, 2, "a"), found(&cache, 2, "b")), (Some(7), None));

        // Unknown changes may affect anything.
        cache.learn(9, None);
        assert_eq!(found(&cache, 9, "a"), None);
    }

    #[test]
    fn the_oldest_answers_go_first() {
        let cache = SumsCache::default();
        let large = |sum| {
            let keys = (0..MAX_KEYS / 3).map(|key| (Some(key.to_string()), sum));
            CachedSums { sums: Arc::new(keys.chain([(None, sum)]).collect()), ..answer(sum) }
        };
        for key in ["a", "b", "b"] {
            cache.as_of(0).keep(key.to_owned(), large(1));
        }
        assert_eq!((found(&cache, 0, "a"), found(&cache, 0, "b")), (Some(1), Some(1)));

        cache.as_of(0).keep("c".to_owned(), large(2));

        assert_eq!((found(&cache, 0, "a"), found(&cache, 0, "b")), (None, Some(1)));
        assert_eq!(found(&cache, 0, "c"), Some(2));
    }
}
