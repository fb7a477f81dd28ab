//! Append-only records: transitions, changes of the monthly revenue, adjustments.

use super::status::SubscriptionStatus;
use crate::clock::Timestamp;
use crate::database::{Record, Word};
use crate::ids::{
    MrrMovementId, SubscriptionAdjustmentId, SubscriptionCycleId, SubscriptionId,
    SubscriptionTransitionId,
};
use crate::money::Currency;

/// A change of a subscription's state.
#[derive(Debug, Clone, Record)]
#[record(table = "subscription_transition t", title = "Subscription transition")]
pub struct Transition {
    pub id: SubscriptionTransitionId,
    pub subscription_id: SubscriptionId,
    /// The version of the subscription after it.
    pub version: i64,
    pub from_status: Option<SubscriptionStatus>,
    pub to_status: SubscriptionStatus,
    pub cause: String,
    /// The customer, user or key; none for the server itself.
    pub actor_id: Option<String>,
    pub created_at: Timestamp,
}

/// What changed the monthly recurring revenue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Word)]
#[word(inherent)]
pub enum MovementKind {
    New,
    Expansion,
    Contraction,
    Pause,
    Resume,
    /// The customer had left and has returned.
    Reactivation,
    Churn,
}

/// A change of the monthly recurring revenue. The changes of a subscription add up to its revenue.
#[derive(Debug, Clone, Record)]
#[record(table = "mrr_movement m", title = "MRR movement")]
pub struct Movement {
    pub id: MrrMovementId,
    pub subscription_id: SubscriptionId,
    pub kind: MovementKind,
    pub currency: Currency,
    /// Zero or more.
    pub amount_minor: i64,
    pub change_minor: i64,
    pub created_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Word)]
#[word(inherent)]
pub enum AdjustmentKind {
    /// The unused part of a price, after a change.
    Credit,
    /// The part of the new price for the rest of the period.
    Charge,
    /// A charge of the payment method for a change.
    Payment,
    /// A cycle was paid from the credit balance.
    Spent,
    /// A cycle paid from the credit balance was refused.
    Returned,
    /// The credit balance became store credit at the end; or, with a cycle, a refund of an earlier swap within the cycle's
    /// period had already given the credit back.
    PaidOut,
}

/// A change of a credit balance, or a line of a proration.
#[derive(Debug, Clone, Record)]
#[record(table = "subscription_adjustment j", title = "Subscription adjustment")]
pub struct Adjustment {
    pub id: SubscriptionAdjustmentId,
    pub subscription_id: SubscriptionId,
    pub cycle_id: Option<SubscriptionCycleId>,
    pub kind: AdjustmentKind,
    /// With tax.
    pub amount_minor: i64,
    /// The tax within it. Only credits and charges have tax: the others are means of payment.
    pub tax_minor: i64,
    /// The change of the credit balance.
    pub balance_change_minor: i64,
    pub note: Option<String>,
    pub actor_id: Option<String>,
    pub created_at: Timestamp,
}
