//! Payment collections of carts and orders, the sessions that try to pay them, and payments with their captures and
//! refunds.
//!
//! Amounts are minor units of the collection's currency.

use super::provider::Data;
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind};
use crate::database::{Filtered as _, Record};
use crate::ids::{
    CaptureId, CartId, OrderId, PaymentCollectionId, PaymentId, PaymentSessionId, RefundId,
    RefundReasonId,
};
use crate::money::Currency;
use crate::statuses::{CollectionStatus, SessionStatus, collection_status};

/// The amount to pay for one cart or order.
#[derive(Debug, Clone, Record)]
#[record(table = "payment_collection c", title = "PaymentCollection")]
pub struct Collection {
    pub id: PaymentCollectionId,
    pub cart_id: Option<CartId>,
    /// The order that the cart became.
    pub order_id: Option<OrderId>,
    pub currency: Currency,
    /// The amount due now.
    pub amount_minor: i64,
    /// The deferred part of the cart's total, for what begins later.
    pub(crate) later_minor: i64,
    /// Captured or not.
    pub(crate) authorized_minor: i64,
    pub(crate) captured_minor: i64,
    pub refunded_minor: i64,
    pub status: CollectionStatus,
    pub completed_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Collection {
    /// Returns a collection without payments.
    pub(crate) fn new(currency: Currency, amount_minor: i64, now: Timestamp) -> Self {
        Self {
            id: PaymentCollectionId::new(),
            cart_id: None,
            order_id: None,
            currency,
            amount_minor,
            later_minor: 0,
            authorized_minor: 0,
            captured_minor: 0,
            refunded_minor: 0,
            status: CollectionStatus::NotPaid,
            completed_at: None,
            created_at: now,
            updated_at: now,
        }
    }

    /// Returns the status that follows from its sums, once there is a session.
    pub(super) fn implied_status(&self) -> CollectionStatus {
        collection_status(self.amount_minor, self.authorized_minor, self.captured_minor, true)
    }
}

/// An attempt to pay a collection.
#[derive(Debug, Clone, Record)]
#[record(table = "payment_session s", title = "PaymentSession")]
pub struct Session {
    /// Also the idempotency key of the provider's calls.
    pub id: PaymentSessionId,
    #[column(name = "payment_collection_id")]
    pub collection_id: PaymentCollectionId,
    pub provider_id: String,
    pub currency: Currency,
    pub amount_minor: i64,
    pub status: SessionStatus,
    /// The provider's own data.
    #[column(json)]
    pub data: Data,
    pub(crate) authorized_at: Option<Timestamp>,
    /// The payment that it became.
    #[column(sql = "(select id from payment where payment_session_id = s.id)")]
    pub(crate) payment_id: Option<PaymentId>,
    /// When it was parked because the total changed that it was started for.
    pub(crate) parked_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Session {
    /// Returns a session not registered with the provider yet.
    pub(crate) fn new(collection: &Collection, provider_id: String, now: Timestamp) -> Self {
        Self {
            id: PaymentSessionId::new(),
            collection_id: collection.id.clone(),
            provider_id,
            currency: collection.currency,
            amount_minor: collection.amount_minor,
            status: SessionStatus::Pending,
            data: Data::new(),
            authorized_at: None,
            payment_id: None,
            parked_at: None,
            created_at: now,
            updated_at: now,
        }
    }
}

/// An authorized amount.
#[derive(Debug, Clone, Record)]
#[record(table = "payment p")]
#[record(list(
    plural = "payments",
    search = ["p.id", "p.order_id"],
    order = "-created_at",
    columns = [
        Column::filter("payment_session_id", "p.payment_session_id", Kind::Id),
        Column::filter("payment_collection_id", "p.payment_collection_id", Kind::Id),
        Column::filter("currency_code", "p.currency", Currency::KIND),
    ],
))]
pub struct Payment {
    #[column(filter, order)]
    pub id: PaymentId,
    #[column(once, name = "payment_collection_id")]
    pub collection_id: PaymentCollectionId,
    #[column(once, name = "payment_session_id")]
    pub session_id: PaymentSessionId,
    #[column(once, filter)]
    pub order_id: Option<OrderId>,
    #[column(once, filter)]
    pub provider_id: String,
    #[column(once)]
    pub currency: Currency,
    #[column(once)]
    pub amount_minor: i64,
    #[column(sql = "(select coalesce(sum(amount_minor), 0) from capture where payment_id = p.id)")]
    pub(crate) captured_minor: i64,
    #[column(sql = "(select coalesce(sum(amount_minor), 0) from refund where payment_id = p.id)")]
    pub refunded_minor: i64,
    /// The provider's own data.
    #[column(json)]
    pub data: Data,
    /// When all of it was captured.
    #[column(filter)]
    pub captured_at: Option<Timestamp>,
    #[column(filter)]
    pub canceled_at: Option<Timestamp>,
    #[column(filter, order)]
    pub created_at: Timestamp,
    #[column(filter)]
    pub updated_at: Timestamp,
}

impl Payment {
    /// Returns a payment of a session's amount, authorized for an order.
    pub(super) fn new(session: Session, order_id: OrderId, now: Timestamp) -> Self {
        Self {
            id: PaymentId::new(),
            collection_id: session.collection_id,
            session_id: session.id,
            order_id: Some(order_id),
            provider_id: session.provider_id,
            currency: session.currency,
            amount_minor: session.amount_minor,
            captured_minor: 0,
            refunded_minor: 0,
            data: session.data,
            captured_at: None,
            canceled_at: None,
            created_at: now,
            updated_at: now,
        }
    }
}

/// A captured part of a payment.
#[derive(Debug, Clone, Record)]
#[record(table = "capture k")]
pub(crate) struct Capture {
    pub id: CaptureId,
    pub payment_id: PaymentId,
    pub amount_minor: i64,
    pub created_by: Option<String>,
    pub created_at: Timestamp,
}

/// A refunded part of a payment.
#[derive(Debug, Clone, Record)]
#[record(table = "refund r")]
pub struct Refund {
    pub id: RefundId,
    pub payment_id: PaymentId,
    pub amount_minor: i64,
    #[column(name = "refund_reason_id")]
    pub reason_id: Option<RefundReasonId>,
    pub note: Option<String>,
    pub created_by: Option<String>,
    pub created_at: Timestamp,
}
