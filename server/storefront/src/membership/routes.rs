//! `/store/membership/status`.

use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use quotient_foundation::middleware::{Bucket, Client};
use quotient_sales::orders::view::OrderView;
use quotient_sales::orders::{self, OrderError};
use serde::Serialize;
use serde_json::json;
use url::form_urlencoded;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::status::{self, Membership};
use crate::AppState;
use crate::auth::Shop;
use crate::http::{HttpError, Json, Resource as _, Selection};
use crate::ids::OrderId;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(show_membership_status))
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

/// Show the membership that an order grants
///
/// For the success page of the checkout. For an hour after the order was placed, its id is enough; then only its
/// customer is shown it. Another order is not found, just as an unknown one.
#[utoipa::path(get, path = "/store/membership/status", tag = "Store content",
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
    RawQuery(query): RawQuery,
) -> Result<Json<MembershipResponse>, HttpError> {
    shared.rates.check(Bucket::Membership, &caller.address.to_string())?;
    let id = order_id(&query.unwrap_or_default()).ok_or_else(|| {
        let message = "`order_id` must be the id of an order";
        HttpError::shaped(StatusCode::BAD_REQUEST, json!({ "message": message }))
    })?;
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

/// Returns the order that a query names; none unless it is its only key.
fn order_id(query: &str) -> Option<OrderId> {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let (name, value) = pairs.next()?;
    (name == "order_id" && pairs.next().is_none()).then(|| value.parse().ok())?
}

/// Returns an error in the shape of this route: only its message.
fn with_message(error: HttpError) -> HttpError {
    let status = error.status();
    if matches!(status, StatusCode::NOT_FOUND | StatusCode::INTERNAL_SERVER_ERROR) {
        let body = json!({ "message": error.message() });
        return HttpError::shaped(status, body);
    }
    error
}
