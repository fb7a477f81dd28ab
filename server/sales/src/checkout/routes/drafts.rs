//! Routes that create and place orders of administrators.

use axum::extract::State;
use serde::Deserialize;

use crate::auth::AdminWriter;
use crate::cart::CreateDraftOrderRequest;
use crate::checkout::{CheckoutError, drafts};
use crate::database::Db;
use crate::http::{Answer, Fields, HttpError, Json, OneRequest, ToSchema};
use crate::ids::OrderId;
use crate::orders::OrderResponse;
use crate::orders::admin::drafts::view;
use crate::orders::admin::{DraftOrderResponse, order_view};
use crate::orders::view::OrderView;

/// Creates a draft order for a customer. It is computed like a cart: current prices where none are given, the taxes of
/// the address, the promotions of the codes, and automatic promotions. Given prices exclude tax. No stock is reserved
/// and no promotion is used until the draft is converted.
#[crate::http::operation(post, path = "/admin/draft-orders", tag = "Admin draft orders",
    params(Fields<OrderView>), request_body = CreateDraftOrderRequest,
    responses((status = 200, description = "The draft", body = DraftOrderResponse,
        example = json!({"draft_order": {
            "id": "order_01M7XZN1R5ET565WMXF2N6TJHK", "status": "draft", "display_id": 58, "total": 35.75,
            "currency_code": "gbp", "payment_status": "not_paid", "fulfillment_status": "not_fulfilled",
        }}))))]
pub(super) async fn create_draft_order(
    _admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<OrderView>,
    Json(new): Json<CreateDraftOrderRequest>,
) -> Result<Answer, HttpError> {
    let selection = fields.selection.clone();
    let draft = db
        .write(move |tx| {
            let id = drafts::make(tx, new)?;
            Ok::<_, CheckoutError>(view(tx, &id, &selection)?)
        })
        .await?;
    fields.selection.answer("draft_order", &draft)
}

/// Converts a draft to an order at the offered prices: reserves its stock, counts its promotion uses, and emits the
/// event. If the stock is too low or a promotion is used up, it stays a draft: 400. To collect the amount due, create a
/// collection with `POST /admin/payment-collections` and record the payment with its `mark-as-paid`.
#[crate::http::operation(post, path = "/admin/draft-orders/{id}/convert-to-order", tag = "Admin draft orders",
    params(("id" = OrderId, Path, description = "The draft"), Fields<OrderView>),
    request_body = ConvertDraftOrderRequest,
    responses((status = 200, description = "The order", body = OrderResponse,
        example = json!({"order": {
            "id": "order_01M7XZN1R5ET565WMXF2N6TJHK", "status": "pending", "display_id": 58, "total": 35.75,
            "currency_code": "gbp", "payment_status": "not_paid", "fulfillment_status": "not_fulfilled",
        }})),
        (status = 400, description = "It is no draft any more, an item is out of stock or deleted, or a promotion is used up",
            body = crate::http::ErrorBody)))]
pub(super) async fn convert_draft_order(
    OneRequest { db, id, fields, .. }: OneRequest<AdminWriter, OrderId, OrderView>,
    Json(ConvertDraftOrderRequest {}): Json<ConvertDraftOrderRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            drafts::place(tx, &id)?;
            Ok::<_, CheckoutError>(order_view(tx, &id, selection)?)
        })
        .await
}

/// Places an order for a customer, for example by telephone: a draft is created and converted, both or neither. It is
/// not paid; to collect the amount due, create a collection with `POST /admin/payment-collections` and record the
/// payment with its `mark-as-paid`.
#[crate::http::operation(post, path = "/admin/orders", tag = "Admin orders",
    params(Fields<OrderView>), request_body = CreateDraftOrderRequest,
    responses((status = 200, description = "The order", body = OrderResponse,
        example = json!({"order": {
            "id": "order_01M7XZN1R5ET565WMXF2N6TJHK", "status": "pending", "display_id": 58, "total": 35.75,
            "currency_code": "gbp", "payment_status": "not_paid", "fulfillment_status": "not_fulfilled",
        }}))))]
pub(super) async fn create_order(
    _admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<OrderView>,
    Json(new): Json<CreateDraftOrderRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, selection| {
            let id = drafts::make(tx, new)?;
            drafts::place(tx, &id)?;
            Ok::<_, CheckoutError>(order_view(tx, &id, selection)?)
        })
        .await
}

/// An empty body.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ConvertDraftOrderRequest {}
