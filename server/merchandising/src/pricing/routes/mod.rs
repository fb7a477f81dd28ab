//! The routes of price lists, price preferences and unit costs.

mod costs;
mod lists;
mod preferences;
pub mod requests;
mod shape;
mod views;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

/// Price lists, price preferences and unit costs.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(lists::list_price_lists, lists::create_price_list))
        .routes(routes!(lists::show_price_list, lists::update_price_list, lists::delete_price_list))
        .routes(routes!(lists::batch_list_prices))
        .routes(routes!(preferences::list_price_preferences, preferences::create_price_preference))
        .routes(routes!(
            preferences::show_price_preference,
            preferences::update_price_preference,
            preferences::delete_price_preference
        ))
        .routes(routes!(costs::list_costs, costs::create_cost))
}
