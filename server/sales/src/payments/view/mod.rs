//! Payment collections, sessions and payments as they are answered.

mod load;
pub mod shape;

pub use load::{
    CollectionRelations, collection, collection_view, collections_of, list, with_transactions,
};

use serde::Serialize;
use utoipa::ToSchema;

use super::payment::{Capture, Collection, Metadata, Payment, Refund, Session};
use super::provider::Data;
use crate::clock::Timestamp;
use crate::ids::{
    CaptureId, OrderId, PaymentCollectionId, PaymentId, PaymentSessionId, RefundId, RefundReasonId,
};
use crate::money::{Amount, Currency};

/// What is to be paid for a cart or an order, and how far it has come.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CollectionView {
    /// Its id.
    pub id: PaymentCollectionId,
    /// What it is paid in.
    pub currency_code: Currency,
    /// To pay.
    pub amount: Amount,
    /// Promised so far, captured or not.
    pub(crate) authorized_amount: Amount,
    /// Taken so far.
    pub(crate) captured_amount: Amount,
    /// Given back so far.
    pub(crate) refunded_amount: Amount,
    /// `not_paid`, `awaiting`, `authorized`, `partially_authorized`, `partially_captured`, `completed`, `failed` or
    /// `canceled`.
    #[schema(example = "not_paid")]
    pub status: &'static str,
    /// When all of it was there.
    pub completed_at: Option<Timestamp>,
    /// The client's own data.
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Metadata>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Always null.
    pub deleted_at: Option<Timestamp>,
    /// The attempts to pay it.
    pub(crate) payment_sessions: Vec<SessionView>,
    /// The money that was promised.
    pub payments: Vec<PaymentView>,
}

/// An attempt to pay.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct SessionView {
    /// Its id.
    pub id: PaymentSessionId,
    /// What it is paid in.
    pub currency_code: Currency,
    /// How much.
    pub amount: Amount,
    /// Who is asked.
    #[schema(example = "pp_system_default")]
    pub provider_id: String,
    /// `pending`, `requires_more`, `authorized`, `captured`, `pending_authorization`, `error` or `canceled`.
    #[schema(example = "pending")]
    pub status: &'static str,
    /// What the provider keeps with it, for its part in the storefront; never card data.
    #[schema(value_type = Object)]
    pub data: Data,
    /// Always empty.
    #[schema(value_type = Object)]
    pub context: Data,
    /// When the money was promised.
    pub(crate) authorized_at: Option<Timestamp>,
    /// What it pays.
    pub(crate) payment_collection_id: PaymentCollectionId,
    /// Always empty.
    #[schema(value_type = Object)]
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Always null.
    pub deleted_at: Option<Timestamp>,
}

/// Money that was promised.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PaymentView {
    /// Its id.
    pub id: PaymentId,
    /// What it is in.
    pub currency_code: Currency,
    /// How much.
    pub amount: Amount,
    /// Who promised it.
    #[schema(example = "pp_system_default")]
    pub provider_id: String,
    /// What the provider keeps with it; never card data.
    #[schema(value_type = Object)]
    pub data: Data,
    /// The client's own data.
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Metadata>,
    /// When all of it was taken.
    pub captured_at: Option<Timestamp>,
    /// When it was called off.
    pub canceled_at: Option<Timestamp>,
    /// What it pays.
    pub(crate) payment_collection_id: PaymentCollectionId,
    /// The attempt that brought it.
    pub(crate) payment_session_id: PaymentSessionId,
    /// The order it pays.
    pub order_id: Option<OrderId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Always null.
    pub deleted_at: Option<Timestamp>,
    /// What was taken of it.
    pub(crate) captures: Vec<CaptureView>,
    /// What was given back of it.
    pub refunds: Vec<RefundView>,
}

/// Money that was taken.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct CaptureView {
    /// Its id.
    pub id: CaptureId,
    /// Of which payment.
    pub payment_id: PaymentId,
    /// How much.
    pub amount: Amount,
    /// Who took it.
    pub created_by: Option<String>,
    /// Always null.
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Metadata>,
    /// When.
    pub created_at: Timestamp,
    /// When.
    pub updated_at: Timestamp,
    /// Always null.
    pub deleted_at: Option<Timestamp>,
}

/// Money that was given back.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct RefundView {
    /// Its id.
    pub id: RefundId,
    /// Of which payment.
    pub payment_id: PaymentId,
    /// How much.
    pub amount: Amount,
    /// Why.
    pub(crate) refund_reason_id: Option<RefundReasonId>,
    /// Why, in words.
    pub note: Option<String>,
    /// Who gave it back.
    pub created_by: Option<String>,
    /// Always null.
    #[schema(value_type = Option<Object>)]
    pub metadata: Option<Metadata>,
    /// When.
    pub created_at: Timestamp,
    /// When.
    pub updated_at: Timestamp,
    /// Always null.
    pub deleted_at: Option<Timestamp>,
}

impl CollectionView {
    fn of(collection: Collection) -> Self {
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
            metadata: collection.metadata,
            created_at: collection.created_at,
            updated_at: collection.updated_at,
            deleted_at: None,
            payment_sessions: Vec::new(),
            payments: Vec::new(),
        }
    }
}

impl SessionView {
    fn of(session: Session) -> Self {
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
            metadata: Metadata::new(),
            created_at: session.created_at,
            updated_at: session.updated_at,
            deleted_at: None,
        }
    }
}

impl PaymentView {
    pub(super) fn of(payment: Payment) -> Self {
        Self {
            id: payment.id,
            currency_code: payment.currency,
            amount: payment.currency.amount(payment.amount_minor),
            provider_id: payment.provider_id,
            data: payment.data,
            metadata: payment.metadata,
            captured_at: payment.captured_at,
            canceled_at: payment.canceled_at,
            payment_collection_id: payment.collection_id,
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
    fn of(capture: Capture, currency: Currency) -> Self {
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
    fn of(refund: Refund, currency: Currency) -> Self {
        Self {
            id: refund.id,
            payment_id: refund.payment_id,
            amount: currency.amount(refund.amount_minor),
            refund_reason_id: refund.reason_id,
            note: refund.note,
            created_by: refund.created_by,
            metadata: None,
            created_at: refund.created_at,
            updated_at: refund.created_at,
            deleted_at: None,
        }
    }
}
