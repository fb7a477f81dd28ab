//! The views of payment collections, sessions and payments.

mod load;

pub use load::{
    CollectionRelations, attach_transactions, collection, collection_view, collections_of,
};

use serde::Serialize;

use super::payment::{Capture, Collection, Payment, Refund, Session};
use super::provider::Data;
use super::{PaymentError, RefundReason};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::{Relation, Resource, Selection, Shape, ToSchema};
use crate::ids::{
    CaptureId, OrderId, PaymentCollectionId, PaymentId, PaymentSessionId, RefundId, RefundReasonId,
};
use crate::money::{Amount, Currency};
use crate::resource::View;

/// The amount to pay for a cart or an order, and its payment status.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[schema(as = PaymentCollection)]
#[resource(name = "payment_collection", store = StoreCollection)]
pub struct CollectionView {
    pub id: PaymentCollectionId,
    pub currency_code: Currency,
    /// The amount to pay.
    pub amount: Amount,
    /// Authorized so far, captured or not.
    #[field(store(extra))]
    pub(crate) authorized_amount: Amount,
    #[field(store(extra))]
    pub(crate) captured_amount: Amount,
    #[field(store(extra))]
    pub(crate) refunded_amount: Amount,
    /// `not_paid`, `awaiting`, `authorized`, `partially_authorized`, `partially_captured`, `completed`, `failed` or
    /// `canceled`.
    #[schema(example = "not_paid")]
    #[field(store(extra))]
    pub status: &'static str,
    /// When all of it was captured.
    #[field(store(extra))]
    pub completed_at: Option<Timestamp>,
    /// Always null.
    #[schema(value_type = Option<Object>)]
    #[field(store(extra))]
    pub metadata: Option<Data>,
    #[field(store(extra))]
    pub created_at: Timestamp,
    #[field(store(extra))]
    pub updated_at: Timestamp,
    /// Always null.
    #[field(store(extra))]
    pub deleted_at: Option<Timestamp>,
    /// The attempts to pay.
    #[field(on_request, store(relation))]
    pub(crate) payment_sessions: Vec<SessionView>,
    /// The authorized payments.
    #[field(relation, store(hidden))]
    pub payments: Vec<PaymentView>,
}

/// The fields of an order's collection that shoppers see.
pub(crate) static STORE_ORDER_COLLECTION: Shape = Shape {
    relations: &[
        Relation::on_request("payment_sessions", SessionView::SHAPE),
        Relation::on_request("payments", StorePayment::SHAPE),
    ],
    ..*CollectionView::SHAPE
};

/// An attempt to pay.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[schema(as = PaymentSession)]
#[resource(name = "payment_session")]
pub(crate) struct SessionView {
    pub id: PaymentSessionId,
    pub currency_code: Currency,
    pub amount: Amount,
    #[schema(example = "pp_system_default")]
    pub provider_id: String,
    /// `pending`, `requires_more`, `authorized`, `captured`, `pending_authorization`, `error` or `canceled`.
    #[schema(example = "pending")]
    pub status: &'static str,
    /// The provider's data for its part of the storefront; never card data.
    #[schema(value_type = Object)]
    pub data: Data,
    /// Always empty.
    #[schema(value_type = Object)]
    pub context: Data,
    pub(crate) authorized_at: Option<Timestamp>,
    pub(crate) payment_collection_id: PaymentCollectionId,
    /// The payment that it became; null until it is authorized.
    pub(crate) payment: Option<SessionPaymentView>,
    /// Always empty.
    #[schema(value_type = Object)]
    pub metadata: Data,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null.
    pub deleted_at: Option<Timestamp>,
}

/// The payment of a session.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = PaymentSessionPayment)]
pub(crate) struct SessionPaymentView {
    pub id: PaymentId,
}

/// An authorized amount.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "payment", rows = Payment, store = StorePayment)]
pub struct PaymentView {
    pub id: PaymentId,
    pub currency_code: Currency,
    pub amount: Amount,
    #[schema(example = "pp_system_default")]
    pub provider_id: String,
    /// The provider's data; never card data.
    #[schema(value_type = Object)]
    #[field(store(hidden))]
    pub data: Data,
    /// Always null.
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Data>,
    /// When all of it was captured.
    pub captured_at: Option<Timestamp>,
    pub canceled_at: Option<Timestamp>,
    pub(crate) payment_collection_id: PaymentCollectionId,
    pub(crate) payment_session_id: PaymentSessionId,
    /// The session that it was authorized in.
    pub(crate) payment_session: PaymentSessionReference,
    pub order_id: Option<OrderId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null.
    pub deleted_at: Option<Timestamp>,
    #[field(relation, store(hidden))]
    pub(crate) captures: Vec<CaptureView>,
    #[field(relation, store(hidden))]
    pub refunds: Vec<RefundView>,
}

