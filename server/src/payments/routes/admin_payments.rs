//! `/admin/payments`: seen, captured and refunded.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::auth::{AdminReader, AdminWriter};
use crate::database::listing::Listing;
use crate::database::{Db, Tx};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, Listed, Path, Resource, Selection, Shape, Text,
};
use crate::ids::{PaymentId, RefundReasonId};
use crate::money::Major;
use crate::orders::money;
use crate::payments::payment::Payment;
use crate::payments::queries::admin_payments as queries;
use crate::payments::view::{self, PaymentView};
use crate::payments::{self, NewRefund, PaymentError, Till, refund_reason};

/// Payments as admins see them.
#[derive(Debug)]
pub(super) struct AdminPayments;

impl Resource for AdminPayments {
    const SHAPE: &'static Shape = &view::shape::PAYMENT;
}

impl Listed for AdminPayments {
    const LISTING: &'static Listing = &queries::ADMIN_PAYMENTS;
}

/// A payment.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PaymentResponse {
    /// The payment.
    payment: PaymentView,
}

/// A page of payments.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PaymentListResponse {
    /// The page.
    payments: Vec<PaymentView>,
    /// How many there are on all pages.
    count: u64,
    /// How many came before.
    offset: u32,
    /// How many the page holds at most.
    limit: u32,
}

/// Who can be asked for money.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AdminPaymentProviderListResponse {
    /// The providers.
    payment_providers: Vec<AdminPaymentProviderView>,
    /// How many there are.
    count: usize,
    /// Always 0.
    offset: u32,
    /// As many as there are.
    limit: usize,
}

/// Someone who can be asked for money.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AdminPaymentProviderView {
    /// The id.
    #[schema(example = "pp_system_default")]
    id: &'static str,
    /// Always true: what this server does not have is not listed.
    is_enabled: bool,
}

/// Money to take.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "amount": 12.99 }))]
pub(super) struct CapturePaymentRequest {
    /// How much; all that is left by default.
    amount: Option<Major>,
}

/// Money to give back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "amount": 5, "note": "arrived late" }))]
pub(super) struct RefundPaymentRequest {
    /// How much; all that is left by default.
    amount: Option<Major>,
    /// Why.
    refund_reason_id: Option<RefundReasonId>,
    /// Why, in words.
    note: Option<Text<2000>>,
}

/// Lists payments.
#[utoipa::path(get, path = "/admin/payments", tag = "Admin payments", params(ListRequest<AdminPayments>),
    responses((status = 200, description = "A page", body = PaymentListResponse)))]
pub(super) async fn list_payments(
    _admin: AdminReader,
    State(db): State<Db>,
    list: ListRequest<AdminPayments>,
) -> Result<Answer, HttpError> {
    let (query, selection) = (list.query.clone(), list.selection.clone());
    let (rows, count) = db
        .read::<_, PaymentError>(move |tx| {
            let (rows, count) = queries::page(tx, &query)?;
            Ok((views(tx, rows, &selection)?, count))
        })
        .await?;
    list.answer(&rows, count)
}

/// Lists who can be asked for money.
#[utoipa::path(get, path = "/admin/payments/payment-providers", tag = "Admin payments",
    responses((status = 200, description = "The providers", body = AdminPaymentProviderListResponse)))]
pub(super) async fn list_admin_payment_providers(
    _admin: AdminReader,
    State(till): State<Till>,
) -> Json<AdminPaymentProviderListResponse> {
    let payment_providers: Vec<AdminPaymentProviderView> =
        till.provider_ids().map(|id| AdminPaymentProviderView { id, is_enabled: true }).collect();
    let count = payment_providers.len();
    Json(AdminPaymentProviderListResponse { payment_providers, count, offset: 0, limit: count })
}

/// Shows a payment.
#[utoipa::path(get, path = "/admin/payments/{id}", tag = "Admin payments",
    params(("id" = PaymentId, Path), Fields<AdminPayments>),
    responses((status = 200, description = "The payment", body = PaymentResponse)))]
