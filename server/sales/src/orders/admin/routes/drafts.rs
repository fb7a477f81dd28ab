//! Routes that list, return, correct and delete drafts; checkout creates and places them.

use axum::extract::State;
use serde::Serialize;

use crate::auth::{AdminReader, AdminWriter};
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, ListRequest, OneRequest, Path, ToSchema};
use crate::ids::OrderId;
use crate::orders::OrderError;
use crate::orders::admin::edit::{self, UpdateOrderRequest};
use crate::orders::admin::{AdminDraftOrders, drafts, order_views};
use crate::orders::queries::admin as queries;
use crate::orders::view::OrderView;

/// A draft.
#[derive(Debug, Serialize, ToSchema)]
pub struct DraftOrderResponse {
    /// The draft: an order of status `draft`.
    draft_order: OrderView,
}

/// A page of drafts.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct DraftOrderListResponse {
    draft_orders: Vec<OrderView>,
    /// The number of drafts on all pages.
    count: u64,
    /// The number of drafts before this page.
    offset: u32,
    /// The maximum number of drafts per page.
    limit: u32,
}

/// Confirms that a draft is deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({"id": "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "object": "draft-order", "deleted": true}))]
pub(super) struct DraftOrderDeletedResponse {
    id: OrderId,
    /// Always `draft-order`.
    object: &'static str,
    /// Always true.
    deleted: bool,
}

/// Lists drafts, newest first. A converted draft is an order and is listed there.
#[crate::http::operation(get, path = "/admin/draft-orders", tag = "Admin draft orders",
    params(ListRequest<AdminDraftOrders>),
    responses((status = 200, description = "A page", body = DraftOrderListResponse,
        example = json!({
            "draft_orders": [{
                "id": "order_01M7XZN1R5ET565WMXF2N6TJHK", "status": "draft", "display_id": 58, "total": 35.75,
                "currency_code": "gbp", "payment_status": "not_paid", "fulfillment_status": "not_fulfilled",
            }],
            "count": 1, "offset": 0, "limit": 15,
        }))))]
pub(super) async fn list_draft_orders(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminDraftOrders>,
) -> Result<Answer, HttpError> {
    list.read::<_, OrderError>(db, move |tx, query, selection| {
        let (drafts, count) = queries::drafts(tx, query)?;
        Ok((order_views(tx, drafts, selection)?, count))
    })
    .await
}

/// Returns a draft. A placed order is not a draft and is not found here.
#[crate::http::operation(get, path = "/admin/draft-orders/{id}", tag = "Admin draft orders",
    params(("id" = OrderId, Path, description = "The draft"), Fields<OrderView>),
    responses((status = 200, description = "The draft", body = DraftOrderResponse)))]
pub(super) async fn show_draft_order(
    OneRequest { db, id, fields, .. }: OneRequest<AdminReader, OrderId, OrderView>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let draft = db.read(move |tx| drafts::view(tx, &id, &selection)).await?;
    fields.selection.answer("draft_order", &draft)
}

/// Corrects the contact data and the addresses of a draft. Its items and its country cannot be changed, because prices
/// were computed for the country: create another draft for another offer. A country for a draft without one must be in
/// its region. The taxes are those of the country and the province.
#[crate::http::operation(post, path = "/admin/draft-orders/{id}", tag = "Admin draft orders",
    params(("id" = OrderId, Path, description = "The draft"), Fields<OrderView>), request_body = UpdateOrderRequest,
    responses((status = 200, description = "The draft", body = DraftOrderResponse)))]
pub(super) async fn update_draft_order(
    OneRequest { caller: admin, db, id, fields }: OneRequest<AdminWriter, OrderId, OrderView>,
    Json(request): Json<UpdateOrderRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let draft = db
        .write(move |tx| {
            edit::correct_draft(tx, &id, request, Some(admin.actor_id()))?;
            drafts::view(tx, &id, &selection)
        })
        .await?;
    fields.selection.answer("draft_order", &draft)
}

/// Deletes a draft. A placed order is a financial record and cannot be deleted: 400.
#[crate::http::operation(delete, path = "/admin/draft-orders/{id}", tag = "Admin draft orders",
    params(("id" = OrderId, Path, description = "The draft")),
    responses((status = 200, description = "Deleted", body = DraftOrderDeletedResponse),
              (status = 400, description = "The order is placed", body = crate::http::ErrorBody)))]
pub(super) async fn delete_draft_order(
    _admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<OrderId>,
) -> Result<Json<DraftOrderDeletedResponse>, HttpError> {
    let draft = id.clone();
    db.write(move |tx| drafts::delete(tx, &draft)).await?;
    Ok(Json(DraftOrderDeletedResponse { id, object: "draft-order", deleted: true }))
}
