//! The routes of the catalog.

mod categories;
mod collections;
mod options;
mod product_options;
mod product_requests;
mod products;
mod responses;
mod shape;
mod store_products;
mod tags;
mod variant_requests;
mod variants;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

/// Products and what they are sorted by, for shoppers and for admins.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .merge(store())
        .merge(collections::store())
        .merge(tags::store())
        .merge(admin_products())
        .merge(admin_variants())
        .merge(admin_options())
        .merge(admin_categories())
        .merge(collections::admin())
        .merge(tags::admin())
}

fn store() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(store_products::list_store_products))
        .routes(routes!(store_products::show_store_product))
        .routes(routes!(categories::list_store_categories))
        .routes(routes!(categories::show_store_category))
}

fn admin_products() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(products::list_products, products::create_admin_product))
        .routes(routes!(products::batch_products))
        .routes(routes!(products::show_product, products::update_product, products::delete_product))
}

fn admin_variants() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(variants::list_all_variants))
        .routes(routes!(variants::list_variants, variants::create_variant))
        .routes(routes!(variants::batch_variants))
        .routes(routes!(variants::show_variant, variants::update_variant, variants::delete_variant))
}

fn admin_options() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(options::list_options, options::create_option))
        .routes(routes!(options::show_option, options::update_option, options::delete_option))
        .routes(routes!(
            product_options::list_product_options,
            product_options::create_product_option
        ))
        .routes(routes!(
            product_options::show_product_option,
            product_options::update_product_option,
            product_options::delete_product_option
        ))
}

fn admin_categories() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(categories::list_categories, categories::create_category))
        .routes(routes!(
            categories::show_category,
            categories::update_category,
            categories::delete_category
        ))
        .routes(routes!(categories::change_category_products))
}
