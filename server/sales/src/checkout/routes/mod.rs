//! The routes of checkout.

mod complete;
mod config;
mod draft_requests;
mod drafts;
mod pay;

use axum::extract::FromRef;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::clock::Clock;
use crate::database::Db;
use crate::payments::Till;
use crate::state::AppState;

/// What these routes take of the state.
#[derive(Debug, Clone)]
pub(super) struct Counter {
    db: Db,
    till: Till,
    clock: Clock,
}

impl FromRef<AppState> for Counter {
    fn from_ref(state: &AppState) -> Self {
        Self {
            db: state.shared.db.clone(),
            till: state.till.clone(),
            clock: state.shared.clock.clone(),
        }
    }
}

/// All of them.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(pay::create_payment_collection))
        .routes(routes!(pay::create_payment_session))
        .routes(routes!(pay::create_subscription_payment_session))
        .routes(routes!(config::show_checkout_config))
        .routes(routes!(complete::complete_cart))
        .routes(routes!(drafts::create_order))
        .routes(routes!(drafts::create_draft_order))
        .routes(routes!(drafts::convert_draft_order))
}
