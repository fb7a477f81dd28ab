//! Routes that cancel, complete, archive and transfer orders.

use axum::extract::State;

use super::requests::{OrderStepRequest, TransferOrderRequest};
use crate::auth::AdminWriter;
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, OneRequest, Path, Selection};
use crate::ids::OrderId;
use crate::orders::OrderResponse;
use crate::orders::admin::{OrderAdminError, cancel, edit, order_view};
use crate::orders::money;
use crate::orders::view::OrderView;
use crate::state::PaymentState;

/// Cancels an order. Its stock, promotion uses and store credit are released at once; then its authorized payments are
/// canceled and its captured ones refunded. If a payment provider refuses or does not answer, the order stays canceled;
/// the same request resumes with its payments, and the server retries on its own, first after a minute and then at
/// growing intervals, until it succeeds.
#[utoipa::path(post, path = "/admin/orders/{id}/cancel", tag = "Admin orders",
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
#[utoipa::path(post, path = "/admin/orders/{id}/complete", tag = "Admin orders",
    params(("id" = OrderId, Path), Fields<OrderView>), request_body = OrderStepRequest,
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn complete_order(
    OneRequest { db, id, fields, .. }: OneRequest<AdminWriter, OrderId, OrderView>,
    Json(_request): Json<OrderStepRequest>,
) -> Result<Answer, HttpError> {
    step(db, id, fields.selection, cancel::complete).await
}

/// Archives an order. It cannot be fulfilled any more, and the stock that it holds is released.
#[utoipa::path(post, path = "/admin/orders/{id}/archive", tag = "Admin orders",
    params(("id" = OrderId, Path), Fields<OrderView>), request_body = OrderStepRequest,
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn archive_order(
    OneRequest { db, id, fields, .. }: OneRequest<AdminWriter, OrderId, OrderView>,
    Json(_request): Json<OrderStepRequest>,
) -> Result<Answer, HttpError> {
    step(db, id, fields.selection, cancel::archive).await
}

async fn step(
    db: Db,
    id: OrderId,
    selection: Selection,
    take: fn(&Tx<'_>, &OrderId) -> Result<(), OrderAdminError>,
) -> Result<Answer, HttpError> {
    let requested = selection.clone();
    let order = db
        .write(move |tx| {
            take(tx, &id)?;
            Ok::<_, OrderAdminError>(order_view(tx, &id, &requested)?)
        })
        .await?;
    selection.answer("order", &order)
}

/// Transfers an order to another customer, who must have an account. It takes effect at once, without confirmation.
#[utoipa::path(post, path = "/admin/orders/{id}/transfer", tag = "Admin orders",
    params(("id" = OrderId, Path), Fields<OrderView>), request_body = TransferOrderRequest,
    responses((status = 200, description = "The order", body = OrderResponse)))]
pub(super) async fn transfer_order(
    OneRequest { caller: admin, db, id, fields }: OneRequest<AdminWriter, OrderId, OrderView>,
    Json(request): Json<TransferOrderRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            edit::transfer(tx, &id, &request.customer_id, Some(admin.actor_id()))?;
            Ok::<_, OrderAdminError>(order_view(tx, &id, selection)?)
        })
        .await
}
