//! The routes of payments for admins.

mod payments;
mod refund_reasons;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// Payments, and the reasons of refunds.
pub(super) fn router() -> OpenApiRouter<AppState> {
    payments::router().merge(refund_reasons::router())
}
