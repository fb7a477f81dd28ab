//! `/store/membership/status`, and the tiers of customers.

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use quotient_foundation::middleware::{Bucket, Client};
use quotient_foundation::routes;
use quotient_sales::orders::view::OrderView;
use quotient_sales::orders::{self, OrderError};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;

use super::status::{self, Membership};
use super::tier::{self, CreateTierRequest, CustomerTier, MembershipTier, UpdateTierRequest};
use crate::AppState;
use crate::audit_log::EntityType;
use crate::auth::{AdminReader, Shop, Shopper};
use crate::customers;
use crate::database::{Db, Table as _};
use crate::http::{HttpError, Json, Path, Query, Resource as _, Selection, ToSchema};
use crate::ids::{CustomerId, OrderId};
use crate::resource::AdminRoutes;

pub(crate) fn router() -> OpenApiRouter<AppState> {
    AdminRoutes::<MembershipTier, _>::at("/admin/membership-tiers", "Admin storefront")
        .audited(EntityType::MembershipTier)
        .list()
        .create(CreateTierRequest::create)
        .show()
        .update(UpdateTierRequest::update)
        .delete(MembershipTier::remove)
        .router()
        .routes(routes!(show_membership_status))
        .routes(routes!(show_own_tier))
        .routes(routes!(show_tier_of_customer))
}

/// The membership of an order.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "membership": {
    "status": "active", "plan": "gold", "member_id": "M-1001", "credentials": { "code": "7Q4T" },
    "starts_at": "2026-11-21T12:00:00.000Z", "ends_at": null,
} }))]
struct MembershipResponse {
    /// Null if the order grants none.
    membership: Option<Membership>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatusQuery {
    order_id: OrderId,
}

/// Show the membership that an order grants
///
/// For the checkout's success page. For an hour after the order was placed, its id suffices; after that, only
/// its customer may see it. Other people's orders are not found, like unknown ones.
#[crate::http::operation(get, path = "/store/membership/status", tag = "Store content",
    params(("order_id" = OrderId, Query, description = "The order")),
    responses(
        (status = 200, description = "The membership", body = MembershipResponse),
        (status = 400, description = "`{message}`: `order_id` is missing or malformed", body = Object),
        (status = 404, description = "`{message}`", body = Object),
        (status = 500, description = "`{message}`", body = Object)),
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])))]
async fn show_membership_status(
    shop: Shop,
    State(AppState { shared, .. }): State<AppState>,
    Extension(caller): Extension<Client>,
    query: Result<Query<StatusQuery>, HttpError>,
) -> Result<Json<MembershipResponse>, HttpError> {
    shared.rates.check(Bucket::Membership, &caller.address.to_string())?;
    let Query(StatusQuery { order_id: id }) = query.map_err(with_message)?;
    let open_minutes = shared.settings.store.membership_open_minutes;
    let selection = Selection::parse(OrderView::SHAPE, "id")?;
    let found = shared.db.read(move |tx| {
        let order = orders::show(tx, &id, &selection)?;
        let is_visible = status::may_see(&order, &shop, tx.now(), open_minutes);
        if !is_visible {
            return Err(OrderError::NotFound(id));
        }
        Ok(status::of(&order, tx.now()))
    });
    let membership = found.await.map_err(|error| with_message(error.into()))?;
    Ok(Json(MembershipResponse { membership }))
}

/// The tier of a customer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({ "tier": { "id": "mtier_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "name": "Gold", "rank": 20 } }))]
struct TierResponse {
    /// Null if no tier's condition holds.
    tier: Option<CustomerTier>,
}

/// Show the membership tier of the customer
///
/// The highest tier whose condition holds for the customer's orders at present.
#[crate::http::operation(get, path = "/store/customers/me/membership-tier", tag = "Store customers",
    responses((status = 200, description = "The tier", body = TierResponse)),
    security(("publishable_key" = [], "customer" = [])))]
async fn show_own_tier(
    shopper: Shopper,
    State(db): State<Db>,
) -> Result<Json<TierResponse>, HttpError> {
    let tier = db.read(move |tx| tier::of_customer(tx, &shopper.customer_id)).await?;
    Ok(Json(TierResponse { tier }))
}

/// Show the membership tier of a customer
///
/// The highest tier whose condition holds for the customer's orders at present.
#[crate::http::operation(get, path = "/admin/customers/{id}/membership-tier", tag = "Admin storefront",
    params(("id" = CustomerId, Path, description = "The customer")),
    responses((status = 200, description = "The tier", body = TierResponse)),
    security(("admin" = []), ("secret_key" = [])))]
async fn show_tier_of_customer(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<CustomerId>,
) -> Result<Json<TierResponse>, HttpError> {
    let tier = db.read::<_, HttpError>(move |tx| {
        customers::find(tx, &id)?;
        Ok(tier::of_customer(tx, &id)?)
    });
    Ok(Json(TierResponse { tier: tier.await? }))
}

/// Returns an error in the format of this route: only its message.
fn with_message(error: HttpError) -> HttpError {
    let status = error.status();
    if matches!(
        status,
        StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND | StatusCode::INTERNAL_SERVER_ERROR
    ) {
        let body = json!({ "message": error.message() });
        return HttpError::shaped(status, body);
    }
    error
}
