//! The actions of customers and admins on a subscription. Each action is one write, or three steps if it charges; a
//! preview is the same write, rolled back.

pub mod address;
pub mod cancellation;
pub mod frequency;
pub mod pause;
mod perform;
pub(super) mod reprice;
pub mod retry;
pub mod skip;
pub mod swap;

use perform::write;
pub(super) use perform::{Apply, Call, Cost, Performed, perform};

use super::change::{self, Cause};
use super::error::SubscriptionError;
use super::status::SubscriptionStatus;
use super::subscription::{Subscription, SubscriptionKind};
use super::{queries, schedule};
use crate::clock::{HOUR_MS, Timestamp};
use crate::database::Tx;

/// Who acts.
#[derive(Debug, Clone)]
pub struct Actor {
    pub id: String,
    /// Admins are not bound to cut-off times, minimal terms and limits.
    pub is_admin: bool,
}

impl Actor {
    fn cause(&self, what: &'static str) -> Cause {
        Cause { what, actor_id: Some(self.id.clone()) }
    }
}

impl Subscription {
    /// Returns the actions allowed at present.
    pub fn actions(&self) -> Vec<&'static str> {
        let is_delivery = self.kind == SubscriptionKind::Delivery;
        let mut actions: Vec<&'static str> = match self.status {
            SubscriptionStatus::Active if self.cancel_at.is_some() => {
                vec!["cancellation", "change-address", "resume"]
            }
            SubscriptionStatus::Active => vec![
                "cancellation",
                "change-address",
                "change-frequency",
                "pause",
                "skip-next-delivery",
                "swap-product",
            ],
            SubscriptionStatus::Trial => {
                vec!["cancellation", "change-address", "change-frequency", "swap-product"]
            }
            SubscriptionStatus::PastDue => {
                vec!["cancellation", "change-address", "pause", "retry-payment"]
            }
            SubscriptionStatus::Paused => {
                vec!["cancellation", "change-address", "pause", "resume"]
            }
            SubscriptionStatus::Canceled | SubscriptionStatus::Expired => Vec::new(),
        };
        actions.retain(|action| is_delivery || *action != "skip-next-delivery");
        actions
    }

    /// Rejects an action that is not allowed at present.
    fn check(&self, action: &'static str) -> Result<(), SubscriptionError> {
        if self.actions().contains(&action) { Ok(()) } else { Err(change::not_allowed(self)) }
    }
}

/// Rejects a customer's change if the next cycle is too close.
fn check_cutoff(
    tx: &Tx<'_>,
    subscription: &Subscription,
    actor: &Actor,
) -> Result<(), SubscriptionError> {
    match subscription.next_billing_at {
        Some(next) => check_cutoff_of(tx, subscription, actor, next),
        None => Ok(()),
    }
}

/// Rejects a customer's change of a cycle that is due too soon.
fn check_cutoff_of(
    tx: &Tx<'_>,
    subscription: &Subscription,
    actor: &Actor,
    due_at: Timestamp,
) -> Result<(), SubscriptionError> {
    let hours = subscription.terms.cutoff_hours;
    let closes_at = due_at.minus_ms(hours.saturating_mul(HOUR_MS));
    let is_bound = !actor.is_admin && hours > 0 && closes_at <= tx.now();
    if is_bound { Err(SubscriptionError::Cutoff { hours }) } else { Ok(()) }
}

/// Returns the instant of a day at the anchor's local time.
fn on_day(subscription: &Subscription, day: &str) -> Result<Timestamp, SubscriptionError> {
    let at = subscription.anchor().and_then(|anchor| anchor.on(day));
    at.ok_or_else(|| SubscriptionError::Invalid(format!("`{day}` is not a day such as 2026-11-21")))
}

/// Sets a new anchor, from which the next cycle's period is the first. Future cycles are no longer skipped, and only the
/// next one counts as announced.
fn set_anchor(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    at: Timestamp,
    day: Option<i64>,
) -> Result<(), SubscriptionError> {
    subscription.anchor_at = at;
    subscription.anchor_day = day.unwrap_or(31);
    let anchor = subscription.anchor();
    let anchor = anchor
        .ok_or_else(|| SubscriptionError::Invalid("the time zone is not known".to_owned()))?;
    subscription.anchor_day = match day {
        Some(_) => anchor.day(),
        None => anchor.own_day(),
    };
    subscription.period = 0;
    subscription.announced_cycle =
        subscription.announced_cycle.min(subscription.cycle.saturating_add(1));
    queries::unskip(tx, &subscription.id, subscription.cycle, None)?;
    schedule::due(subscription, 0).map(drop)
}