pub(super) async fn show_payment(
    _admin: AdminReader,
    State(db): State<Db>,
    Path(id): Path<PaymentId>,
    fields: Fields<AdminPayments>,
) -> Result<Answer, HttpError> {
    answer(&db, id, fields.selection).await
}

/// Takes a payment that was promised, or a part of it.
#[utoipa::path(post, path = "/admin/payments/{id}/capture", tag = "Admin payments",
    params(("id" = PaymentId, Path), Fields<AdminPayments>), request_body = CapturePaymentRequest,
    responses((status = 200, description = "The payment", body = PaymentResponse)))]
pub(super) async fn capture_payment(
    admin: AdminWriter,
    State(Desk { db, till }): State<Desk>,
    Path(id): Path<PaymentId>,
    fields: Fields<AdminPayments>,
    Json(request): Json<CapturePaymentRequest>,
) -> Result<Answer, HttpError> {
    let payment = find(&db, &id).await?;
    let amount_minor = minor(request.amount, &payment)?;
    let actor = admin.actor_id().to_owned();
    money::capture(db.clone(), till, id.clone(), amount_minor, actor).await?;
    answer(&db, id, fields.selection).await
}

/// Gives back what was taken of a payment, or a part of it. Without `amount` all that is left goes back.
#[utoipa::path(post, path = "/admin/payments/{id}/refund", tag = "Admin payments",
    params(("id" = PaymentId, Path), Fields<AdminPayments>), request_body = RefundPaymentRequest,
    responses((status = 200, description = "The payment", body = PaymentResponse)))]
pub(super) async fn refund_payment(
    admin: AdminWriter,
    State(Desk { db, till }): State<Desk>,
    Path(id): Path<PaymentId>,
    fields: Fields<AdminPayments>,
    Json(request): Json<RefundPaymentRequest>,
) -> Result<Answer, HttpError> {
    let RefundPaymentRequest { amount, refund_reason_id, note } = request;
    let payment = find(&db, &id).await?;
    if let Some(reason_id) = refund_reason_id.clone() {
        db.read(move |tx| refund_reason::find(tx, &reason_id)).await?;
    }
    let new = NewRefund {
        amount_minor: minor(amount, &payment)?,
        reason_id: refund_reason_id,
        note: note.map(String::from),
        created_by: Some(admin.actor_id().to_owned()),
    };
    money::refund(db.clone(), till, id.clone(), new).await?;
    answer(&db, id, fields.selection).await
}

/// What a route needs that moves money.
#[derive(Debug, Clone)]
pub(super) struct Desk {
    db: Db,
    till: Till,
}

impl axum::extract::FromRef<crate::state::AppState> for Desk {
    fn from_ref(state: &crate::state::AppState) -> Self {
        Self { db: Db::from_ref(state), till: Till::from_ref(state) }
    }
}

fn minor(amount: Option<Major>, payment: &Payment) -> Result<Option<i64>, PaymentError> {
    Ok(amount.map(|amount| amount.minor(payment.currency)).transpose()?)
}

async fn find(db: &Db, id: &PaymentId) -> Result<Payment, PaymentError> {
    let id = id.clone();
    db.read(move |tx| payments::find(tx, &id)).await
}

fn views(
    tx: &Tx<'_>,
    payments: Vec<Payment>,
    selection: &Selection,
) -> Result<Vec<PaymentView>, PaymentError> {
    if selection.wants("captures") || selection.wants("refunds") {
        return view::with_moves(tx, payments);
    }
    Ok(payments.into_iter().map(PaymentView::of).collect())
}

async fn answer(db: &Db, id: PaymentId, selection: Selection) -> Result<Answer, HttpError> {
    let asked = selection.clone();
    let mut found = db
        .read::<_, PaymentError>(move |tx| {
            let payment = payments::find(tx, &id)?;
            views(tx, vec![payment], &asked)
        })
        .await?;
    selection.answer("payment", &found.pop())
}
