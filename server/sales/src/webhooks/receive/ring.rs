//! Requests of the warehouse that the database could not accept yet, in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use quotient_foundation::digest::sha256_hex;
use serde_json::json;

use super::keep;
use crate::clock::Timestamp;
use crate::database::{self, Db, Tx};
use crate::events;
use crate::webhooks::error::WebhookError;
use crate::webhooks::intake::{Facts, Incoming, Stored};
use crate::webhooks::vocabulary::{Mode, Receiver, Signature};

/// Limit: bytes of waiting bodies.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Limit: requests that wait.
const MAX_LEN: usize = 10_000;

/// The time between two attempts to write the waiting requests.
const PAUSE: Duration = Duration::from_secs(1);

/// A request that waits to be written.
#[derive(Debug, Clone)]
pub(crate) struct QueuedRequest {
    pub(crate) incoming: Incoming,
    pub(crate) mode: Mode,
    pub(crate) received_at: Timestamp,
}

impl QueuedRequest {
    /// Stores the request with its time of arrival, and handles it.
    pub(super) fn store(&self, tx: &Tx<'_>) -> Result<Stored, WebhookError> {
        let Self { incoming, mode, received_at } = self;
        let facts = Facts {
            receiver: Receiver::WarehouseIntegration,
            mode: *mode,
            signature: Signature::Absent,
            external_id: sha256_hex(&incoming.body),
            event: Some("order_update".to_owned()),
        };
        keep(&tx.at(*received_at), incoming, facts)
    }
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<QueuedRequest>,
    bytes: usize,
    lost_count: usize,
}

/// The waiting requests. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Ring(Arc<Mutex<State>>);

impl Ring {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a request; without space for it, it is lost and counted.
    pub(super) fn push(&self, waiting: QueuedRequest) {
        let mut state = self.state();
        let bytes = state.bytes.saturating_add(waiting.incoming.body.len());
        if bytes > MAX_BYTES || state.waiting.len() >= MAX_LEN {
            state.lost_count = state.lost_count.saturating_add(1);
            tracing::error!(lost = state.lost_count, "a webhook of the warehouse is lost");
            return;
        }
        state.bytes = bytes;
        state.waiting.push_back(waiting);
    }

    /// Returns the number of waiting requests.
    pub fn waiting_count(&self) -> usize {
        self.state().waiting.len()
    }

    fn pop(&self) -> Option<QueuedRequest> {
        let mut state = self.state();
        let next = state.waiting.pop_front()?;
        state.bytes = state.bytes.saturating_sub(next.incoming.body.len());
        Some(next)
    }

    fn put_back(&self, waiting: QueuedRequest) {
        let mut state = self.state();
        state.bytes = state.bytes.saturating_add(waiting.incoming.body.len());
        state.waiting.push_front(waiting);
    }

    /// Writes the waiting requests, oldest first, until the database refuses.
    pub async fn drain(&self, db: &Db) {
        while let Some(next) = self.pop() {
            let waiting = next.clone();
            if let Err(error) = db.write(move |tx| waiting.store(tx)).await {
                tracing::warn!(%error, "webhooks of the warehouse still wait in memory");
                self.put_back(next);
                return;
            }
        }
        let lost_count = self.state().lost_count;
        if lost_count > 0 && db.write(move |tx| tell_lost(tx, lost_count)).await.is_ok() {
            let mut state = self.state();
            state.lost_count = state.lost_count.saturating_sub(lost_count);
        }
    }

    /// Writes the waiting requests once the database can accept them. Never returns.
    pub async fn keep_draining(self, db: Db) {
        loop {
            tokio::time::sleep(PAUSE).await;
            let is_empty = self.waiting_count() == 0 && self.state().lost_count == 0;
            if !is_empty {
                self.drain(&db).await;
            }
        }
    }
}

/// Records that deliveries were lost, because the database could not be written for too long.
fn tell_lost(tx: &Tx<'_>, count: usize) -> Result<(), database::Error> {
    events::record(tx, "alert.webhooks_lost", &json!({ "count": count }))
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;
    use axum::http::HeaderMap;

    use super::*;

    fn waiting(bytes: usize) -> QueuedRequest {
        let body = Bytes::from(vec![b'x'; bytes]);
        let incoming = Incoming { headers: HeaderMap::new(), body, is_cut: false };
        QueuedRequest { incoming, mode: Mode::Capture, received_at: Timestamp::from_millis(0) }
    }

    #[test]
    fn overflowing_events_are_dropped_and_counted_and_room_becomes_free() {
        let ring = Ring::default();
        ring.push(waiting(MAX_BYTES));
        ring.push(waiting(1));
        assert_eq!((ring.waiting_count(), ring.state().lost_count), (1, 1));

        assert!(ring.pop().is_some());
        ring.push(waiting(1));
        assert_eq!((ring.waiting_count(), ring.state().bytes), (1, 1));
    }
}
