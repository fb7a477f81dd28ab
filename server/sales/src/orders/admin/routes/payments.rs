//! `/admin/payments` and `/admin/payment-collections`: captures and refunds payments, opens collections of amounts
//! due, and settles their orders.

use axum::extract::State;
use axum::http::StatusCode;

use crate::auth::AdminWriter;
use crate::database::{Db, Table, Tx};
use crate::http::{Answer, Fields, HttpError, Json, One, OneRequest, Path, Text, request};
use crate::ids::{OrderId, PaymentCollectionId, PaymentId, RefundReasonId};
use crate::money::Major;
use crate::orders::refunding::{self, Refunded};
use crate::orders::{self, OrderError, money};
use crate::payments::payment::Payment;
use crate::payments::view::{self, CollectionView};
use crate::payments::{self, NewRefund, PaymentError, PaymentView, RefundReason, balance_due};
use crate::resource::View as _;
use crate::state::PaymentState;

/// The amount to capture.
#[request]
#[schema(example = json!({ "amount": 12.99 }))]
pub(super) struct CapturePaymentRequest {
    /// Defaults to all that is not captured yet.
    amount: Option<Major>,
}

/// The amount to refund.
#[request]
#[schema(example = json!({ "amount": 5, "note": "arrived late" }))]
pub(super) struct RefundPaymentRequest {
    /// Defaults to all that is captured and not refunded yet.
    amount: Option<Major>,
    refund_reason_id: Option<RefundReasonId>,
    /// The reason as free text.
    note: Option<Text<2000>>,
}

/// Captures an authorized payment, in full or in part.
#[crate::http::operation(post, path = "/admin/payments/{id}/capture", tag = "Admin payments",
    params(("id" = PaymentId, Path), Fields<PaymentView>), request_body = CapturePaymentRequest,
    responses((status = 200, description = "The payment", body = PaymentResponse)))]
pub(super) async fn capture_payment(
    admin: AdminWriter,
    State(PaymentState { db, gateway, .. }): State<PaymentState>,
    Path(id): Path<PaymentId>,
    fields: Fields<PaymentView>,
    Json(request): Json<CapturePaymentRequest>,
) -> Result<Answer, HttpError> {
    let payment = find(&db, &id).await?;
    let amount_minor = minor(request.amount, &payment)?;
    let actor = admin.actor_id().to_owned();
    money::capture(db.clone(), gateway, id.clone(), amount_minor, actor).await?;
    answer(&db, id, fields).await
}

/// Refunds a captured payment, in full or in part. Without `amount` the whole remainder is refunded.
///
/// If the payment provider does not answer, the response is 202: the provider is asked again until it answers, and the
/// refund is made once.
#[crate::http::operation(post, path = "/admin/payments/{id}/refund", tag = "Admin payments",
    params(("id" = PaymentId, Path), Fields<PaymentView>), request_body = RefundPaymentRequest,
    responses((status = 200, description = "The payment", body = PaymentResponse),
              (status = 202, description = "The payment, whose refund is under way", body = PaymentResponse)))]
pub(super) async fn refund_payment(
    admin: AdminWriter,
    State(PaymentState { db, gateway, .. }): State<PaymentState>,
    Path(id): Path<PaymentId>,
    fields: Fields<PaymentView>,
    Json(request): Json<RefundPaymentRequest>,
) -> Result<(StatusCode, Answer), HttpError> {
    let RefundPaymentRequest { amount, refund_reason_id, note } = request;
    let payment = find(&db, &id).await?;
    if let Some(reason_id) = refund_reason_id.clone() {
        db.read(move |tx| RefundReason::require::<PaymentError>(tx, &reason_id)).await?;
    }
    let new = NewRefund {
        amount_minor: minor(amount, &payment)?,
        reason_id: refund_reason_id,
        note: note.map(String::from),
        created_by: Some(admin.actor_id().to_owned()),
    };
    let status = match refunding::refund(db.clone(), gateway, id.clone(), new).await? {
        Refunded::Done => StatusCode::OK,
        Refunded::UnderWay => StatusCode::ACCEPTED,
    };
    Ok((status, answer(&db, id, fields).await?))
}

type PaymentResponse = One<PaymentView>;

async fn answer(db: &Db, id: PaymentId, fields: Fields<PaymentView>) -> Result<Answer, HttpError> {
    fields.read(db.clone(), move |tx, selection| PaymentView::show(tx, &id, selection)).await
}

fn minor(amount: Option<Major>, payment: &Payment) -> Result<Option<i64>, PaymentError> {
    Ok(amount.map(|amount| amount.minor(payment.currency)).transpose()?)
}

async fn find(db: &Db, id: &PaymentId) -> Result<Payment, PaymentError> {
    let id = id.clone();
    db.read(move |tx| payments::find(tx, &id)).await
}

type PaymentCollectionResponse = One<CollectionView>;

/// A collection to create.
#[request]
#[schema(example = json!({ "order_id": "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct CreateOrderPaymentCollectionRequest {
    /// The order with an amount due.
    order_id: OrderId,
    /// Defaults to the order's whole amount due.
    amount: Option<Major>,
}

/// The order of a collection that was paid outside of the providers.
#[request]
#[schema(example = json!({ "order_id": "order_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub(super) struct MarkAsPaidRequest {
    order_id: OrderId,
}

/// Creates a payment collection for an order's amount due.
#[crate::http::operation(post, path = "/admin/payment-collections", tag = "Admin payments",
    params(Fields<CollectionView>), request_body = CreateOrderPaymentCollectionRequest,
    responses((status = 200, description = "The collection", body = PaymentCollectionResponse)))]
pub(super) async fn create_order_payment_collection(
    _admin: AdminWriter,
    State(db): State<Db>,
    fields: Fields<CollectionView>,
    Json(request): Json<CreateOrderPaymentCollectionRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, _| {
            let id = balance_due::open(tx, &request.order_id, request.amount)?;
            orders::settle(tx, &request.order_id)?;
            full_view(tx, &id)
        })
        .await
}

/// Records that a collection was paid outside of the providers, in cash or by bank transfer.
#[crate::http::operation(post, path = "/admin/payment-collections/{id}/mark-as-paid", tag = "Admin payments",
    params(("id" = PaymentCollectionId, Path), Fields<CollectionView>), request_body = MarkAsPaidRequest,
    responses((status = 200, description = "The collection", body = PaymentCollectionResponse)))]
pub(super) async fn mark_collection_as_paid(
    OneRequest { caller: admin, db, id, fields }: OneRequest<
        AdminWriter,
        PaymentCollectionId,
        CollectionView,
    >,
    Json(request): Json<MarkAsPaidRequest>,
) -> Result<Answer, HttpError> {
    fields
        .write(db, move |tx, _| {
            payments::mark_as_paid(tx, &id, &request.order_id, admin.actor_id())?;
            orders::settle(tx, &request.order_id)?;
            full_view(tx, &id)
        })
        .await
}

/// Returns a collection with its sessions and payments.
fn full_view(tx: &Tx<'_>, id: &PaymentCollectionId) -> Result<CollectionView, OrderError> {
    let mut collection = view::collection(tx, id)?;
    let payments = payments::of_collection(tx, id)?;
    collection.payments = payments.into_iter().map(Into::into).collect();
    view::attach_transactions(tx, &mut collection.payments)?;
    Ok(collection)
}
