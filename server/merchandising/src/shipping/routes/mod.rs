//! The routes of shipping.

mod option_requests;
mod option_rules;
mod option_types;
mod options;
mod profiles;
mod providers;
mod requests;
mod sets;
mod shape;
mod views;
mod zones;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new().merge(profiles()).merge(options()).merge(zones())
}

fn profiles() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(profiles::list_shipping_profiles, profiles::create_shipping_profile))
        .routes(routes!(
            profiles::show_shipping_profile,
            profiles::update_shipping_profile,
            profiles::delete_shipping_profile
        ))
        .routes(routes!(
            option_types::list_shipping_option_types,
            option_types::create_shipping_option_type
        ))
        .routes(routes!(
            option_types::show_shipping_option_type,
            option_types::update_shipping_option_type,
            option_types::delete_shipping_option_type
        ))
}

fn options() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(options::list_shipping_options, options::create_shipping_option))
        .routes(routes!(
            options::show_shipping_option,
            options::update_shipping_option,
            options::delete_shipping_option
        ))
        .routes(routes!(option_rules::change_shipping_option_rules))
}

fn zones() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(sets::create_fulfillment_set))
        .routes(routes!(sets::show_fulfillment_set, sets::delete_fulfillment_set))
        .routes(routes!(providers::list_fulfillment_providers))
        .routes(routes!(zones::create_service_zone))
        .routes(routes!(
            zones::show_service_zone,
            zones::update_service_zone,
            zones::delete_service_zone
        ))
}
