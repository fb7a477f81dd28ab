//! The routes of checkout.

mod complete;
mod confirm;
mod drafts;
mod pay;
mod sessions;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(pay::create_payment_collection))
        .routes(routes!(pay::create_payment_session))
        .routes(routes!(pay::create_subscription_payment_session))
        .routes(routes!(confirm::confirm_with_token))
        .routes(routes!(confirm::update_payment_amount))
        .routes(routes!(sessions::list_payment_sessions, sessions::delete_payment_sessions))
        .routes(routes!(complete::complete_cart))
        .routes(routes!(complete::subscribe_cart))
        .routes(routes!(drafts::create_order))
        .routes(routes!(drafts::create_draft_order))
        .routes(routes!(drafts::convert_draft_order))
}
