//! Parts of an order: changes, items, shipping options, credit.

use axum::extract::State;
use serde::Serialize;

use super::{OrderToChange, change};
use crate::auth::AdminReader;
use crate::database::Db;
use crate::http::{
    Answer, Fields, HttpError, Json, OneRequest, Path, Resource, Selection, ToSchema,
};
use crate::ids::OrderId;
use crate::orders::OrderResponse;
use crate::orders::admin::changes::{self, OrderChangeView};
use crate::orders::admin::credit::{self, CreateOrderCreditLineRequest};
use crate::orders::admin::{destination, order_view};
use crate::orders::view::{LineView, OrderView};
use crate::shipping::Offer;

/// The changes of an order.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OrderChangeListResponse {
    /// The changes, oldest first.
    order_changes: Vec<OrderChangeView>,
}

/// The items of an order.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OrderItemListResponse {
    order_items: Vec<LineView>,
}

/// The shipping options of an order.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct OrderShippingOptionListResponse {
    shipping_options: Vec<Offer>,
}

/// Lists the changes of an order since it was placed: corrections, returns and credit.
#[crate::http::operation(get, path = "/admin/orders/{id}/changes", tag = "Admin orders", params(("id" = OrderId, Path)),
    responses((status = 200, description = "The changes", body = OrderChangeListResponse)))]
pub(super) async fn list_order_changes(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<OrderId>,
) -> Result<Json<OrderChangeListResponse>, HttpError> {
    let order_changes = db.read(move |tx| changes::of_order(tx, &id)).await?;
    Ok(Json(OrderChangeListResponse { order_changes }))
}

/// Lists the items of an order.
#[crate::http::operation(get, path = "/admin/orders/{id}/line-items", tag = "Admin orders", params(("id" = OrderId, Path)),
    responses((status = 200, description = "The items", body = OrderItemListResponse)))]
pub(super) async fn list_order_items(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<OrderId>,
) -> Result<Json<OrderItemListResponse>, HttpError> {
    let selection =
        Selection::parse(OrderView::SHAPE, "id,*items,*items.tax_lines,*items.adjustments")?;
    let order = db.read(move |tx| order_view(tx, &id, &selection)).await?;
    Ok(Json(OrderItemListResponse { order_items: order.items }))
}

/// Returns an order as it will be after its open changes. Changes take effect at once on this server, so this is the
/// current order.
#[crate::http::operation(get, path = "/admin/orders/{id}/preview", tag = "Admin orders",
    params(("id" = OrderId, Path), Fields<OrderView>),
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn preview_order(
    OneRequest { db, id, fields, .. }: OneRequest<AdminReader, OrderId, OrderView>,
) -> Result<Answer, HttpError> {
    fields.read(db, move |tx, selection| order_view(tx, &id, selection)).await
}

/// Lists the shipping options for an order's address, with current prices.
#[crate::http::operation(get, path = "/admin/orders/{id}/shipping-options", tag = "Admin orders",
    params(("id" = OrderId, Path)),
    responses((status = 200, description = "The options", body = OrderShippingOptionListResponse)))]
pub(super) async fn list_order_shipping_options(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<OrderId>,
) -> Result<Json<OrderShippingOptionListResponse>, HttpError> {
    let shipping_options = db.read(move |tx| destination::shipping_options(tx, &id)).await?;
    Ok(Json(OrderShippingOptionListResponse { shipping_options }))
}

/// Lowers the amount due of an order by a credit of the store. Amounts that are already paid are refunded instead: a
/// negative amount with the reference `store-credit` and the id of the customer's store credit account refunds to that
/// account, at most the amount that was paid by any means and has not been refunded. Not for a canceled order, whose
/// payments are returned.
#[crate::http::operation(post, path = "/admin/orders/{id}/credit-lines", tag = "Admin orders",
    params(("id" = OrderId, Path), Fields<OrderView>), request_body = CreateOrderCreditLineRequest,
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn create_order_credit_line(
    order: OrderToChange,
    Json(request): Json<CreateOrderCreditLineRequest>,
) -> Result<Answer, HttpError> {
    change(order, |tx, id, by| credit::add_line(tx, id, request, Some(by))).await
}
