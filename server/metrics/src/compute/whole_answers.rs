//! Whole answers to queries about past days, which are often repeated before anything is written.
//!
//! Such a query is answered on its connection's thread: switching to a thread for long reads costs more than the look-up.
//!
//! Invariant: an answer is found only in the state in which it was computed. Every row written to a table of metrics
//! increments the table's version, and none decreases, so no two states have the same sum; and every edit of a metric
//! renews the stamp.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::queries;
use super::records::OutcomeView;
use super::request::FiltersView;
use crate::database::{self, Tx};
use crate::registry::Stamp;
use crate::registry::queries::stamp;

/// Limit: bytes of all queries and answers. All are dropped together.
const MAX_BYTES: usize = 20 << 20;

/// More than a value takes with its text, unit and period.
const VALUE_BYTES: usize = 1_024;

/// Limit: values of an answer; a year has one per day.
const MAX_ANSWER_VALUES: usize = 1_000;

/// The state of the store in which answers were computed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoreState {
    stamp: Stamp,
    versions: i64,
}

impl StoreState {
    /// Reads the state of a transaction's snapshot.
    pub(crate) fn read(tx: &Tx<'_>) -> Result<Self, database::Error> {
        Self::with(stamp::read(tx)?, tx)
    }

    /// Reads the state of a transaction's snapshot, whose metrics have this stamp.
    pub(crate) fn with(stamp: Stamp, tx: &Tx<'_>) -> Result<Self, database::Error> {
        Ok(Self { stamp, versions: queries::sum_of_data_versions(tx)? })
    }
}

/// The values of a question that has no failures.
#[derive(Debug, Clone)]
pub(crate) struct WholeAnswer {
    pub(crate) outcomes: Vec<(String, OutcomeView)>,
    pub(crate) filters: FiltersView,
}

impl WholeAnswer {
    /// Returns the answer for repetitions, or none if it is large, depends on the present, or some metric failed.
    pub(crate) fn of(outcomes: &[(String, OutcomeView)], filters: &FiltersView) -> Option<Self> {
        let cached = |(key, own): &(String, OutcomeView)| match own {
            OutcomeView::Value(record) => Some((key.clone(), record.as_cached()?)),
            OutcomeView::Failure(_) => None,
        };
        if value_count(outcomes) > MAX_ANSWER_VALUES {
            return None;
        }
        let outcomes = outcomes.iter().map(cached).collect::<Option<_>>()?;
        Some(Self { outcomes, filters: filters.clone() })
    }

    /// Returns the approximate bytes of the answer and its question.
    fn weight(&self, question: &str) -> usize {
        value_count(&self.outcomes).saturating_mul(VALUE_BYTES).saturating_add(question.len())
    }
}

fn value_count(outcomes: &[(String, OutcomeView)]) -> usize {
    outcomes.iter().map(|(_, own)| own.value_count()).fold(0, usize::saturating_add)
}

/// The answers by question.
#[derive(Debug, Default)]
pub(crate) struct WholeAnswerCache {
    entries: Mutex<Entries>,
    hits: AtomicU64,
}

#[derive(Debug, Default)]
struct Entries {
    all: BTreeMap<String, (StoreState, WholeAnswer)>,
    weight_bytes: usize,
}

impl WholeAnswerCache {
    /// Returns whether a query has an answer, possibly from another state.
    pub(crate) fn has(&self, question: &str) -> bool {
        self.lock().all.contains_key(question)
    }

    pub(crate) fn find(&self, question: &str, state: &StoreState) -> Option<WholeAnswer> {
        let entries = self.lock();
        let (_, answer) = entries.all.get(question).filter(|(own, _)| own == state)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(answer.clone())
    }

    /// Stores an answer, replacing an earlier one of the query.
    pub(crate) fn keep(&self, question: String, state: StoreState, answer: WholeAnswer) {
        let mut entries = self.lock();
        let weight = answer.weight(&question);
        let earlier = entries.all.get(&question).map_or(0, |(_, own)| own.weight(&question));
        entries.weight_bytes = entries.weight_bytes.saturating_sub(earlier).saturating_add(weight);
        if entries.weight_bytes > MAX_BYTES {
            *entries = Entries { weight_bytes: weight, ..Entries::default() };
        }
        entries.all.insert(question, (state, answer));
    }

    pub(super) fn clear(&self) {
        *self.lock() = Entries::default();
    }

    pub(super) fn hits(&self) -> u64 {
        self.hits.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MetricRegistry;
    use crate::compute::request::UnresolvedQuestion;
    use crate::http::HttpError;
    use crate::testing;

    #[tokio::test]
    async fn answers_are_of_one_state_and_dropped_before_they_take_too_much() {
        let (db, _clock) = testing::store(testing::NOON);
        let read = db.read::<_, HttpError>(|tx| {
            let snapshot = MetricRegistry::default().snapshot(tx)?;
            let question = UnresolvedQuestion::default().resolve(&snapshot, tx.now())?;
            Ok((StoreState::read(tx)?, FiltersView::of(&question, &snapshot)))
        });
        let (state, filters) = read.await.expect("the state of an empty store");
        let (answers, answer) =
            (WholeAnswerCache::default(), WholeAnswer { outcomes: Vec::new(), filters });
        let question = |number: usize| format!("{number} {}", " ".repeat(1 << 20));
        for number in 0..30 {
            answers.keep(question(number), state.clone(), answer.clone());
            assert!(answers.lock().weight_bytes <= MAX_BYTES);
        }
        assert!(!answers.has(&question(0)) && answers.has(&question(29)));

        let weight = answers.lock().weight_bytes;
        answers.keep(question(29), state.clone(), answer);
        assert_eq!(answers.lock().weight_bytes, weight);
        let later = StoreState { versions: state.versions.saturating_add(1), ..state.clone() };
        let found = |state: &StoreState| answers.find(&question(29), state).is_some();
        assert_eq!((found(&state), found(&later), answers.hits()), (true, false, 1));
    }
}
