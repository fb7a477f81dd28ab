//! Routes that cancel, complete, archive and transfer orders.

use axum::extract::State;

use super::requests::{OrderStepRequest, TransferOrderRequest};
use super::{OrderToChange, change};
use crate::auth::AdminWriter;
use crate::http::{Answer, Fields, HttpError, Json, Path};
use crate::ids::OrderId;
use crate::orders::OrderResponse;
use crate::orders::admin::{cancel, edit, order_view};
use crate::orders::money;
use crate::orders::view::OrderView;
use crate::state::PaymentState;

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
    money::give_up(db.clone(), gateway, id.clone(), actor).await?;
    let selection = fields.selection.clone();
    let order = db.read(move |tx| order_view(tx, &id, &selection)).await?;
    fields.answer(&order)
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

/// Archives an order. It cannot be fulfilled any more, and the stock that it holds is released.
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
