//! A mutex per key, within this process.
//!
//! It saves work and makes concurrent callers wait instead of failing; the database enforces the
//! invariants.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;

/// A mutex per key. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct KeyedMutex {
    keys: Arc<Mutex<BTreeMap<String, Weak<tokio::sync::Mutex<()>>>>>,
}

/// Releases its key when dropped.
#[derive(Debug)]
pub struct KeyedMutexGuard {
    owner: KeyedMutex,
    key: String,
    guard: Option<OwnedMutexGuard<()>>,
}

impl KeyedMutex {
    /// Locks a key, in the order of the calls; returns `None` after `limit`.
    pub async fn lock(&self, key: &str, limit: Duration) -> Option<KeyedMutexGuard> {
        let mutex = self.mutex(key);
        let guard = tokio::time::timeout(limit, mutex.lock_owned()).await.ok()?;
        Some(KeyedMutexGuard { owner: self.clone(), key: key.to_owned(), guard: Some(guard) })
    }

    fn mutex(&self, key: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut keys = self.keys();
        if let Some(mutex) = keys.get(key).and_then(Weak::upgrade) {
            return mutex;
        }
        let mutex = Arc::new(tokio::sync::Mutex::new(()));
        keys.insert(key.to_owned(), Arc::downgrade(&mutex));
        mutex
    }

    fn keys(&self) -> MutexGuard<'_, BTreeMap<String, Weak<tokio::sync::Mutex<()>>>> {
        // No code under this lock can leave the map inconsistent.
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for KeyedMutexGuard {
    fn drop(&mut self) {
        // The guard holds an `Arc` of the key's mutex, so it is dropped before the count is read.
        drop(self.guard.take());
        let mut keys = self.owner.keys();
        if keys.get(&self.key).is_some_and(|mutex| mutex.strong_count() == 0) {
            keys.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    const LOCK_WAIT_LIMIT: Duration = Duration::from_secs(10);

    #[tokio::test]
    async fn requests_of_one_key_run_one_at_a_time_and_nothing_remains_afterwards() {
        let locks = KeyedMutex::default();
        let running = Arc::new(AtomicU32::new(0));
        let tasks: Vec<_> = (0..20)
            .map(|_| {
                let (locks, running) = (locks.clone(), Arc::clone(&running));
                tokio::spawn(async move {
                    let guard = locks.lock("a", LOCK_WAIT_LIMIT).await.unwrap();
                    assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0);
                    tokio::task::yield_now().await;
                    running.fetch_sub(1, Ordering::SeqCst);
                    drop(guard);
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }

        assert!(locks.keys().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn another_key_does_not_wait_and_a_wait_has_a_limit() {
        let locks = KeyedMutex::default();
        let first = locks.lock("a", LOCK_WAIT_LIMIT).await;

        assert!(locks.lock("b", LOCK_WAIT_LIMIT).await.is_some());
        assert!(locks.lock("a", LOCK_WAIT_LIMIT).await.is_none());
        drop(first);
        assert!(locks.lock("a", LOCK_WAIT_LIMIT).await.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn who_comes_third_waits_for_the_second() {
        let locks = KeyedMutex::default();
        let first = locks.lock("a", LOCK_WAIT_LIMIT).await;
        let waiting = tokio::spawn({
            let locks = locks.clone();
            async move { locks.lock("a", LOCK_WAIT_LIMIT).await }
        });
        tokio::task::yield_now().await;
        drop(first);
        let second = waiting.await.unwrap();
        assert!(second.is_some());
        assert!(locks.lock("a", LOCK_WAIT_LIMIT).await.is_none());
    }
}
