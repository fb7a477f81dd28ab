//! `/admin/payment-collections`: the amounts due of placed orders.

use axum::extract::State;

use crate::auth::AdminWriter;
use crate::database::{Db, Tx};
use crate::http::{Answer, Fields, HttpError, Json, One, Path, request};
use crate::ids::{OrderId, PaymentCollectionId};
use crate::money::Major;
use crate::orders::{self, OrderError};
use crate::payments::view::{self, CollectionView};
use crate::payments::{self, PaymentError, balance_due};

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
    admin: AdminWriter,
    State(db): State<Db>,
    Path(id): Path<PaymentCollectionId>,
    fields: Fields<CollectionView>,
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
    Ok::<_, PaymentError>(collection).map_err(OrderError::from)
}
