//! The routes of regions, sales channels, currencies and the store.

mod currencies;
mod payment_providers;
mod regions;
mod sales_channels;
mod stores;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::<AppState>::new()
        .merge(regions::store())
        .routes(routes!(payment_providers::list_store_payment_providers))
        .routes(routes!(currencies::list_store_currencies))
        .routes(routes!(currencies::show_store_currency))
        .routes(routes!(currencies::list_currencies))
        .routes(routes!(currencies::show_currency))
        .merge(regions::admin())
        .merge(sales_channels::admin())
        .merge(stores::admin())
}
