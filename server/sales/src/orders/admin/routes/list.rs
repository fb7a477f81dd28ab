//! Routes that list, return and correct orders, and refuse to delete them.

use super::requests::UpdateOrderRequest;
use super::{OrderToChange, change};
use crate::auth::{AdminReader, AdminWriter};
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, OneRequest, Page, Path};
use crate::ids::OrderId;
use crate::orders::OrderError;
use crate::orders::OrderResponse;
use crate::orders::admin::edit::{self, Correction};
use crate::orders::admin::{AdminOrders, OrderAdminError, cancel, order_view, order_views};
use crate::orders::queries::admin as queries;
use crate::orders::view::OrderView;
use axum::extract::State;

type OrderListResponse = Page<OrderView>;

/// Lists orders, newest first. `total` is compared in major units of each order's own currency.
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
    change(order, |tx, id, by| edit::correct(tx, id, Correction::from(request), Some(by))).await
}

/// Refuses to delete an order, because it is a financial record. Cancel or archive it instead.
#[crate::http::operation(delete, path = "/admin/orders/{id}", tag = "Admin orders", params(("id" = OrderId, Path)),
    responses((status = 400, description = "Orders cannot be deleted", body = crate::http::ErrorBody)))]
pub(super) async fn delete_order(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<OrderId>,
) -> Result<Answer, HttpError> {
    let reason =
        db.read(move |tx| Ok::<_, OrderAdminError>(cancel::deletion_error(tx, &id))).await?;
    Err(reason.into())
}
