//! The state of this crate's routes.

use axum::extract::FromRef;
use quotient_foundation::parts;
use quotient_foundation::state::Shared;
use quotient_foundation::webhooks::Sender;

use crate::clock::Clock;
use crate::database::Db;
use crate::payments::PaymentGateway;
use crate::webhooks::{Inbox, Quota, Receivers, Ring};

/// The shared state and the payment providers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AppState {
    pub shared: Shared,
    /// The payment providers and the per-key locks.
    pub gateway: PaymentGateway,
    /// The webhook state kept between requests.
    pub inbox: Inbox,
}

impl AppState {
    pub fn new(shared: Shared) -> Self {
        let gateway = PaymentGateway::of(&shared.settings.payments);
        let inbox = Inbox {
            receivers: Receivers::new(&shared.settings.webhooks),
            ring: Ring::default(),
            quota: Quota::default(),
            sender: Sender::new(shared.settings.alerts.webhook_private_targets),
        };
        Self { shared, gateway, inbox }
    }
}

parts!(AppState with shared: gateway: PaymentGateway);

/// The state of routes that use the payment gateway.
#[derive(Debug, Clone)]
pub(crate) struct PaymentState {
    pub(crate) db: Db,
    pub(crate) gateway: PaymentGateway,
    pub(crate) clock: Clock,
}

impl FromRef<AppState> for PaymentState {
    fn from_ref(state: &AppState) -> Self {
        Self {
            db: Db::from_ref(state),
            gateway: state.gateway.clone(),
            clock: Clock::from_ref(state),
        }
    }
}
