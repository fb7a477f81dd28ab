//! The admin routes of promotions and campaigns.

mod campaigns;
mod promotions;
mod requests;
mod rules;
mod views;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(promotions::router())
        .routes(routes!(rules::list_promotion_rules))
        .routes(routes!(rules::change_promotion_rules))
        .merge(campaigns::router())
}
