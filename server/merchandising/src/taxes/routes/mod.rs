//! The routes of tax regions and rates.

mod providers;
mod requests;
mod rules;
mod views;

use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use crate::database::Table;
use crate::resource::AdminRoutes;
use crate::state::AppState;
use crate::taxes::rows::{TaxRateRow, TaxRegionRow};
use requests::{
    CreateTaxRateRequest, CreateTaxRegionRequest, TaxRateRuleRequest, UpdateTaxRateRequest,
    UpdateTaxRegionRequest,
};
use views::{TaxRateView, TaxRegionView};

pub fn router() -> OpenApiRouter<AppState> {
    let regions = AdminRoutes::<TaxRegionView, _>::at("/admin/tax-regions", "Admin taxes")
        .list()
        .create(CreateTaxRegionRequest::create)
        .show()
        .update(UpdateTaxRegionRequest::update)
        .delete(TaxRegionRow::remove)
        .note("Its rates go with it, and so do the regions of its provinces.");
    let rates = AdminRoutes::<TaxRateView, _>::at("/admin/tax-rates", "Admin taxes")
        .list()
        .create(CreateTaxRateRequest::create)
        .show()
        .update(UpdateTaxRateRequest::update)
        .delete(TaxRateRow::remove)
        .update_part(
            "/rules",
            "create_tax_rate_rule",
            "Add a resource to a rate",
            TaxRateRuleRequest::add,
        )
        .note("A rate with rules applies to nothing else, unless it is the default.");
    regions
        .router()
        .merge(rates.router())
        .routes(routes!(providers::list_tax_providers))
        .routes(routes!(rules::delete_tax_rate_rule))
}
