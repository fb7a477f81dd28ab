//! `/admin/payments`: captures and refunds payments and settles their orders.

use axum::extract::State;
use axum::http::StatusCode;

use crate::auth::AdminWriter;
use crate::database::{Db, Table};
use crate::http::{Answer, Fields, HttpError, Json, One, Path, Text, request};
use crate::ids::{PaymentId, RefundReasonId};
use crate::money::Major;
use crate::orders::money;
use crate::orders::refunding::{self, Refunded};
use crate::payments::payment::Payment;
use crate::payments::{self, NewRefund, PaymentError, PaymentView, RefundReason};
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
/// If the payment provider does not answer, the answer is 202: the provider is asked again until it does, and the refund is
/// made once.
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
    let selection = fields.selection.clone();
    fields.answer(&db.read(move |tx| PaymentView::show(tx, &id, &selection)).await?)
}

fn minor(amount: Option<Major>, payment: &Payment) -> Result<Option<i64>, PaymentError> {
    Ok(amount.map(|amount| amount.minor(payment.currency)).transpose()?)
}

async fn find(db: &Db, id: &PaymentId) -> Result<Payment, PaymentError> {
    let id = id.clone();
    db.read(move |tx| payments::find(tx, &id)).await
}
