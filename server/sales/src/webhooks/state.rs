//! The state of the routes of webhooks.

use axum::extract::FromRef;
use quotient_foundation::webhooks::Sender;

use super::receive::quota::Quota;
use super::receive::ring::Ring;
use super::receivers::Receivers;
use crate::clock::Clock;
use crate::database::Db;
use crate::payments::PaymentGateway;
use crate::state::AppState;

/// The state of the webhook routes between requests. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Inbox {
    /// The senders of the settings.
    pub receivers: Receivers,
    /// What could not be written yet.
    pub ring: Ring,
    /// The space used by unsigned deliveries.
    pub quota: Quota,
    /// The client that calls endpoints.
    pub sender: Sender,
}

/// The state of the routes of webhooks.
#[derive(Debug, Clone)]
pub(super) struct WebhookState {
    pub(super) db: Db,
    pub(super) clock: Clock,
    pub(super) gateway: PaymentGateway,
    pub(super) inbox: Inbox,
}

impl FromRef<AppState> for WebhookState {
    fn from_ref(state: &AppState) -> Self {
        Self {
            db: Db::from_ref(state),
            clock: Clock::from_ref(state),
            gateway: state.gateway.clone(),
            inbox: state.inbox.clone(),
        }
    }
}
