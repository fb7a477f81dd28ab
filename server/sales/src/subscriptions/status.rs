//! The states of a subscription and the edges between them.

/// The state of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

    /// Returns what its customer may do now.
    pub fn actions(self, is_to_be_canceled: bool) -> Vec<&'static str> {
        match self {
            Self::Active if is_to_be_canceled => vec!["cancellation", "change-address", "resume"],
            Self::Active => vec![
                "cancellation",
                "change-address",
                "change-frequency",
                "pause",
                "skip-next-delivery",
                "swap-product",
            ],
            Self::Trial => {
                vec!["cancellation", "change-address", "change-frequency", "swap-product"]
            }
            Self::PastDue => vec!["cancellation", "change-address", "pause", "retry-payment"],
            Self::Paused => vec!["cancellation", "change-address", "resume"],
            Self::Canceled | Self::Expired => Vec::new(),
        }
    }
}
