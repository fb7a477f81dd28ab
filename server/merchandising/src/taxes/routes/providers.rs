//! The route of tax providers.

use serde::Serialize;

use crate::auth::AdminReader;
use crate::http::{Json, ToSchema};
use crate::taxes::SYSTEM_PROVIDER;

/// All tax providers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "tax_providers": [{ "id": "tp_system", "is_enabled": true }], "count": 1, "offset": 0, "limit": 1,
}))]
pub(super) struct TaxProviderListResponse {
    tax_providers: Vec<TaxProviderView>,
    count: usize,
    /// Always 0: there is only one page.
    offset: usize,
    /// Always the number of providers.
    limit: usize,
}

/// A tax provider.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TaxProviderView {
    #[schema(example = "tp_system")]
    id: &'static str,
    /// Always true: only available providers are listed.
    is_enabled: bool,
}

/// Lists the tax providers: the store's own tables, `tp_system`.
#[crate::http::operation(get, path = "/admin/tax-providers", tag = "Admin taxes",
    responses((status = 200, description = "The providers", body = TaxProviderListResponse)))]
pub(super) async fn list_tax_providers(_admin: AdminReader) -> Json<TaxProviderListResponse> {
    let tax_providers = vec![TaxProviderView { id: SYSTEM_PROVIDER, is_enabled: true }];
    let count = tax_providers.len();
    Json(TaxProviderListResponse { tax_providers, count, offset: 0, limit: count })
}
