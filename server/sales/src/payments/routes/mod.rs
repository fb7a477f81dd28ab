//! The routes of payments and of saved payment methods.

mod methods;
mod payments;
mod refund_reasons;

use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    payments::router().merge(refund_reasons::router()).merge(methods::router())
}
