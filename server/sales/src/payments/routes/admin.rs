//! The routes of payments for admins.

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{admin_payments, admin_refund_reasons};
use crate::state::AppState;

/// Payments, and the reasons of refunds.
pub(in crate::payments) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(admin_payments::list_payments))
        .routes(routes!(admin_payments::list_admin_payment_providers))
        .routes(routes!(admin_payments::show_payment))
        .merge(admin_refund_reasons::router())
}
