//! `/admin/payments`: seen. What moves money is with the orders that it settles.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::AdminReader;
use crate::database::listing::Listing;
use crate::database::{Db, Tx};
use crate::http::{
    Answer, Fields, HttpError, Json, ListRequest, Listed, Path, Resource, Selection, Shape,
};
use crate::ids::PaymentId;
use crate::payments::payment::Payment;
use crate::payments::queries::admin_payments as queries;
use crate::payments::view::{self, PaymentView};
use crate::payments::{self, PaymentError, PaymentGateway};

/// Payments as admins see them.
#[derive(Debug)]
pub struct AdminPayments;

impl Resource for AdminPayments {
    const SHAPE: &'static Shape = &view::shape::PAYMENT;
}

impl Listed for AdminPayments {
    const LISTING: &'static Listing = &queries::ADMIN_PAYMENTS;
}

/// A payment.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentResponse {
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
    State(gateway): State<PaymentGateway>,
) -> Json<AdminPaymentProviderListResponse> {
    let payment_providers: Vec<AdminPaymentProviderView> = gateway
        .provider_ids()
        .map(|id| AdminPaymentProviderView { id, is_enabled: true })
        .collect();
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

fn views(
    tx: &Tx<'_>,
    payments: Vec<Payment>,
    selection: &Selection,
) -> Result<Vec<PaymentView>, PaymentError> {
    if selection.wants("captures") || selection.wants("refunds") {
        return view::with_transactions(tx, payments);
    }
    Ok(payments.into_iter().map(PaymentView::of).collect())
}

/// A payment as an admin asked for it.
pub async fn answer(db: &Db, id: PaymentId, selection: Selection) -> Result<Answer, HttpError> {
    let asked = selection.clone();
    let mut found = db
        .read::<_, PaymentError>(move |tx| {
            let payment = payments::find(tx, &id)?;
            views(tx, vec![payment], &asked)
        })
        .await?;
    selection.answer("payment", &found.pop())
}
