//! Routes that list, return, correct, cancel, complete, archive and transfer orders, and refuse to delete them.

use axum::extract::State;

use super::{OrderToChange, change};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::Db;
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, OneRequest, Page, Path, Text, request,
};
use crate::ids::{CustomerId, OrderId};
use crate::orders::admin::edit::{self, UpdateOrderRequest};
use crate::orders::admin::{AdminOrders, cancel, order_view, order_views};
use crate::orders::queries::admin as queries;
use crate::orders::view::OrderView;
use crate::orders::{OrderError, OrderResponse, reversal};
use crate::state::PaymentState;

/// The body of an action that needs no data.
#[request]
pub(super) struct OrderStepRequest {
    /// Ignored: the path names the order.
    #[serde(default)]
    #[expect(dead_code, reason = "clients send it, but the path already names the order")]
    order_id: Option<String>,
}

/// The new customer of an order.
#[request]
#[schema(example = json!({ "customer_id": "cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct TransferOrderRequest {
    /// A customer who has an account.
    customer_id: CustomerId,
    /// Ignored: no notification is sent yet.
    #[expect(dead_code, reason = "clients send it; it is not stored")]
    internal_note: Option<Text<2000>>,
    /// Ignored: no notification is sent yet.
    #[expect(dead_code, reason = "clients send it; it is not stored")]
    description: Option<Text<2000>>,
}

type OrderListResponse = Page<OrderView>;

/// Lists orders, newest first. `total` is compared in major units of each order's own currency; it is the total when the
/// order was placed, which returns do not reduce.
#[crate::http::operation(get, path = "/admin/orders", tag = "Admin orders", params(ListRequest<AdminOrders>),
    responses((status = 200, description = "A page", body = OrderListResponse)))]
pub(super) async fn list_admin_orders(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminOrders>,
) -> Result<Answer, HttpError> {
    list.read::<_, OrderError>(db, move |tx, query, selection| {
        let (orders, count) = queries::page(tx, query)?;
        Ok((order_views(tx, orders, selection)?, count))
    })
    .await
}

/// Returns an order.
#[crate::http::operation(get, path = "/admin/orders/{id}", tag = "Admin orders",
    params(("id" = OrderId, Path), Fields<OrderView>),
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn show_admin_order(
    OneRequest { db, id, fields, .. }: OneRequest<AdminReader, OrderId, OrderView>,
) -> Result<Answer, HttpError> {
    fields.read(db, move |tx, selection| order_view(tx, &id, selection)).await
}

/// Corrects the contact data and the addresses of an order. Its items and amounts stay unchanged.
#[crate::http::operation(post, path = "/admin/orders/{id}", tag = "Admin orders",
    params(("id" = OrderId, Path), Fields<OrderView>), request_body = UpdateOrderRequest,
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn update_order(
    order: OrderToChange,
    Json(request): Json<UpdateOrderRequest>,
) -> Result<Answer, HttpError> {
    change(order, |tx, id, by| edit::correct(tx, id, request, Some(by))).await
}

/// Refuses to delete an order, because it is a financial record. Cancel it, or complete and archive it, instead.
#[crate::http::operation(delete, path = "/admin/orders/{id}", tag = "Admin orders", params(("id" = OrderId, Path)),
    responses((status = 400, description = "Orders cannot be deleted", body = crate::http::ErrorBody)))]
pub(super) async fn delete_order(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<OrderId>,
) -> Result<(), HttpError> {
    Ok(db.read(move |tx| cancel::refuse_deletion(tx, &id)).await?)
}

/// Cancels an order. Its stock, promotion uses and store credit are released at once; then its authorized payments are
/// canceled and its captured ones refunded. If a payment provider refuses or does not answer, the order stays canceled;
/// the same request resumes with its payments, and the server retries on its own, first after a minute and then at
/// growing intervals, until it succeeds.
#[crate::http::operation(post, path = "/admin/orders/{id}/cancel", tag = "Admin orders",
    params(("id" = OrderId, Path), Fields<OrderView>), request_body = OrderStepRequest,
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn cancel_order(
    admin: AdminWriter,
    State(PaymentState { db, gateway, .. }): State<PaymentState>,
    Path(id): Path<OrderId>,
    fields: Fields<OrderView>,
    Json(_request): Json<OrderStepRequest>,
) -> Result<Answer, HttpError> {
    let (order_id, actor) = (id.clone(), admin.actor_id().to_owned());
    let by = actor.clone();
    db.write(move |tx| cancel::cancel(tx, &order_id, Some(&by))).await?;
    reversal::reverse(db.clone(), gateway, id.clone(), actor).await?;
    fields.read(db, move |tx, selection| order_view(tx, &id, selection)).await
}

/// Completes an order.
#[crate::http::operation(post, path = "/admin/orders/{id}/complete", tag = "Admin orders",
    params(("id" = OrderId, Path), Fields<OrderView>), request_body = OrderStepRequest,
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn complete_order(
    order: OrderToChange,
    Json(_request): Json<OrderStepRequest>,
) -> Result<Answer, HttpError> {
    change(order, |tx, id, _by| cancel::complete(tx, id)).await
}

/// Archives a completed or canceled order. It can no longer be fulfilled, and its reserved stock is released.
#[crate::http::operation(post, path = "/admin/orders/{id}/archive", tag = "Admin orders",
    params(("id" = OrderId, Path), Fields<OrderView>), request_body = OrderStepRequest,
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn archive_order(
    order: OrderToChange,
    Json(_request): Json<OrderStepRequest>,
) -> Result<Answer, HttpError> {
    change(order, |tx, id, _by| cancel::archive(tx, id)).await
}

/// Transfers an order to another customer, who must have an account. It takes effect at once, without confirmation.
#[crate::http::operation(post, path = "/admin/orders/{id}/transfer", tag = "Admin orders",
    params(("id" = OrderId, Path), Fields<OrderView>), request_body = TransferOrderRequest,
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn transfer_order(
    order: OrderToChange,
    Json(request): Json<TransferOrderRequest>,
) -> Result<Answer, HttpError> {
    change(order, move |tx, id, by| edit::transfer(tx, id, &request.customer_id, Some(by))).await
}
