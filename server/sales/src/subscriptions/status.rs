//! The states of a subscription and the edges between them.

use serde::Serialize;
use utoipa::ToSchema;

/// The state of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionStatus {
    /// Nothing is billed yet.
    Trial,
    Active,
    /// A renewal was refused and is tried again.
    PastDue,
    Paused,
    /// Ended by somebody, or after too many refusals.
    Canceled,
    /// Ended by itself.
    Expired,
}

stored_words!(SubscriptionStatus {
    Trial = "trial",
    Active = "active",
    PastDue = "past_due",
    Paused = "paused",
    Canceled = "canceled",
    Expired = "expired",
});

impl SubscriptionStatus {
    /// Returns whether it may move to `next`.
    pub fn may_become(self, next: Self) -> bool {
        use SubscriptionStatus::{Active, Canceled, Expired, PastDue, Paused, Trial};
        match self {
            Trial => matches!(next, Active | PastDue | Canceled | Expired),
            Active => matches!(next, PastDue | Paused | Canceled | Expired),
            PastDue => matches!(next, Active | Paused | Canceled | Expired),
            Paused => matches!(next, Active | Canceled),
            Canceled | Expired => false,
        }
    }

    /// Returns whether it has ended for good.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Canceled | Self::Expired)
    }
}
