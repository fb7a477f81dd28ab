//! The routes of price lists, price preferences and unit costs.

mod costs;
mod lists;
mod preferences;
pub mod requests;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .merge(lists::admin())
        .merge(preferences::admin())
        .routes(routes!(costs::list_costs, costs::create_cost))
}
