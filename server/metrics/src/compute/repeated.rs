//! Whole answers, for questions about days that have ended, which are asked again before anything is written.
//!
//! Such a question is answered on the thread of its connection: to switch to one for long reads costs more than finding it
//! here.
//!
//! Invariant: an answer is found only in the state that it was computed in. Every row written to a table of metrics raises
//! the table's version, none is lowered, so no two states have the same sum; and every edit of a metric renews the stamp.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::queries::data_versions;
use super::records::OutcomeView;
use super::request::FiltersView;
use crate::database::{self, Tx};
use crate::registry::Stamp;
use crate::registry::queries::stamp;

/// Limit: values of all answers, less than a KiB each. All are dropped together.
const MAX_VALUES: usize = 20_000;

/// Limit: values of an answer; a year has one for each day.
const MAX_ANSWER_VALUES: usize = 1_000;

/// The state of the store that answers were computed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoreState {
    stamp: Stamp,
    versions: i64,
}

impl StoreState {
    pub(crate) fn read(tx: &Tx<'_>) -> Result<Self, database::Error> {
        Ok(Self { stamp: stamp::read(tx)?, versions: data_versions::sum(tx)? })
    }
}

/// The values of a question that has no failures.
#[derive(Debug, Clone)]
pub(crate) struct RepeatedAnswer {
    pub(crate) outcomes: Vec<(String, OutcomeView)>,
    pub(crate) filters: FiltersView,
}

impl RepeatedAnswer {
    /// Returns the answer as it is given again, or none if it is large or some metric has failed.
    pub(crate) fn of(outcomes: &[(String, OutcomeView)], filters: &FiltersView) -> Option<Self> {
        let again = |(key, own): &(String, OutcomeView)| match own {
            OutcomeView::Value(record) => Some((key.clone(), record.again())),
            OutcomeView::Failure(_) => None,
        };
        let is_small = value_count(outcomes) <= MAX_ANSWER_VALUES;
        let outcomes = is_small.then(|| outcomes.iter().map(again).collect()).flatten()?;
        Some(Self { outcomes, filters: filters.clone() })
    }
}

fn value_count(outcomes: &[(String, OutcomeView)]) -> usize {
    outcomes.iter().map(|(_, own)| own.value_count()).fold(0, usize::saturating_add)
}

/// The answers by question.
#[derive(Debug, Default)]
pub(crate) struct RepeatedAnswers {
    entries: Mutex<Entries>,
    hits: AtomicU64,
}

#[derive(Debug, Default)]
struct Entries {
    all: BTreeMap<String, (StoreState, RepeatedAnswer)>,
    /// The values of all answers.
    value_count: usize,
}

impl RepeatedAnswers {
    /// Returns whether a question has an answer, possibly of another state.
    pub(crate) fn has(&self, question: &str) -> bool {
        self.lock().all.contains_key(question)
    }

    /// Returns the answer of a question in a state.
    pub(crate) fn find(&self, question: &str, state: &StoreState) -> Option<RepeatedAnswer> {
        let entries = self.lock();
        let (_, answer) = entries.all.get(question).filter(|(own, _)| own == state)?;
        self.hits.fetch_add(1, Ordering::Relaxed);
        Some(answer.clone())
    }

    /// Keeps an answer, instead of an earlier one of the question.
    pub(crate) fn keep(&self, question: String, state: StoreState, answer: RepeatedAnswer) {
        let mut entries = self.lock();
        let count = value_count(&answer.outcomes);
        if entries.value_count.saturating_add(count) > MAX_VALUES {
            *entries = Entries::default();
        }
        let earlier = entries.all.insert(question, (state, answer));
        let earlier = earlier.map_or(0, |(_, earlier)| value_count(&earlier.outcomes));
        entries.value_count = entries.value_count.saturating_add(count).saturating_sub(earlier);
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
