//! The store of cached answers, bounded by weight.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use moka::notification::RemovalCause;

use super::protocol::Store;
use crate::evaluate::{BucketAnswers, CellKey};
use crate::types::Value;

/// Answers by key in a moka cache, which evicts the least used ones.
pub(super) struct MokaStore {
    cache: moka::sync::Cache<CellKey, BucketAnswers>,
    evictions: Arc<AtomicU64>,
}

/// Bytes of an entry besides its values: two copies of its key, and moka's bookkeeping.
const ENTRY_BYTES: usize = 320;

impl MokaStore {
    pub(super) fn new(capacity_bytes: u64) -> Self {
        let evictions = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&evictions);
        let cache = moka::sync::Cache::builder()
            .max_capacity(capacity_bytes)
            .weigher(|_, row: &BucketAnswers| weight(row))
            .eviction_listener(move |_, _, cause| {
                if cause == RemovalCause::Size {
                    counter.fetch_add(1, Ordering::Relaxed);
                }
            })
            .build();
        Self { cache, evictions }
    }

    pub(super) fn entry_count(&self) -> u64 {
        self.cache.run_pending_tasks();
        self.cache.entry_count()
    }

    pub(super) fn weight_bytes(&self) -> u64 {
        self.cache.run_pending_tasks();
        self.cache.weighted_size()
    }

    pub(super) fn evictions(&self) -> u64 {
        self.evictions.load(Ordering::Relaxed)
    }

    /// Removes all answers. The counts are accurate immediately, unlike after moka's own invalidation.
    pub(super) fn clear(&self) {
        for (key, _) in &self.cache {
            self.cache.invalidate(key.as_ref());
        }
        self.cache.run_pending_tasks();
    }
}

impl Store for MokaStore {
    type Key = CellKey;
    type Result = BucketAnswers;

    fn get(&self, key: &CellKey) -> Option<BucketAnswers> {
        self.cache.get(key)
    }

    fn keep(&self, key: CellKey, row: BucketAnswers) {
        self.cache.insert(key, row);
    }
}

/// Returns the size of an entry in bytes.
fn weight(row: &BucketAnswers) -> u32 {
    let bytes = row.iter().map(bytes_of).fold(ENTRY_BYTES, usize::saturating_add);
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

/// Returns the size of a value in bytes. Lists in answers hold texts, never lists.
fn bytes_of(value: &Value) -> usize {
    let text = |value: &Value| if let Value::Text(text) = value { text.len() } else { 0 };
    let items = if let Value::List(items) = value { &items[..] } else { &[] };
    let items = items.iter().map(|item| size_of::<Value>().saturating_add(text(item)));
    items.fold(size_of::<Value>().saturating_add(text(value)), usize::saturating_add)
}
