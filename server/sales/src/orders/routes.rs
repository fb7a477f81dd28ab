//! `/store/orders`, and what a caller in a storefront presents to see an order.

use axum::extract::{FromRequestParts, State};
use axum::http::HeaderName;
use axum::http::request::Parts;
use quotient_foundation::routes;
use utoipa_axum::router::OpenApiRouter;

use super::OrderResponse;
use super::access::{self, Viewer};
use super::error::OrderError;
use super::queries::lookup;
use super::view::shape::StoreOrders;
use super::view::{self, OrderView, StoreOrder};
use crate::auth::{SecretDigest, Shop, Shopper};
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, ListRequest, OneRequest, Page};
use crate::ids::{self, OrderId};
use crate::state::AppState;

pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_own_orders)).routes(routes!(show_own_order))
}

type OrderListResponse = Page<OrderView>;

/// Lists the orders of the logged-in customer in the storefront's sales channels, newest first.
#[crate::http::operation(get, path = "/store/orders", tag = "Store orders", params(ListRequest<StoreOrders>),
    security(("publishable_key" = [], "customer" = []), ("publishable_key" = [], "session" = [])),
    responses((status = 200, description = "A page of orders", body = OrderListResponse,
        example = json!({
            "orders": [{
                "id": "order_01M7XZN1R5ET565WMXF2N6TJHK", "status": "pending", "display_id": 57, "total": 35.75,
                "currency_code": "gbp", "payment_status": "captured", "fulfillment_status": "not_fulfilled",
            }],
            "count": 1, "offset": 0, "limit": 50,
        }))))]
async fn list_own_orders(
    State(db): State<Db>,
    shopper: Shopper,
    list: ListRequest<StoreOrders>,
) -> Result<Answer, HttpError> {
    let channels = ids::list(&shopper.shop.sales_channel_ids);
    list.read(db, move |tx, query, selection| {
        let (orders, count) = lookup::of_customer(tx, &shopper.customer_id, channels, query)?;
        let views = view::views(tx, orders, selection)?;
        let views: Vec<_> = views.into_iter().map(OrderView::for_storefront).collect();
        Ok::<_, OrderError>((views, count))
    })
    .await
}

/// Returns an order. An account's order is visible to its customer. A guest's order is visible to callers with the token
/// that its completion returned, and for 24 hours to callers with its e-mail address. All others get 404, as if the order
/// did not exist.
#[crate::http::operation(get, path = "/store/orders/{id}", tag = "Store orders",
    params(("id" = OrderId, Path, description = "The order"), Fields<StoreOrder>,
        ("x-order-token" = Option<String>, Header, description = "The token of a guest's completion"),
        ("x-order-email" = Option<String>, Header, description = "The e-mail address of a guest's order")),
    security(("publishable_key" = []), ("publishable_key" = [], "customer" = [])),
    responses((status = 200, description = "The order", body = OrderResponse,
        example = json!({
            "order": {
                "id": "order_01M7XZN1R5ET565WMXF2N6TJHK", "status": "pending", "display_id": 57, "total": 35.75,
                "currency_code": "gbp", "payment_status": "captured", "fulfillment_status": "not_fulfilled",
            },
        }))))]
async fn show_own_order(
    OneRequest { caller: viewer, db, id, fields }: OneRequest<Viewer, OrderId, StoreOrder>,
) -> Result<Answer, HttpError> {
    fields
        .read(db, move |tx, selection| {
            let order = access::find(tx, &id, &viewer)?;
            Ok::<_, OrderError>(view::view(tx, order, selection)?.for_storefront())
        })
        .await
}

/// The header with the token that a guest's completion returns.
const TOKEN: HeaderName = HeaderName::from_static("x-order-token");

/// The header with the e-mail address of a guest's order.
const EMAIL: HeaderName = HeaderName::from_static("x-order-email");

impl FromRequestParts<AppState> for Viewer {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, HttpError> {
        let shop = Shop::from_request_parts(parts, state).await?;
        let header = |name| parts.headers.get(name).and_then(|value| value.to_str().ok());
        Ok(Self {
            shop,
            token: header(TOKEN).and_then(SecretDigest::of_presented),
            email: header(EMAIL).map(str::to_owned),
        })
    }
}
