//! What follows a refusal: further attempts on certain days, and the end after the last one.

use serde_json::json;

use crate::clock::Timestamp;
use crate::database::{Table as _, Tx};
use crate::payments::methods::PaymentMethod;
use crate::payments::provider::AUTHENTICATION_REQUIRED;
use crate::proportion::add;
use crate::subscriptions::anchor::Anchor;
use crate::subscriptions::cycle::{Cycle, CycleStatus};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::ledger::MovementKind;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::{CancellationReason, OnExhausted, Subscription};
use crate::subscriptions::{change, queries};

/// Refusals that would be repeated for the same method.
const FINAL: [&str; 11] = [
    AUTHENTICATION_REQUIRED,
    "lost_card",
    "stolen_card",
    "pickup_card",
    "revocation_of_authorization",
    "revocation_of_all_authorizations",
    "account_closed",
    "invalid_account",
    "incorrect_number",
    "invalid_number",
    "provider_disabled",
];

/// The reason of a refusal if there is no method.
pub(super) const NO_PAYMENT_METHOD: &str = "no_payment_method";

/// The cause of an attempt that is made at once with a new method, outside the schedule.
pub(super) const NEW_METHOD: &str = "new_method";

/// Records that a cycle was refused; attempts by a customer or an admin, or with a new method, do not affect the schedule.
pub(super) fn refused(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    cycle: &mut Cycle,
    reason: &str,
    cause: &str,
) -> Result<(), SubscriptionError> {
    let is_first = cycle.first_failed_at.is_none();
    let first_failed_at = *cycle.first_failed_at.get_or_insert(tx.now());
    cycle.status = CycleStatus::Unpaid;
    cycle.put(tx)?;
    subscription.dunning_reason = Some(reason.to_owned());
    let is_trial_without_method = subscription.status == SubscriptionStatus::Trial
        && subscription.payment_method_id.is_none();
    if is_trial_without_method {
        return change::end(
            tx,
            subscription,
            SubscriptionStatus::Expired,
            None,
            "trial_ended_without_method",
        );
    }
    let is_scheduled = is_first || matches!(cause, "schedule" | "dunning");
    if is_scheduled {
        count(tx, subscription, first_failed_at)?;
    }
    if subscription.status != SubscriptionStatus::PastDue {
        change::enter(tx, subscription, SubscriptionStatus::PastDue, "renewal_refused")?;
    }
    change::save(tx, subscription)?;
    let facts = json!({
        "cycle": cycle.number,
        "reason": reason,
        "attempt": subscription.dunning_attempt,
        "next_attempt_at": subscription.dunning_next_at,
    });
    change::event(tx, "subscription.payment_failed", subscription, facts)?;
    end_if_exhausted(tx, subscription)
}

/// Counts a refusal, and schedules the next attempt.
fn count(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    first_failed_at: Timestamp,
) -> Result<(), SubscriptionError> {
    subscription.dunning_attempt = add(subscription.dunning_attempt, 1)?;
    let anchor = subscription.anchor();
    let days = &tx.subscription_settings().subscription_retry_days;
    let refusals = subscription.dunning_attempt;
    let next = anchor.and_then(|anchor| day(&anchor, first_failed_at, refusals, days));
    subscription.dunning_next_at = next;
    Ok(())
}

/// Returns when the attempt after a number of refusals takes place; `None` after the last.
fn day(
    anchor: &Anchor,
    first_failed_at: Timestamp,
    refusals: i64,
    days: &[u32],
) -> Option<Timestamp> {
    let place = usize::try_from(refusals.checked_sub(1)?).ok()?;
    anchor.days_after(first_failed_at, i64::from(*days.get(place)?))
}

/// Returns whether an attempt now would be refused like the last one with the subscription's own method.
pub(super) fn is_hopeless(
    tx: &Tx<'_>,
    subscription: &Subscription,
    cycle: &Cycle,
) -> Result<bool, SubscriptionError> {
    let own = subscription.payment_method_id.as_ref();
    let own = own.map(|id| PaymentMethod::find(tx, id)).transpose()?.flatten();
    let Some(own) = own else {
        return Ok(subscription.dunning_reason.as_deref() == Some(NO_PAYMENT_METHOD));
    };
    // Another method tried in the meantime says nothing about this one.
    let last = queries::last_attempt_with(tx, &cycle.id, &own.id)?;
    Ok(last.is_some_and(|last| {
        let is_final = last.reason.is_some_and(|reason| FINAL.contains(&reason.as_str()));
        is_final && own.updated_at <= last.requested_at
    }))
}

/// Skips an attempt that would be refused like the last one.
pub(super) fn pass_over(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    cycle: &Cycle,
) -> Result<(), SubscriptionError> {
    count(tx, subscription, cycle.first_failed_at.unwrap_or(tx.now()))?;
    change::save(tx, subscription)?;
    end_if_exhausted(tx, subscription)
}

/// Does what the plan specifies after the last refusal, if that was it.
fn end_if_exhausted(tx: &Tx<'_>, subscription: &mut Subscription) -> Result<(), SubscriptionError> {
    if subscription.dunning_next_at.is_some() {
        return Ok(());
    }
    match subscription.terms.on_exhausted {
        OnExhausted::Cancel => {
            let reason = Some(CancellationReason::PaymentFailed);
            change::end(tx, subscription, SubscriptionStatus::Canceled, reason, "dunning_exhausted")
        }
        OnExhausted::Pause => {
            change::void_open_cycle(tx, subscription)?;
            change::enter(tx, subscription, SubscriptionStatus::Paused, "dunning_exhausted")?;
            subscription.paused_at = Some(tx.now());
            subscription.cancel_at = None;
            change::set_revenue(tx, subscription, 0, MovementKind::Pause)?;
            change::save(tx, subscription)?;
            change::event(tx, "subscription.paused", subscription, json!({}))
        }
        OnExhausted::Keep => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_on_days_1_3_5_and_7_at_the_anchors_local_time_and_then_end() {
        let zone = "Europe/Berlin";
        let anchor = Anchor::new("2026-01-15T08:00:00.000Z".parse().unwrap(), zone).unwrap();
        // Refused half an hour late; clocks go forward on 29 March.
        let refused = "2026-03-26T08:30:00.000Z".parse().unwrap();
        let days: Vec<_> = (1..=5)
            .map(|refusals| day(&anchor, refused, refusals, &[1, 3, 5, 7]).map(|at| at.to_string()))
            .collect();
        assert_eq!(
            days,
            [
                Some("2026-03-27T08:00:00.000Z".to_owned()),
                Some("2026-03-29T07:00:00.000Z".to_owned()),
                Some("2026-03-31T07:00:00.000Z".to_owned()),
                Some("2026-04-02T07:00:00.000Z".to_owned()),
                None,
            ]
        );
    }
}
