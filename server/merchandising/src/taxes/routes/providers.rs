//! Who tells tax rates.

use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::AdminReader;
use crate::http::Json;
use crate::taxes::SYSTEM_PROVIDER;

/// All tax providers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "tax_providers": [{ "id": "tp_system", "is_enabled": true }], "count": 1, "offset": 0, "limit": 1,
}))]
pub(super) struct TaxProviderListResponse {
    tax_providers: Vec<TaxProviderView>,
    /// How many there are.
    count: usize,
    /// Always 0: they are answered together.
    offset: usize,
    /// As many as there are.
    limit: usize,
}

/// Someone who tells tax rates.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct TaxProviderView {
    /// The id.
    #[schema(example = "tp_system")]
    id: &'static str,
    /// Always true: what this server does not have is not listed.
    is_enabled: bool,
}

/// Lists who tells tax rates: the store's own tables, `tp_system`.
#[utoipa::path(get, path = "/admin/tax-providers", tag = "Admin taxes",
    responses((status = 200, description = "The providers", body = TaxProviderListResponse)))]
pub(super) async fn list_tax_providers(_admin: AdminReader) -> Json<TaxProviderListResponse> {
    let tax_providers = vec![TaxProviderView { id: SYSTEM_PROVIDER, is_enabled: true }];
    let count = tax_providers.len();
    Json(TaxProviderListResponse { tax_providers, count, offset: 0, limit: count })
}
