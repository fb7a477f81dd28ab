//! The state of this crate's routes.

use axum::extract::FromRef;
use quotient_foundation::parts;
use quotient_foundation::state::Shared;

use crate::clock::Clock;
use crate::database::Db;
use crate::payments::PaymentGateway;

/// The shared state and the payment providers. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AppState {
    /// The state that all routes share.
    pub shared: Shared,
    /// The payment providers and the per-key locks.
    pub gateway: PaymentGateway,
}

impl AppState {
    /// Creates the state from the shared one.
    pub fn new(shared: Shared) -> Self {
        let gateway = PaymentGateway::of(&shared.settings.payments);
        Self { shared, gateway }
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
