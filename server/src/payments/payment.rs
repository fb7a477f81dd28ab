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
pub(crate) type Metadata = serde_json::Map<String, serde_json::Value>;

/// What is to be paid for one cart or order.
#[derive(Debug, Clone)]
pub(crate) struct Collection {
    /// Its id.
    pub(crate) id: PaymentCollectionId,
    /// The cart it is for.
    pub(crate) cart_id: Option<CartId>,
    /// The order that the cart became.
    pub(crate) order_id: Option<OrderId>,
    /// What it is paid in.
    pub(crate) currency: Currency,
    /// To pay.
    pub(crate) amount_minor: i64,
    /// Promised so far, captured or not.
    pub(crate) authorized_minor: i64,
    /// Taken so far.
    pub(crate) captured_minor: i64,
    /// Given back so far.
    pub(crate) refunded_minor: i64,
    /// How far it has come.
    pub(crate) status: CollectionStatus,
    /// When all of it was there.
    pub(crate) completed_at: Option<Timestamp>,
    /// The client's own data.
    pub(crate) metadata: Option<Metadata>,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was last changed.
    pub(crate) updated_at: Timestamp,
}

/// An attempt to pay a collection.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// Its id, which is the key that the provider is asked with.
    pub(crate) id: PaymentSessionId,
    /// What it pays.
    pub(crate) collection_id: PaymentCollectionId,
    /// Who is asked.
    pub(crate) provider_id: String,
    /// What it is paid in.
    pub(crate) currency: Currency,
    /// How much.
    pub(crate) amount_minor: i64,
    /// How far it has come.
    pub(crate) status: SessionStatus,
    /// What the provider keeps with it.
    pub(crate) data: Data,
    /// When the money was promised.
    pub(crate) authorized_at: Option<Timestamp>,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was last changed.
    pub(crate) updated_at: Timestamp,
}

/// Money that was promised.
#[derive(Debug, Clone)]
pub(crate) struct Payment {
    /// Its id.
    pub(crate) id: PaymentId,
    /// What it pays.
    pub(crate) collection_id: PaymentCollectionId,
    /// The attempt that brought it.
    pub(crate) session_id: PaymentSessionId,
    /// The order it pays.
    pub(crate) order_id: Option<OrderId>,
    /// Who promised it.
    pub(crate) provider_id: String,
    /// What it is in.
    pub(crate) currency: Currency,
    /// How much.
    pub(crate) amount_minor: i64,
    /// Taken so far.
    pub(crate) captured_minor: i64,
    /// Given back so far.
    pub(crate) refunded_minor: i64,
    /// What the provider keeps with it.
    pub(crate) data: Data,
    /// When all of it was taken.
    pub(crate) captured_at: Option<Timestamp>,
    /// When it was called off.
    pub(crate) canceled_at: Option<Timestamp>,
    /// The client's own data.
    pub(crate) metadata: Option<Metadata>,
    /// When it was made.
    pub(crate) created_at: Timestamp,
    /// When it was last changed.
    pub(crate) updated_at: Timestamp,
}

/// Money that was taken.
#[derive(Debug, Clone)]
pub(crate) struct Capture {
    /// Its id.
    pub(crate) id: CaptureId,
    /// Of which payment.
    pub(crate) payment_id: PaymentId,
    /// How much.
    pub(crate) amount_minor: i64,
    /// Who took it.
    pub(crate) created_by: Option<String>,
    /// When.
    pub(crate) created_at: Timestamp,
}

/// Money that was given back.
#[derive(Debug, Clone)]
pub(crate) struct Refund {
    /// Its id.
    pub(crate) id: RefundId,
    /// Of which payment.
    pub(crate) payment_id: PaymentId,
    /// How much.
    pub(crate) amount_minor: i64,
    /// Why.
    pub(crate) reason_id: Option<RefundReasonId>,
    /// Why, in words.
    pub(crate) note: Option<String>,
    /// Who gave it back.
    pub(crate) created_by: Option<String>,
    /// When.
    pub(crate) created_at: Timestamp,
}
