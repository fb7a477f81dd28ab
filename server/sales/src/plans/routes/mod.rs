//! `/admin/subscription-plans`, and the store's offers.

mod requests;

use axum::extract::State;
use quotient_foundation::routes;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use self::requests::{CreatePlanRequest, UpdatePlanRequest};
use super::offer::{self, SubscriptionOffer};
use super::plan::Plan;
use super::write;
use crate::auth::Shop;
use crate::catalog::PriceContextQuery;
use crate::database::Db;
use crate::http::{HttpError, Json, Path, Query, ToSchema};
use crate::ids::ProductId;
use crate::resource::AdminRoutes;
use crate::state::AppState;

pub fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<Plan, _>::at("/admin/subscription-plans", "Admin subscription plans")
        .list()
        .create(CreatePlanRequest::create)
        .show()
        .note("An older version, which running subscriptions keep, has the current one in `superseded_by`.")
        .update_by(UpdatePlanRequest::update)
        .note(
            "A change makes a new version for new subscriptions. Running subscriptions keep their price and their rules: they\n\
             refer to the version before, which has an id of its own from then on.",
        )
        .delete_by(write::delete)
        .note("It is offered no more, and lines of carts lose it. Running subscriptions keep it.")
        .router()
        .routes(routes!(show_subscription_offer))
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
/// The prices are those of a cart line with each plan, per piece, in the given region, cart or country, otherwise in
/// the store's default region.
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
