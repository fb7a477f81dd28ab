//! The routes of tax regions and rates.

mod requests;

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::rows::{TaxRateView, TaxRegionRow, TaxRegionView};
use super::{SYSTEM_PROVIDER, TaxError, queries};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::{Db, Table};
use crate::http::{Answer, Fields, HttpError, Json, PartDeleted, Path, ToSchema};
use crate::ids::TaxRateId;
use crate::resource::{AdminRoutes, View};
use crate::state::AppState;
use requests::{
    CreateTaxRateRequest, CreateTaxRegionRequest, TaxRateRuleRequest, UpdateTaxRateRequest,
    UpdateTaxRegionRequest,
};

pub fn router() -> OpenApiRouter<AppState> {
    let regions = AdminRoutes::<TaxRegionView, _>::at("/admin/tax-regions", "Admin taxes")
        .list()
        .create(CreateTaxRegionRequest::create)
        .taken("The place has a tax region")
        .show()
        .update(UpdateTaxRegionRequest::update)
        .delete(TaxRegionRow::remove)
        .note("Its rates go with it, and so do the regions of its provinces.");
    let rates = AdminRoutes::<TaxRateView, _>::at("/admin/tax-rates", "Admin taxes")
        .list()
        .create(CreateTaxRateRequest::create)
        .show()
        .update(UpdateTaxRateRequest::update)
        .delete(TaxRateView::remove)
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
        .routes(routes!(list_tax_providers))
        .routes(routes!(delete_tax_rate_rule))
}

/// All tax providers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "tax_providers": [{ "id": "tp_system", "is_enabled": true }], "count": 1, "offset": 0, "limit": 1,
}))]
struct TaxProviderListResponse {
    tax_providers: Vec<TaxProviderView>,
    count: usize,
    /// Always 0: there is only one page.
    offset: usize,
    /// Always the number of providers.
    limit: usize,
}

/// A tax provider.
#[derive(Debug, Serialize, ToSchema)]
struct TaxProviderView {
    #[schema(example = "tp_system")]
    id: &'static str,
    /// Always true: only available providers are listed.
    is_enabled: bool,
}

/// Lists the tax providers: the store's own tables, `tp_system`.
#[crate::http::operation(get, path = "/admin/tax-providers", tag = "Admin taxes",
    responses((status = 200, description = "The providers", body = TaxProviderListResponse)))]
async fn list_tax_providers(_admin: AdminReader) -> Json<TaxProviderListResponse> {
    let tax_providers = vec![TaxProviderView { id: SYSTEM_PROVIDER, is_enabled: true }];
    let count = tax_providers.len();
    Json(TaxProviderListResponse { tax_providers, count, offset: 0, limit: count })
}

type TaxRateRuleDeletedResponse = PartDeleted<TaxRateView>;

/// Removes a resource from a rate. The id of the rule is that of the resource.
#[crate::http::operation(delete, path = "/admin/tax-rates/{id}/rules/{rule_id}", tag = "Admin taxes",
    params(("id" = TaxRateId, Path), ("rule_id" = String, Path), Fields<TaxRateView>),
    responses((status = 200, description = "Deleted", body = TaxRateRuleDeletedResponse)))]
async fn delete_tax_rate_rule(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path((id, rule_id)): Path<(TaxRateId, String)>,
    fields: Fields<TaxRateView>,
) -> Result<Answer, HttpError> {
    fields
        .delete_part(db, "tax_rate_rule", move |tx, selection| {
            TaxRateView::require::<TaxError>(tx, &id)?;
            if !queries::remove_rule(tx, &id, &rule_id)? {
                return Err(TaxError::not_found("Tax rate rule", &rule_id));
            }
            Ok((rule_id, TaxRateView::show(tx, &id, selection)?))
        })
        .await
}