/// The session of a payment.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct PaymentSessionReference {
    pub id: PaymentSessionId,
}

impl View for PaymentView {
    type Row = Payment;
    type Error = PaymentError;

    fn attach(
        tx: &Tx<'_>,
        payments: &mut [Self],
        selection: &Selection,
    ) -> Result<(), PaymentError> {
        if selection.wants("captures") || selection.wants("refunds") {
            attach_transactions(tx, payments)?;
        }
        Ok(())
    }
}

/// A captured part of a payment.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "capture")]
pub(crate) struct CaptureView {
    pub id: CaptureId,
    pub payment_id: PaymentId,
    pub amount: Amount,
    pub created_by: Option<String>,
    /// Always null.
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Data>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null.
    pub deleted_at: Option<Timestamp>,
}

/// A refunded part of a payment.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "refund")]
pub struct RefundView {
    pub id: RefundId,
    pub payment_id: PaymentId,
    pub amount: Amount,
    pub(crate) refund_reason_id: Option<RefundReasonId>,
    /// The reason, even if it is deleted.
    pub(crate) refund_reason: Option<RefundReason>,
    /// The reason as free text.
    pub note: Option<String>,
    pub created_by: Option<String>,
    /// Always null.
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Data>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Always null.
    pub deleted_at: Option<Timestamp>,
}

impl From<Collection> for CollectionView {
    fn from(collection: Collection) -> Self {
        let currency = collection.currency;
        Self {
            id: collection.id,
            currency_code: currency,
            amount: currency.amount(collection.amount_minor),
            authorized_amount: currency.amount(collection.authorized_minor),
            captured_amount: currency.amount(collection.captured_minor),
            refunded_amount: currency.amount(collection.refunded_minor),
            status: collection.status.as_str(),
            completed_at: collection.completed_at,
            metadata: None,
            created_at: collection.created_at,
            updated_at: collection.updated_at,
            deleted_at: None,
            payment_sessions: Vec::new(),
            payments: Vec::new(),
        }
    }
}

impl From<Session> for SessionView {
    fn from(session: Session) -> Self {
        Self {
            id: session.id,
            currency_code: session.currency,
            amount: session.currency.amount(session.amount_minor),
            provider_id: session.provider_id,
            status: session.status.as_str(),
            data: session.data,
            context: Data::new(),
            authorized_at: session.authorized_at,
            payment_collection_id: session.collection_id,
            payment: session.payment_id.map(|id| SessionPaymentView { id }),
            metadata: Data::new(),
            created_at: session.created_at,
            updated_at: session.updated_at,
            deleted_at: None,
        }
    }
}

impl From<Payment> for PaymentView {
    fn from(payment: Payment) -> Self {
        Self {
            id: payment.id,
            currency_code: payment.currency,
            amount: payment.currency.amount(payment.amount_minor),
            provider_id: payment.provider_id,
            data: payment.data,
            metadata: None,
            captured_at: payment.captured_at,
            canceled_at: payment.canceled_at,
            payment_collection_id: payment.collection_id,
            payment_session: PaymentSessionReference { id: payment.session_id.clone() },
            payment_session_id: payment.session_id,
            order_id: payment.order_id,
            created_at: payment.created_at,
            updated_at: payment.updated_at,
            deleted_at: None,
            captures: Vec::new(),
            refunds: Vec::new(),
        }
    }
}

impl CaptureView {
    fn new(capture: Capture, currency: Currency) -> Self {
        Self {
            id: capture.id,
            payment_id: capture.payment_id,
            amount: currency.amount(capture.amount_minor),
            created_by: capture.created_by,
            metadata: None,
            created_at: capture.created_at,
            updated_at: capture.created_at,
            deleted_at: None,
        }
    }
}

impl RefundView {
    fn new(refund: Refund, currency: Currency) -> Self {
        Self {
            id: refund.id,
            payment_id: refund.payment_id,
            amount: currency.amount(refund.amount_minor),
            refund_reason_id: refund.reason_id,
            refund_reason: None,
            note: refund.note,
            created_by: refund.created_by,
            metadata: None,
            created_at: refund.created_at,
            updated_at: refund.created_at,
            deleted_at: None,
        }
    }
}
