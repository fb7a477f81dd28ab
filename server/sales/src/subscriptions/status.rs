//! The states of a subscription and the edges between them.

use serde::Serialize;

use crate::database::Word;
use crate::http::ToSchema;

/// The state of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema, Word)]
#[word(inherent)]
#[serde(rename_all = "snake_case")]
pub enum SubscriptionStatus {
    /// Nothing is billed yet.
    Trial,
    Active,
    /// A renewal was refused and is retried.
    PastDue,
    Paused,
    /// Ended by somebody, or after too many refusals.
    Canceled,
    /// Ended by itself.
    Expired,
}

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

    /// Returns whether it has ended permanently.
    pub fn is_final(self) -> bool {
        matches!(self, Self::Canceled | Self::Expired)
    }
}

#[cfg(test)]
mod tests {
    use super::SubscriptionStatus::{self, Active, Canceled, Expired, PastDue, Paused, Trial};

    #[test]
    fn ended_subscriptions_stay_ended_and_none_becomes_a_trial() {
        let all = [Trial, Active, PastDue, Paused, Canceled, Expired];
        let next = |from: SubscriptionStatus| -> Vec<SubscriptionStatus> {
            all.into_iter().filter(|to| from.may_become(*to)).collect()
        };
        assert_eq!(next(Trial), [Active, PastDue, Canceled, Expired]);
        assert_eq!(next(Active), [PastDue, Paused, Canceled, Expired]);
        assert_eq!(next(PastDue), [Active, Paused, Canceled, Expired]);
        assert_eq!(next(Paused), [Active, Canceled]);
        for status in all {
            assert_eq!(status.is_final(), next(status).is_empty(), "{status:?}");
        }
    }
}
