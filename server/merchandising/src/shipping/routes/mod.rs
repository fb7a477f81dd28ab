//! The routes of shipping.

mod option_requests;
mod option_rules;
mod providers;
mod requests;
mod sets;
mod views;
mod zones;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::database::Table;
use crate::resource::AdminRoutes;
use crate::shipping::changes;
use crate::shipping::model::{ShippingOption, ShippingOptionType, ShippingProfile};
use crate::state::AppState;
use option_requests::{CreateShippingOptionRequest, UpdateShippingOptionRequest};
use requests::{
    CreateShippingOptionTypeRequest, CreateShippingProfileRequest, UpdateShippingOptionTypeRequest,
    UpdateShippingProfileRequest,
};

pub fn router() -> OpenApiRouter<AppState> {
    let profiles =
        AdminRoutes::<ShippingProfile, _>::at("/admin/shipping-profiles", "Admin shipping")
            .list()
            .create(CreateShippingProfileRequest::create)
            .show()
            .update(UpdateShippingProfileRequest::update)
            .delete(changes::delete_profile)
            .note("One that products or options have stays.");
    let types =
        AdminRoutes::<ShippingOptionType, _>::at("/admin/shipping-option-types", "Admin shipping")
            .list()
            .create(CreateShippingOptionTypeRequest::create)
            .show()
            .update(UpdateShippingOptionTypeRequest::update)
            .delete(changes::delete_type)
            .note("One that options have stays.");
    let options = AdminRoutes::<ShippingOption, _>::at("/admin/shipping-options", "Admin shipping")
        .list()
        .create(CreateShippingOptionRequest::create)
        .show()
        .update(UpdateShippingOptionRequest::update)
        .delete(ShippingOption::remove)
        .note("Carts that have chosen it keep their method.");
    OpenApiRouter::<AppState>::new()
        .merge(profiles.router())
        .merge(types.router())
        .merge(options.router())
        .routes(routes!(option_rules::change_shipping_option_rules))
        .merge(zones())
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
