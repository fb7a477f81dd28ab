//! The routes for shoppers: `/flow-builder` for pages without credentials, `/store/flow-builder` for
//! storefronts.

mod origins;
mod public;
mod requests;
mod store;
mod visitor;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    let routes = OpenApiRouter::new()
        .routes(routes!(public::begin_flow))
        .routes(routes!(public::accept_button))
        .routes(routes!(public::decline_button))
        .routes(routes!(public::show_button))
        .routes(routes!(public::show_flow_receipt))
        .routes(routes!(public::show_upsell))
        .routes(routes!(store::begin_store_flow))
        .routes(routes!(store::begin_flow_with_order))
        .routes(routes!(store::accept_store_button))
        .routes(routes!(store::decline_store_button))
        .routes(routes!(store::show_store_button))
        .routes(routes!(store::show_store_receipt));
    origins::preflights().fold(routes, |routes, (path, answer)| routes.route(path, answer))
}
