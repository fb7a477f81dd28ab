//! The first or the last value in time.

use serde::{Deserialize, Serialize};

use super::super::part::Part;
use super::Undone;
use crate::types::{Reason, Value};

/// The first or the last value that is not null, with its instant and the key of its row, which
/// decides among values of one instant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    best: Option<Placed>,
    count: u64,
}

/// A value with its place in time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Placed {
    at: i64,
    key: Part,
    value: Part,
    /// Another row of this instant and key has another value.
    is_unclear: bool,
}

impl Edge {
    /// Adds the value of a row at an instant, in microseconds; nulls are skipped. `last` is the
    /// same for the life of a state.
    pub fn fold(&mut self, value: &Value, (at, key): (i64, &Part), last: bool) {
        if !value.is_missing() {
            self.merge(&Self::one(value, at, key), last);
        }
    }

    /// Takes the value of a row out again.
    pub fn undo(&mut self, value: &Value, (at, key): (i64, &Part), last: bool) -> Undone {
        if value.is_missing() {
            return Undone::Exactly;
        }
        self.take_out(&Self::one(value, at, key), last)
    }

    fn one(value: &Value, at: i64, key: &Part) -> Self {
        let value = Part::of(value);
        Self { best: Some(Placed { at, key: key.clone(), value, is_unclear: false }), count: 1 }
    }

    /// Adds everything of another.
    pub fn merge(&mut self, other: &Self, last: bool) {
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

    /// Takes everything of another out.
    pub fn take_out(&mut self, other: &Self, last: bool) -> Undone {
        if other.count == 0 {
            return Undone::Exactly;
        }
        let order = self.order(other);
        let behind = if last { order.is_lt() } else { order.is_gt() };
        if behind && other.count < self.count {
            self.count = self.count.saturating_sub(other.count);
            return Undone::Exactly;
        }
        if order.is_eq() && self.count == other.count && self.best.is_some() {
            *self = Self::default();
            return Undone::Exactly;
        }
        Undone::Rebuild
    }

    /// Where the other's place lies from here.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let place = |edge: &Self| edge.best.as_ref().map(|best| (best.at, best.key.clone()));
        match (place(self), place(other)) {
            (Some(own), Some(other)) => other.cmp(&own),
            _ => std::cmp::Ordering::Equal,
        }
    }

    /// Whether nothing is in it.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The value as an answer. `None` where rows could not be told apart.
    pub fn finish(&self) -> Option<Value> {
        if self.best.as_ref().is_some_and(|best| best.is_unclear) {
            return None;
        }
        let found = self.best.as_ref().map(|best| best.value.to_value());
        Some(found.unwrap_or(Value::missing(Reason::NoRows)))
    }
}
