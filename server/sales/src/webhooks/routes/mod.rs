//! The routes of webhooks: `/webhooks/…` of senders, and `/admin/webhook-deliveries` and
//! `/admin/webhook-endpoints` of administrators.

mod deliveries;
mod endpoints;
mod requests;
mod senders;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    senders::router().merge(deliveries::router()).merge(endpoints::router())
}
