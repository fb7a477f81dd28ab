//! The least or the largest value.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::super::scalar::ScalarValue;
use super::Retraction;
use crate::types::{Reason, Value};

/// The least or the largest of some values, and the number of values.
///
/// Other values than the extreme one can be subtracted; only the rows know which comes after it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extreme {
    best: Option<ScalarValue>,
    count: u64,
    /// Whether a null occurred that is not skipped.
    lost: bool,
}

impl Extreme {
    /// Adds a value; most nulls are skipped. `largest` is the same in every call.
    pub fn fold(&mut self, value: &Value, largest: bool) {
        self.merge(&Self::one(value), largest);
    }

    fn one(value: &Value) -> Self {
        if let Value::Missing(missing) = value {
            let lost = super::sum_count::blocking(missing.reason).is_some();
            return Self { best: None, count: 0, lost };
        }
        Self { best: Some(ScalarValue::from(value)), count: 1, lost: false }
    }

    /// Merges the partial aggregate of other rows.
    pub fn merge(&mut self, other: &Self, largest: bool) {
        let better = match (&self.best, &other.best) {
            (Some(own), Some(other)) => other.cmp(own) == towards(largest),
            (None, Some(_)) => true,
            (_, None) => false,
        };
        if better {
            self.best.clone_from(&other.best);
        }
        self.count = self.count.saturating_add(other.count);
        self.lost |= other.lost;
    }

    /// Subtracts the partial aggregate of rows that were merged before.
    pub fn subtract(&mut self, other: &Self, largest: bool) -> Retraction {
        if other.is_empty() {
            return Retraction::Exact;
        }
        if other.lost || self.lost {
            return Retraction::Rebuild;
        }
        let (Some(own), Some(best)) = (&self.best, &other.best) else {
            return Retraction::Rebuild;
        };
        match own.cmp(best) {
            order if order == towards(largest) && other.count < self.count => {
                self.count = self.count.saturating_sub(other.count);
                Retraction::Exact
            }
            Ordering::Equal if other.count == self.count => {
                *self = Self::default();
                Retraction::Exact
            }
            _ => Retraction::Rebuild,
        }
    }

    /// Returns whether it contains no rows.
    pub const fn is_empty(&self) -> bool {
        self.count == 0 && !self.lost
    }

    /// Returns the extreme value as an answer. `None` where a null decides, whose reason is not
    /// stored.
    pub fn finish(&self) -> Option<Value> {
        if self.lost {
            return None;
        }
        Some(self.best.as_ref().map_or(Value::missing(Reason::NoRows), ScalarValue::to_value))
    }
}

const fn towards(largest: bool) -> Ordering {
    if largest { Ordering::Greater } else { Ordering::Less }
}
