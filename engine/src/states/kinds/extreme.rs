//! The least or the largest value.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::super::part::Part;
use super::Undone;
use crate::types::{Reason, Value};

/// The least or the largest of some values, and how many they are.
///
/// A value that is not the extreme one can be taken out; for the extreme one the rows must say
/// which comes next.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extreme {
    best: Option<Part>,
    count: u64,
    /// A null that blocks came in.
    lost: bool,
}

impl Extreme {
    /// Adds a value; most nulls are skipped. `largest` is the same for the life of a state.
    pub fn fold(&mut self, value: &Value, largest: bool) {
        match value {
            Value::Missing(missing) => {
                self.lost |= super::tally::blocking(missing.reason).is_some();
            }
            value => {
                self.merge(&Self { best: Some(Part::of(value)), count: 1, lost: false }, largest);
            }
        }
    }

    /// Takes a value out again.
    pub fn undo(&mut self, value: &Value, largest: bool) -> Undone {
        match value {
            Value::Missing(missing) if super::tally::blocking(missing.reason).is_none() => {
                Undone::Exactly
            }
            Value::Missing(_) => Undone::Rebuild,
            value => {
                let one = Self { best: Some(Part::of(value)), count: 1, lost: false };
                self.take_out(&one, largest)
            }
        }
    }

    /// Adds everything of another.
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

    /// Takes everything of another out.
    pub fn take_out(&mut self, other: &Self, largest: bool) -> Undone {
        if other.lost || self.lost {
            return Undone::Rebuild;
        }
        let (Some(own), Some(best)) = (&self.best, &other.best) else {
            return if other.count == 0 { Undone::Exactly } else { Undone::Rebuild };
        };
        match own.cmp(best) {
            order if order == towards(largest) && other.count < self.count => {
                self.count = self.count.saturating_sub(other.count);
                Undone::Exactly
            }
            Ordering::Equal if other.count == self.count => {
                *self = Self::default();
                Undone::Exactly
            }
            _ => Undone::Rebuild,
        }
    }

    /// Whether nothing is in it.
    pub const fn is_empty(&self) -> bool {
        self.count == 0 && !self.lost
    }

    /// The extreme value as an answer. `None` where a null decides that the state does not keep.
    pub fn finish(&self) -> Option<Value> {
        if self.lost {
            return None;
        }
        Some(self.best.as_ref().map_or(Value::missing(Reason::NoRows), Part::to_value))
    }
}

const fn towards(largest: bool) -> Ordering {
    if largest { Ordering::Greater } else { Ordering::Less }
}
