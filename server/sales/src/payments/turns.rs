//! Turns: one at a time for each key, within this process.
//!
//! Turns only spare work and keep callers waiting instead of failing; what must hold is held by the database.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;

/// Who waits for which key. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Turns {
    keys: Arc<Mutex<BTreeMap<String, Weak<tokio::sync::Mutex<()>>>>>,
}

/// A turn; it ends when this is dropped.
#[derive(Debug)]
pub struct Turn {
    turns: Turns,
    key: String,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Turns {
    /// Waits for the turn of a key, in the order of asking; none if it takes longer than `patience`.
    pub async fn take(&self, key: &str, patience: Duration) -> Option<Turn> {
        let waiting = self.waiting(key);
        let guard = tokio::time::timeout(patience, waiting.lock_owned()).await.ok()?;
        Some(Turn { turns: self.clone(), key: key.to_owned(), guard: Some(guard) })
    }

    fn waiting(&self, key: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut keys = self.keys();
        if let Some(waiting) = keys.get(key).and_then(Weak::upgrade) {
            return waiting;
        }
        let waiting = Arc::new(tokio::sync::Mutex::new(()));
        keys.insert(key.to_owned(), Arc::downgrade(&waiting));
        waiting
    }

    fn keys(&self) -> MutexGuard<'_, BTreeMap<String, Weak<tokio::sync::Mutex<()>>>> {
        // Nothing is done under this lock that could leave the map in between.
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // The guard goes first: it holds the last of those who still count.
        drop(self.guard.take());
        let mut keys = self.turns.keys();
        if keys.get(&self.key).is_some_and(|waiting| waiting.strong_count() == 0) {
            keys.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    #[tokio::test]
    async fn of_one_key_one_runs_at_a_time_and_nothing_is_kept_afterwards() {
        let turns = Turns::default();
        let running = Arc::new(AtomicU32::new(0));
        let tasks: Vec<_> = (0..20)
            .map(|_| {
                let (turns, running) = (turns.clone(), Arc::clone(&running));
                tokio::spawn(async move {
                    let turn = turns.take("a", PATIENCE).await.unwrap();
                    assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0);
                    tokio::task::yield_now().await;
                    running.fetch_sub(1, Ordering::SeqCst);
                    drop(turn);
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }

        assert!(turns.keys().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn another_key_does_not_wait_and_patience_has_an_end() {
        let turns = Turns::default();
        let first = turns.take("a", PATIENCE).await;

        assert!(turns.take("b", PATIENCE).await.is_some());
        assert!(turns.take("a", PATIENCE).await.is_none());
        drop(first);
        assert!(turns.take("a", PATIENCE).await.is_some());
    }
}
