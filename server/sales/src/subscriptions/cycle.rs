//! The cycles of subscriptions and the attempts to charge them, as stored.

use serde::Serialize;

use crate::clock::Timestamp;
use crate::database::{Record, Word};
use crate::http::ToSchema;
use crate::ids::{
    OrderId, PaymentMethodId, PaymentSessionId, SubscriptionAttemptId, SubscriptionCycleId,
    SubscriptionId, SubscriptionItemId,
};

/// The state of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum CycleStatus {
    /// Claimed, and waiting for the payment provider.
    Billing,
    /// Refused or waiting for stock, and retried.
    Unpaid,
    Paid,
    Skipped,
    /// Nothing is owed for it.
    Void,
}

/// Why a cycle is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    Customer,
    /// The goods were out of stock for too long.
    Stock,
    /// The server did not run when it was due.
    Outage,
    /// An earlier cycle was unpaid when it was due.
    Unpaid,
}

/// A period to bill.
#[derive(Debug, Clone, Record)]
#[record(table = "subscription_cycle c", title = "Subscription cycle")]
pub struct Cycle {
    pub id: SubscriptionCycleId,
    #[column(once)]
    pub subscription_id: SubscriptionId,
    /// Counted from one.
    #[column(once)]
    pub number: i64,
    pub status: CycleStatus,
    pub due_at: Timestamp,
    pub period_end: Timestamp,
    pub skip_reason: Option<SkipReason>,
    /// The order that it became.
    pub order_id: Option<OrderId>,
    pub total_minor: Option<i64>,
    pub attempt_count: i64,
    /// Days that it waited for stock.
    pub stock_delays: i64,
    pub first_failed_at: Option<Timestamp>,
    pub paid_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Cycle {
    /// Returns a cycle that has not been billed yet.
    pub(super) fn new(
        subscription_id: &SubscriptionId,
        number: i64,
        status: CycleStatus,
        (due_at, period_end): (Timestamp, Timestamp),
        now: Timestamp,
    ) -> Self {
        Self {
            id: SubscriptionCycleId::new(),
            subscription_id: subscription_id.clone(),
            number,
            status,
            due_at,
            period_end,
            skip_reason: None,
            order_id: None,
            total_minor: None,
            attempt_count: 0,
            stock_delays: 0,
            first_failed_at: None,
            paid_at: None,
            created_at: now,
            updated_at: now,
        }
    }
}

/// The state of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Word)]
#[word(inherent)]
pub enum AttemptStatus {
    /// The provider has not answered yet.
    Pending,
    Paid,
    Refused,
}

/// An attempt to charge a cycle.
#[derive(Debug, Clone, Record)]
#[record(table = "subscription_attempt a", title = "Subscription attempt")]
pub struct Attempt {
    /// Also the key at the payment provider.
    pub id: SubscriptionAttemptId,
    #[column(once)]
    pub cycle_id: SubscriptionCycleId,
    /// Counted from one.
    #[column(once)]
    pub number: i64,
    pub status: AttemptStatus,
    /// The draft of the order, which is deleted on a refusal.
    #[column(once)]
    pub order_id: OrderId,
    /// None if nothing is to be charged.
    #[column(once)]
    pub payment_session_id: Option<PaymentSessionId>,
    #[column(once)]
    pub payment_method_id: Option<PaymentMethodId>,
    /// What is charged.
    #[column(once)]
    pub amount_minor: i64,
    /// The amount paid from the subscription's credit balance.
    #[column(once)]
    pub credit_balance_minor: i64,
    /// The amount paid from the customer's store credit.
    #[column(once)]
    pub store_credit_minor: i64,
    /// The item whose swap it pays for; none if it pays for the cycle itself.
    #[column(once)]
    pub item_id: Option<SubscriptionItemId>,
    pub reason: Option<String>,
    /// The cause: `schedule`, `dunning`, `customer`, `shopper`, `admin`, `new_method`; `swap` for a swap.
    #[column(once)]
    pub cause: String,
    #[column(once)]
    pub requested_at: Timestamp,
    pub settled_at: Option<Timestamp>,
}

impl Attempt {
    /// Returns a pending attempt to charge a cycle, for a draft of its order.
    pub(super) fn new(
        cycle: &Cycle,
        order_id: OrderId,
        amount_minor: i64,
        cause: &str,
        now: Timestamp,
    ) -> Self {
        Self {
            id: SubscriptionAttemptId::new(),
            cycle_id: cycle.id.clone(),
            number: cycle.attempt_count,
            status: AttemptStatus::Pending,
            order_id,
            payment_session_id: None,
            payment_method_id: None,
            amount_minor,
            credit_balance_minor: 0,
            store_credit_minor: 0,
            item_id: None,
            reason: None,
            cause: cause.to_owned(),
            requested_at: now,
            settled_at: None,
        }
    }
}
