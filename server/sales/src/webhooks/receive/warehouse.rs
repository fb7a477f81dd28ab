//! The warehouse: it always gets a success response, whatever it sends and whatever happens here, because its sender
//! disables a hook that fails. What cannot be written immediately is kept in memory.

use std::time::Duration;

use super::ParcelReceipt;
use super::ring::QueuedRequest;
use crate::webhooks::intake::Incoming;
use crate::webhooks::state::WebhookState;
use crate::webhooks::vocabulary::{Mode, Receiver};

const RECEIVER: Receiver = Receiver::WarehouseIntegration;

/// Limit: how long the sender waits for the database.
const WRITE_TIME: Duration = Duration::from_secs(1);

/// Limit: bytes of a body that is processed although there is no space: a notice has a few hundred.
const MAX_NOTICE_BYTES: usize = 16 * 1024;

pub(crate) async fn receive(state: WebhookState, mut incoming: Incoming) -> ParcelReceipt {
    let mode = state.inbox.receivers.of(RECEIVER).mode;
    let received_at = state.clock.now();
    if !state.inbox.quota.take(RECEIVER, incoming.body.len(), received_at) {
        incoming.is_cut |= incoming.body.len() > MAX_NOTICE_BYTES;
        incoming.body.truncate(MAX_NOTICE_BYTES);
        let (quota, len) = (&state.inbox.quota, incoming.body.len());
        if mode == Mode::Capture || !quota.take_for_notice(RECEIVER, len, received_at) {
            return ParcelReceipt::new(mode, None);
        }
    }
    let waiting = QueuedRequest { incoming, mode, received_at };
    let kept = waiting.clone();
    let stored = state.db.write(move |tx| kept.store(tx));
    let stored = match tokio::time::timeout(WRITE_TIME, stored).await {
        Ok(Ok(stored)) => Some(stored),
        Ok(Err(error)) => {
            tracing::warn!(%error, "a webhook of the warehouse waits in memory");
            state.inbox.ring.push(waiting);
            None
        }
        // It may be written nevertheless; written twice, it is a repetition.
        Err(_elapsed) => {
            state.inbox.ring.push(waiting);
            None
        }
    };
    ParcelReceipt::new(mode, stored.as_ref())
}
