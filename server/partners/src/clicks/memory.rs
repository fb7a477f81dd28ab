//! What is kept in memory: the targets of links, and clicks that the database could not accept yet.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Display;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::click::Click;
use super::queries;
use crate::database::Db;
use crate::offers::Offer;

/// Limit: links in memory.
const MAX_LINKS: usize = 10_000;

/// Limit: clicks that are waiting or being written.
const MAX_CLICKS: usize = 10_000;

/// How long a shopper waits for a click to be written.
const WRITE_WAIT: Duration = Duration::from_millis(500);

/// The time between two attempts to write the waiting clicks.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug, Clone)]
pub(super) struct QueuedWrite {
    pub(super) click: Click,
    /// Whether it is stored already, and was repeated.
    pub(super) is_repeated: bool,
}

#[derive(Debug, Default)]
struct State {
    links: BTreeMap<String, Offer>,
    waiting: VecDeque<QueuedWrite>,
    writing_count: usize,
    lost_count: usize,
}

impl State {
    /// Counts a click that is not written.
    fn lose(&mut self, reason: impl Display) {
        self.lost_count = self.lost_count.saturating_add(1);
        tracing::error!(lost = self.lost_count, %reason, "a click of a partner is lost");
    }
}

/// The links and clicks in memory. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Clicks(Arc<Mutex<State>>);

impl Clicks {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers the target of a link, or that it has none.
    pub(super) fn remember(&self, code_key: &str, offer: Option<&Offer>) {
        let mut state = self.state();
        match offer {
            Some(offer) if state.links.len() < MAX_LINKS || state.links.contains_key(code_key) => {
                state.links.insert(code_key.to_owned(), offer.clone());
            }
            Some(_) => {}
            None => drop(state.links.remove(code_key)),
        }
    }

    /// Returns the target of a link when it was last followed.
    pub(super) fn recall(&self, code_key: &str) -> Option<Offer> {
        self.state().links.get(code_key).cloned()
    }

    /// Writes a click. Returns once it is written, or after half a second, while the write continues.
    pub(super) async fn write(&self, db: &Db, click: QueuedWrite) {
        if !self.begin() {
            return;
        }
        let (clicks, db) = (self.clone(), db.clone());
        let writing = tokio::spawn(async move {
            let again = click.clone();
            let written = db.write(move |tx| queries::write(tx, &click)).await;
            let mut state = clicks.state();
            state.writing_count = state.writing_count.saturating_sub(1);
            match written {
                Ok(()) => {}
                Err(error) if error.is_temporary() => {
                    tracing::warn!(%error, "a click of a partner waits in memory");
                    state.waiting.push_back(again);
                }
                Err(error) => state.lose(error),
            }
        });
        drop(tokio::time::timeout(WRITE_WAIT, writing).await);
    }

    /// Reserves a slot for a click. Without a free slot the click is counted as lost.
    fn begin(&self) -> bool {
        let mut state = self.state();
        if state.waiting.len().saturating_add(state.writing_count) >= MAX_CLICKS {
            state.lose("too many clicks are waiting");
            return false;
        }
        state.writing_count = state.writing_count.saturating_add(1);
        true
    }

    /// Writes the waiting clicks, oldest first, until the database refuses. A click that it never accepts is lost, and
    /// does not hold up the others.
    pub async fn drain(&self, db: &Db) {
        loop {
            let Some(next) = self.state().waiting.pop_front() else { return };
            let click = next.clone();
            match db.write(move |tx| queries::write(tx, &click)).await {
                Ok(()) => {}
                Err(error) if error.is_temporary() => {
                    tracing::warn!(%error, "clicks of partners still wait in memory");
                    self.state().waiting.push_front(next);
                    return;
                }
                Err(error) => self.state().lose(error),
            }
        }
    }

    /// Writes the waiting clicks whenever the database can accept them. Never returns.
    pub async fn keep_draining(self, db: Db) {
        loop {
            tokio::time::sleep(PAUSE).await;
            self.drain(&db).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overflowing_clicks_are_dropped_and_counted() {
        let clicks = Clicks::default();
        let taken = (0..MAX_CLICKS).filter(|_| clicks.begin()).count();
        assert_eq!((taken, clicks.state().lost_count), (MAX_CLICKS, 0));
        assert!(!clicks.begin());
        assert_eq!(clicks.state().lost_count, 1);
    }
}
