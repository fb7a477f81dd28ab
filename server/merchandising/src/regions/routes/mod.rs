//! The routes of regions, sales channels, currencies and the store.

mod channel_products;
mod currencies;
mod regions;
mod requests;
mod sales_channels;
mod shape;
mod store_regions;
mod stores;
mod views;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new().merge(places()).merge(channels())
}

fn places() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(store_regions::list_store_regions))
        .routes(routes!(store_regions::show_store_region))
        .routes(routes!(store_regions::list_store_payment_providers))
        .routes(routes!(currencies::list_store_currencies))
        .routes(routes!(currencies::show_store_currency))
        .routes(routes!(currencies::list_currencies))
        .routes(routes!(currencies::show_currency))
        .routes(routes!(regions::list_regions, regions::create_region))
        .routes(routes!(regions::show_region, regions::update_region, regions::delete_region))
}

fn channels() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .routes(routes!(sales_channels::list_sales_channels, sales_channels::create_sales_channel))
        .routes(routes!(
            sales_channels::show_sales_channel,
            sales_channels::update_sales_channel,
            sales_channels::delete_sales_channel
        ))
        .routes(routes!(channel_products::change_sales_channel_products))
        .routes(routes!(stores::list_stores))
        .routes(routes!(stores::show_store, stores::update_store))
}
