//! The routes of shipping.

mod option_rules;
mod requests;
mod views;
mod zones;

use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::model::{OfferProvider, ShippingOption, ShippingOptionType, ShippingProfile};
use super::{PROVIDERS, changes};
use crate::auth::AdminReader;
use crate::database::Table;
use crate::http::{Json, ToSchema};
use crate::resource::AdminRoutes;
use crate::state::AppState;
use requests::{
    CreateShippingOptionRequest, CreateShippingOptionTypeRequest, CreateShippingProfileRequest,
    UpdateShippingOptionRequest, UpdateShippingOptionTypeRequest, UpdateShippingProfileRequest,
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
        .routes(routes!(zones::create_fulfillment_set))
        .routes(routes!(zones::show_fulfillment_set, zones::delete_fulfillment_set))
        .routes(routes!(list_fulfillment_providers))
        .routes(routes!(zones::create_service_zone))
        .routes(routes!(
            zones::show_service_zone,
            zones::update_service_zone,
            zones::delete_service_zone
        ))
}

/// All fulfillment providers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "fulfillment_providers": [{ "id": "manual_manual", "is_enabled": true }], "count": 1, "offset": 0, "limit": 1,
}))]
struct FulfillmentProviderListResponse {
    fulfillment_providers: Vec<OfferProvider>,
    count: usize,
    /// Always 0: there is only one page.
    offset: usize,
    /// Always the number of providers.
    limit: usize,
}

/// Lists the fulfillment providers. `manual_manual` is the store's own staff: they pack and hand over parcels and
/// record it with the admin routes. It calculates no prices, so its shipping options have the price type `flat`.
#[crate::http::operation(get, path = "/admin/fulfillment-providers", tag = "Admin shipping",
    responses((status = 200, description = "The providers", body = FulfillmentProviderListResponse)))]
async fn list_fulfillment_providers(_admin: AdminReader) -> Json<FulfillmentProviderListResponse> {
    let fulfillment_providers: Vec<_> = PROVIDERS.iter().map(|id| OfferProvider::new(id)).collect();
    let count = fulfillment_providers.len();
    Json(FulfillmentProviderListResponse { fulfillment_providers, count, offset: 0, limit: count })
}
