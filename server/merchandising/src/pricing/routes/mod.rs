//! The routes of price lists, price preferences and unit costs.

mod costs;
mod lists;
pub mod requests;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::preference::{CreatePreferenceRequest, PricePreference, UpdatePreferenceRequest};
use crate::database::Table;
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .merge(lists::admin())
        .merge(preferences())
        .routes(routes!(costs::list_costs, costs::create_cost))
}

fn preferences() -> OpenApiRouter<AppState> {
    AdminRoutes::<PricePreference, _>::at("/admin/price-preferences", "Admin price lists")
        .list()
        .create(CreatePreferenceRequest::create)
        .taken("There is one for this value")
        .show()
        .update(UpdatePreferenceRequest::update)
        .delete(PricePreference::remove)
        .note("Prices do not include tax then.")
        .router()
}
