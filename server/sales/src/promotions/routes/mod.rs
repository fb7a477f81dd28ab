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
        .routes(routes!(promotions::list_promotions, promotions::create_promotion))
        .routes(routes!(
            promotions::show_promotion,
            promotions::update_promotion,
            promotions::delete_promotion
        ))
        .routes(routes!(rules::list_promotion_rules))
        .routes(routes!(rules::change_promotion_rules))
        .merge(campaigns::router())
}
