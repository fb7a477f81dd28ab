//! The first or the last value in time.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::super::scalar::ScalarValue;
use super::Retraction;
use crate::types::{Reason, Value};

/// The first or the last value that is not null, with its instant. Among values of one instant, the key of
/// the row decides.
///
/// There is no best value if one of the rows has a null that is not skipped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstOrLast {
    best: Option<TimedValue>,
    count: u64,
}

/// A value with its instant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct TimedValue {
    at: i64,
    key: ScalarValue,
    value: ScalarValue,
    /// Whether another row of this instant and key has another value.
    is_unclear: bool,
}

impl FirstOrLast {
    /// Adds the value of a row at an instant, in microseconds; most nulls are skipped. `last` is the
    /// same in every call.
    pub fn fold(&mut self, value: &Value, (at, key): (i64, &ScalarValue), last: bool) {
        self.merge(&Self::one(value, at, key), last);
    }

    fn one(value: &Value, at: i64, key: &ScalarValue) -> Self {
        if let Value::Missing(missing) = value {
            let count = u64::from(super::sum_count::blocking(missing.reason).is_some());
            return Self { best: None, count };
        }
        let value = ScalarValue::from(value);
        Self { best: Some(TimedValue { at, key: key.clone(), value, is_unclear: false }), count: 1 }
    }

    const fn is_lost(&self) -> bool {
        self.best.is_none() && self.count > 0
    }

    /// Merges the partial aggregate of other rows.
    pub fn merge(&mut self, other: &Self, last: bool) {
        if self.is_lost() || other.is_lost() {
            let count = self.count.saturating_add(other.count);
            *self = Self { best: None, count };
            return;
        }
        let order = self.order(other);
        let better = if last { order.is_gt() } else { order.is_lt() };
        match (&mut self.best, &other.best) {
            (Some(own), Some(best)) if order.is_eq() => {
                own.is_unclear |= best.is_unclear || own.value != best.value;
            }
            (Some(_), Some(_)) if !better => {}
            (_, None) => {}
            (own, best) => own.clone_from(best),
        }
        self.count = self.count.saturating_add(other.count);
    }

    /// Subtracts the partial aggregate of rows that were merged before.
    pub fn subtract(&mut self, other: &Self, last: bool) -> Retraction {
        if other.count == 0 {
            return Retraction::Exact;
        }
        if self.is_lost() || other.is_lost() {
            return Retraction::Rebuild;
        }
        let order = self.order(other);
        let behind = if last { order.is_lt() } else { order.is_gt() };
        if behind && other.count < self.count {
            self.count = self.count.saturating_sub(other.count);
            return Retraction::Exact;
        }
        if order.is_eq() && self.count == other.count && self.best.is_some() {
            *self = Self::default();
            return Retraction::Exact;
        }
        Retraction::Rebuild
    }

    /// Returns the order of the other position relative to this one.
    fn order(&self, other: &Self) -> Ordering {
        let both = self.best.as_ref().zip(other.best.as_ref());
        both.map_or(Ordering::Equal, |(own, other)| (other.at, &other.key).cmp(&(own.at, &own.key)))
    }

    /// Returns whether it contains no rows.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the value as an answer. `None` where two rows tie, or where a null decides, whose reason
    /// is not stored.
    pub fn finish(&self) -> Option<Value> {
        if self.is_lost() || self.best.as_ref().is_some_and(|best| best.is_unclear) {
            return None;
        }
        let found = self.best.as_ref().map(|best| best.value.to_value());
        Some(found.unwrap_or(Value::missing(Reason::NoRows)))
    }
}
