//! The admin routes of payments.

mod payments;
mod refund_reasons;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

/// The routes of payments and refund reasons.
pub(super) fn router() -> OpenApiRouter<AppState> {
    payments::router().merge(refund_reasons::router())
}
