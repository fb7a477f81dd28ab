//! `/store/payment-providers`.

use axum::extract::State;
use serde::{Deserialize, Serialize};

use crate::auth::Shop;
use crate::database::Db;
use crate::http::{HttpError, Json, Query, ToSchema};
use crate::ids::RegionId;
use crate::regions;
use crate::regions::region::PaymentProviderView;

#[derive(Debug, Deserialize, crate::http::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct PaymentProviderQuery {
    /// The region that offers them.
    region_id: RegionId,
    /// The maximum number of providers per page.
    #[serde(default = "page_len")]
    #[param(minimum = 0, maximum = 200, default = 20)]
    limit: usize,
    /// The number of providers before the page.
    #[serde(default)]
    #[param(minimum = 0, maximum = 10_000_000, default = 0)]
    offset: usize,
}

fn page_len() -> usize {
    20
}

/// A page of payment providers.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PaymentProviderListResponse {
    payment_providers: Vec<PaymentProviderView>,
    /// The number of providers on all pages.
    count: usize,
    /// The number of providers before this page.
    offset: usize,
    /// The maximum number of providers per page.
    limit: usize,
}

/// Lists the payment providers of a region.
#[crate::http::operation(get, path = "/store/payment-providers", tag = "Store payments", params(PaymentProviderQuery),
    responses((status = 200, description = "A page", body = PaymentProviderListResponse)))]
pub(super) async fn list_store_payment_providers(
    _shop: Shop,
    State(db): State<Db>,
    Query(query): Query<PaymentProviderQuery>,
) -> Result<Json<PaymentProviderListResponse>, HttpError> {
    let PaymentProviderQuery { region_id, limit, offset } = query;
    if limit > 200 || offset > 10_000_000 {
        let sentence = "Invalid request: limit is at most 200 and offset at most 10000000";
        return Err(HttpError::invalid_data(sentence));
    }
    let providers = db
        .read(move |tx| {
            regions::find(tx, &region_id)?;
            regions::payment_providers(tx, &region_id)
        })
        .await?;
    let count = providers.len();
    let page = providers.into_iter().skip(offset).take(limit);
    let payment_providers = page.map(PaymentProviderView::enabled).collect();
    Ok(Json(PaymentProviderListResponse { payment_providers, count, offset, limit }))
}
