//! Failures, such as those to log in, counted for a while by a key.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use moka::sync::Cache;

/// Limit: keys in memory; the least used are forgotten first.
const MAX_KEYS: u64 = 100_000;

/// The counts.
#[derive(Debug)]
pub(super) struct Failures(Cache<String, Arc<AtomicU32>>);

impl Failures {
    /// Creates empty counts. A failure counts for `window` from the first one of its key.
    pub(super) fn within(window: Duration) -> Self {
        Self(Cache::builder().max_capacity(MAX_KEYS).time_to_live(window).build())
    }

    pub(super) fn count(&self, key: &str) -> u32 {
        self.0.get(key).map_or(0, |count| count.load(Ordering::Relaxed))
    }

    /// Adds one, and returns how many there were before.
    pub(super) fn add(&self, key: String) -> u32 {
        self.0.get_with(key, Arc::default).fetch_add(1, Ordering::Relaxed)
    }

    /// Takes one back.
    pub(super) fn remove(&self, key: &str) {
        if let Some(count) = self.0.get(key) {
            let less = |count: u32| Some(count.saturating_sub(1));
            let _before = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        }
    }
}
