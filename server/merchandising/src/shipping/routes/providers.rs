//! The route of fulfillment providers.

use serde::Serialize;

use crate::auth::AdminReader;
use crate::http::{Json, ToSchema};
use crate::shipping::PROVIDERS;
use crate::shipping::model::OfferProvider;

/// All fulfillment providers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "fulfillment_providers": [{ "id": "manual_manual", "is_enabled": true }], "count": 1, "offset": 0, "limit": 1,
}))]
pub(super) struct FulfillmentProviderListResponse {
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
pub(super) async fn list_fulfillment_providers(
    _admin: AdminReader,
) -> Json<FulfillmentProviderListResponse> {
    let fulfillment_providers: Vec<_> = PROVIDERS.iter().map(|id| OfferProvider::new(id)).collect();
    let count = fulfillment_providers.len();
    Json(FulfillmentProviderListResponse { fulfillment_providers, count, offset: 0, limit: count })
}
