//! The outcome of a delivery.

use serde_json::{Map, Value};

/// What a delivery does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    /// It has changed these.
    Done(Map<String, Value>),
    /// Passed to a subscriber, which will end it.
    Announced,
    /// It has no effect; the reason.
    Skipped(String),
    /// Its subject does not exist yet.
    Waits(String),
}

impl Effect {
    /// Returns an effect with these changes; null members are left out.
    pub(super) fn done<const N: usize>(changed: [(&str, Value); N]) -> Self {
        let changed = changed.into_iter().filter(|(_, value)| !value.is_null());
        Self::Done(changed.map(|(name, value)| (name.to_owned(), value)).collect())
    }
}
