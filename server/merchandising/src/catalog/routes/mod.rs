//! The routes of the catalog.

mod categories;
mod collections;
mod options;
mod products;
mod store_products;
mod tags;
mod variants;

pub use store_products::PriceContextQuery;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::http::HttpError;
use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .merge(store())
        .merge(collections::store())
        .merge(tags::store())
        .merge(products::admin())
        .merge(variants())
        .merge(options::admin())
        .merge(categories::admin())
        .merge(collections::admin())
        .merge(tags::admin())
}

fn store() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(store_products::list_store_products))
        .routes(routes!(store_products::show_store_product))
        .merge(categories::store())
}

fn variants() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(variants::list_all_variants))
        .routes(routes!(variants::list_variants))
        .routes(routes!(variants::batch_variants))
        .routes(routes!(variants::show_variant, variants::update_variant, variants::delete_variant))
}

/// Returns the 400 for an invalid value of a query key.
fn invalid(name: &'static str) -> HttpError {
    let sentence = format!("Value for field '{name}' is not valid");
    HttpError::invalid_data(format!("Invalid request: {sentence}")).with_details(name, sentence)
}
