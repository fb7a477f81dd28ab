//! Counts per key that expire after a time, such as failed log-ins.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use moka::sync::Cache;

use crate::http::HttpError;

/// Limit: keys in memory; the least recently used are dropped first.
const MAX_KEYS: u64 = 100_000;

/// The counts. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Counts {
    by_key: Cache<String, Arc<AtomicU32>>,
    window: Duration,
}

impl Counts {
    /// Creates empty counts. Each begins with the first entry of its key and expires after
    /// `window`.
    pub fn within(window: Duration) -> Self {
        let by_key = Cache::builder().max_capacity(MAX_KEYS).time_to_live(window).build();
        Self { by_key, window }
    }

    pub(super) fn count(&self, key: &str) -> u32 {
        self.by_key.get(key).map_or(0, |count| count.load(Ordering::Relaxed))
    }

    /// Adds one, unless that would exceed a limit.
    ///
    /// # Errors
    /// 429 if the limit is reached.
    pub fn admit(&self, key: &str, limit: u32) -> Result<(), HttpError> {
        let count = self.by_key.get_with(key.to_owned(), Arc::default);
        let more = |count: u32| count.checked_add(1).filter(|more| *more <= limit);
        match count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) {
            Ok(_before) => Ok(()),
            Err(_reached) => Err(HttpError::rate_limited(self.window.as_secs())),
        }
    }

    /// Subtracts one.
    pub fn remove(&self, key: &str) {
        if let Some(count) = self.by_key.get(key) {
            let less = |count: u32| Some(count.saturating_sub(1));
            let _before = count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        }
    }
}
