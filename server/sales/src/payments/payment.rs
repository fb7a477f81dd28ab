//! What is kept of paying: a collection for a cart or an order, the attempts to pay it, and the money that moved.
//!
//! Amounts are minor units of the collection's currency.

use super::provider::Data;
use crate::clock::Timestamp;
use crate::ids::{
    CaptureId, CartId, OrderId, PaymentCollectionId, PaymentId, PaymentSessionId, RefundId,
    RefundReasonId,
};
use crate::money::Currency;
use crate::statuses::{CollectionStatus, SessionStatus};

/// Data of the client's own.
pub type Metadata = serde_json::Map<String, serde_json::Value>;

/// What is to be paid for one cart or order.
#[derive(Debug, Clone)]
pub struct Collection {
    pub id: PaymentCollectionId,
    /// The cart it is for.
    pub cart_id: Option<CartId>,
    /// The order that the cart became.
    pub order_id: Option<OrderId>,
    /// What it is paid in.
    pub currency: Currency,
    /// To pay.
    pub amount_minor: i64,
    /// Promised so far, captured or not.
    pub(crate) authorized_minor: i64,
    /// Taken so far.
    pub(crate) captured_minor: i64,
    /// Given back so far.
    pub refunded_minor: i64,
    /// How far it has come.
    pub status: CollectionStatus,
    /// When all of it was there.
    pub completed_at: Option<Timestamp>,
    /// The client's own data.
    pub metadata: Option<Metadata>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// An attempt to pay a collection.
#[derive(Debug, Clone)]
pub struct Session {
    /// Its id, which is the key that the provider is asked with.
    pub id: PaymentSessionId,
    /// What it pays.
    pub collection_id: PaymentCollectionId,
    /// Who is asked.
    pub provider_id: String,
    /// What it is paid in.
    pub currency: Currency,
    pub amount_minor: i64,
    /// How far it has come.
    pub status: SessionStatus,
    /// What the provider keeps with it.
    pub data: Data,
    /// When the money was promised.
    pub(crate) authorized_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Money that was promised.
#[derive(Debug, Clone)]
pub struct Payment {
    pub id: PaymentId,
    /// What it pays.
    pub collection_id: PaymentCollectionId,
    /// The attempt that brought it.
    pub session_id: PaymentSessionId,
    /// The order it pays.
    pub order_id: Option<OrderId>,
    /// Who promised it.
    pub provider_id: String,
    /// What it is in.
    pub currency: Currency,
    pub amount_minor: i64,
    /// Taken so far.
    pub(crate) captured_minor: i64,
    /// Given back so far.
    pub refunded_minor: i64,
    /// What the provider keeps with it.
    pub data: Data,
    /// When all of it was taken.
    pub captured_at: Option<Timestamp>,
    /// When it was called off.
    pub canceled_at: Option<Timestamp>,
    /// The client's own data.
    pub metadata: Option<Metadata>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Money that was taken.
#[derive(Debug, Clone)]
pub(crate) struct Capture {
    pub id: CaptureId,
    /// Of which payment.
    pub payment_id: PaymentId,
    pub amount_minor: i64,
    /// Who took it.
    pub created_by: Option<String>,
    pub created_at: Timestamp,
}

/// Money that was given back.
#[derive(Debug, Clone)]
pub struct Refund {
    pub id: RefundId,
    /// Of which payment.
    pub payment_id: PaymentId,
    pub amount_minor: i64,
    pub reason_id: Option<RefundReasonId>,
    /// Why, in words.
    pub note: Option<String>,
    /// Who gave it back.
    pub created_by: Option<String>,
    pub created_at: Timestamp,
}
