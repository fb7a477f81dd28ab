//! The most frequent value, from a count for each.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::scalar::ScalarValue;
use super::Retraction;
use crate::types::{Reason, Value};

/// Limit: different values of one partial aggregate; with more of them, the rows answer.
const MOST_VALUES: usize = 1_024;

/// How often each of some values occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "FrequenciesRecord", into = "FrequenciesRecord")]
pub struct Frequencies {
    /// By value; never zero, and negative only until values that were subtracted first are merged.
    counts: BTreeMap<ScalarValue, i64>,
    /// Whether there were too many values, or a null that is not skipped.
    lost: bool,
}

#[derive(Serialize, Deserialize)]
struct FrequenciesRecord {
    counts: Vec<(ScalarValue, i64)>,
    lost: bool,
}

impl From<Frequencies> for FrequenciesRecord {
    fn from(own: Frequencies) -> Self {
        Self { counts: own.counts.into_iter().collect(), lost: own.lost }
    }
}

impl From<FrequenciesRecord> for Frequencies {
    fn from(record: FrequenciesRecord) -> Self {
        let mut own = Self { lost: record.lost, ..Self::default() };
        for (value, count) in record.counts {
            own.add(&value, count);
        }
        own
    }
}

impl Frequencies {
    /// Returns how many different values there are.
    pub fn value_count(&self) -> usize {
        self.counts.len()
    }

    /// Adds a value; most nulls are skipped.
    pub fn fold(&mut self, value: &Value) {
        match value {
            Value::Missing(missing) if super::sum_count::blocking(missing.reason).is_none() => {}
            Value::Missing(_) => self.lose(),
            value => self.add(&ScalarValue::from(value), 1),
        }
    }

    fn add(&mut self, value: &ScalarValue, times: i64) {
        if self.lost {
            return;
        }
        let before = self.counts.get(value).copied().unwrap_or(0);
        match before.saturating_add(times) {
            0 => {
                self.counts.remove(value);
            }
            count => {
                self.counts.insert(value.clone(), count);
            }
        }
        if self.counts.len() > MOST_VALUES {
            self.lose();
        }
    }

    fn lose(&mut self) {
        self.lost = true;
        self.counts.clear();
    }

    /// Merges the partial aggregate of other rows.
    pub fn merge(&mut self, other: &Self) {
        if other.lost {
            self.lose();
        }
        for (value, count) in &other.counts {
            self.add(value, *count);
        }
    }

    /// Subtracts the partial aggregate of rows that were merged before.
    pub fn subtract(&mut self, other: &Self) -> Retraction {
        if other.lost {
            self.lose();
        }
        for (value, count) in &other.counts {
            self.add(value, count.saturating_neg());
        }
        if self.lost { Retraction::Rebuild } else { Retraction::Exact }
    }

    /// Returns whether it contains no rows.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty() && !self.lost
    }

    /// Returns the most frequent value, the smallest of several, as an answer. `None` where there are too
    /// many values, or a null decides.
    pub fn finish(&self) -> Option<Value> {
        if self.lost {
            return None;
        }
        // Of equal counts `max_by_key` takes the last, here that of the smallest value.
        let best = self.counts.iter().rev().max_by_key(|(_, count)| **count);
        Some(best.map_or(Value::missing(Reason::NoRows), |(value, _)| value.to_value()))
    }
}
