//! The routes of tax regions and rates.

mod providers;
mod requests;
mod rules;
mod shape;
mod tax_rates;
mod tax_regions;
mod views;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(tax_regions::list_tax_regions, tax_regions::create_tax_region))
        .routes(routes!(
            tax_regions::show_tax_region,
            tax_regions::update_tax_region,
            tax_regions::delete_tax_region
        ))
        .routes(routes!(tax_rates::list_tax_rates, tax_rates::create_tax_rate))
        .routes(routes!(
            tax_rates::show_tax_rate,
            tax_rates::update_tax_rate,
            tax_rates::delete_tax_rate
        ))
        .routes(routes!(providers::list_tax_providers))
        .routes(routes!(rules::create_tax_rate_rule))
        .routes(routes!(rules::delete_tax_rate_rule))
}
