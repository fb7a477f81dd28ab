//! `/store/products/:id/subscription-offer`.

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use crate::auth::Shop;
use crate::catalog::PriceContextQuery;
use crate::database::Db;
use crate::http::{HttpError, Json, Path, Query, ToSchema};
use crate::ids::ProductId;
use crate::plans::offer::{self, SubscriptionOffer};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_subscription_offer))
}

/// How a product can be subscribed to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "subscription_offer": {
    "product_id": "prod_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "default_plan_id": "subplan_01JD2Q8Z5M6T3W9XKCV4B7N0RE",
    "plans": [{ "id": "subplan_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "name": "Monthly", "kind": "delivery", "interval": "month",
        "interval_count": 1, "allowed_frequencies": [], "discount": { "type": "percent", "value": 10 },
        "trial_days": 0, "min_cycles": null,
        "variants": [{ "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "one_time_price": 12.99,
            "unit_price": 11.69, "saving": 1.3, "currency_code": "gbp", "available": true }] }],
} }))]
struct SubscriptionOfferResponse {
    /// Null for a product without a plan.
    subscription_offer: Option<SubscriptionOffer>,
}

/// Show how a product can be subscribed to
///
/// The prices are those that a line of a cart has with each plan, for one piece, in the given region, cart or country,
/// otherwise in the store's own region.
#[crate::http::operation(get, path = "/store/products/{id}/subscription-offer", tag = "Store products",
    params(("id" = ProductId, Path, description = "The product"), PriceContextQuery),
    responses((status = 200, description = "The offer", body = SubscriptionOfferResponse)))]
async fn show_subscription_offer(
    shop: Shop,
    State(db): State<Db>,
    Path(id): Path<ProductId>,
    Query(place): Query<PriceContextQuery>,
) -> Result<Json<SubscriptionOfferResponse>, HttpError> {
    let place = place.into_request(&shop)?;
    let subscription_offer =
        db.read(move |tx| offer::of_product(tx, &id, &shop.sales_channel_ids, &place)).await?;
    Ok(Json(SubscriptionOfferResponse { subscription_offer }))
}
