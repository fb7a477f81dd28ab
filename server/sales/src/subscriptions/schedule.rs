//! When a subscription is billed next, and when the server has something to do about it.

use std::collections::BTreeSet;

use super::cycle::Cycle;
use super::error::SubscriptionError;
use super::queries;
use super::status::SubscriptionStatus;
use super::subscription::Subscription;
use crate::clock::{DAY_MS, MINUTE_MS, Timestamp};
use crate::database::Tx;
use crate::proportion::add;

/// The time after which an unanswered charge is retried, in milliseconds.
const ASK_AGAIN_MS: i64 = MINUTE_MS;

/// Limit: cycles examined ahead.
pub(super) const MAX_AHEAD: i64 = 400;

/// A future cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ahead {
    pub number: i64,
    /// The index of its period from the anchor.
    pub period: i64,
    pub due_at: Timestamp,
}

/// Returns the cycle that is `place` cycles after the next one.
pub(super) fn ahead(subscription: &Subscription, place: i64) -> Result<Ahead, SubscriptionError> {
    let period = add(subscription.period, place)?;
    let number = add(subscription.cycle, add(place, 1)?)?;
    Ok(Ahead { number, period, due_at: due(subscription, period)? })
}

/// Returns when a period begins.
pub(super) fn due(
    subscription: &Subscription,
    period: i64,
) -> Result<Timestamp, SubscriptionError> {
    let due_at =
        subscription.anchor().and_then(|anchor| anchor.due(subscription.interval(), period));
    due_at.ok_or_else(beyond_calendar)
}

pub(super) fn beyond_calendar() -> SubscriptionError {
    SubscriptionError::Invalid("the date is beyond the calendar".to_owned())
}

/// Returns whether it has had all its cycles.
pub(super) fn is_complete(subscription: &Subscription) -> bool {
    subscription.terms.max_cycles.is_some_and(|max| subscription.paid_cycles >= max)
}

/// Returns the next cycle that is not skipped.
pub(super) fn next(
    subscription: &Subscription,
    skipped: &BTreeSet<i64>,
) -> Result<Ahead, SubscriptionError> {
    let mut place = 0;
    loop {
        let next = ahead(subscription, place)?;
        if !skipped.contains(&next.number) || place >= MAX_AHEAD {
            return Ok(next);
        }
        place = place.saturating_add(1);
    }
}

/// Reads the skipped cycles, and returns the next cycle to be billed.
pub(super) fn next_billed(
    tx: &Tx<'_>,
    subscription: &Subscription,
) -> Result<Ahead, SubscriptionError> {
    next(subscription, &queries::skipped_after(tx, &subscription.id, subscription.cycle)?)
}

/// Returns at most `count` future cycles of a running subscription until it ends, each with whether it is skipped.
pub(super) fn coming<'a>(
    subscription: &'a Subscription,
    skipped: &'a BTreeSet<i64>,
    count: i64,
) -> impl Iterator<Item = Result<(Ahead, bool), SubscriptionError>> {
    let is_running = subscription.next_billing_at.is_some();
    let mut left = subscription.cycles_left();
    let is_over = |cycle: Ahead| subscription.cancel_at.is_some_and(|end| end <= cycle.due_at);
    (0..count).take_while(move |_| is_running).map_while(move |place| {
        let cycle = match ahead(subscription, place) {
            Ok(cycle) => cycle,
            Err(error) => return Some(Err(error)),
        };
        if is_over(cycle) || left == Some(0) {
            return None;
        }
        let is_skipped = skipped.contains(&cycle.number);
        if !is_skipped {
            left = left.map(|left| left.saturating_sub(1));
        }
        Some(Ok((cycle, is_skipped)))
    })
}

/// Sets both instants.
pub(super) fn set(
    subscription: &mut Subscription,
    skipped: &BTreeSet<i64>,
    open: Option<&Cycle>,
    is_charging: bool,
    tx: &Tx<'_>,
) -> Result<(), SubscriptionError> {
    subscription.next_billing_at = None;
    subscription.acts_at = None;
    match subscription.status {
        SubscriptionStatus::Canceled | SubscriptionStatus::Expired => return Ok(()),
        SubscriptionStatus::Paused => {
            let ends_at = longest_pause(subscription);
            subscription.acts_at = earliest([subscription.resume_at, ends_at]);
            return Ok(());
        }
        SubscriptionStatus::Trial | SubscriptionStatus::Active | SubscriptionStatus::PastDue => {}
    }
    let next = next(subscription, skipped)?;
    let is_over = is_complete(subscription)
        || subscription.cancel_at.is_some_and(|cancel_at| cancel_at <= next.due_at);
    subscription.next_billing_at = Some(next.due_at).filter(|_| !is_over);
    if is_charging {
        subscription.acts_at = Some(tx.now().plus_ms(ASK_AGAIN_MS));
        return Ok(());
    }
    if open.is_some() {
        subscription.acts_at = earliest([subscription.dunning_next_at, subscription.cancel_at]);
        return Ok(());
    }
    let reminder_days = i64::from(tx.subscription_settings().subscription_reminder_days);
    let is_announced = subscription.announced_cycle >= next.number;
    let announced_at = subscription
        .next_billing_at
        .filter(|_| !is_announced)
        .map(|at| at.minus_ms(DAY_MS.saturating_mul(reminder_days)));
    let first_due = ahead(subscription, 0)?.due_at;
    subscription.acts_at = earliest([Some(first_due), subscription.cancel_at, announced_at]);
    Ok(())
}

/// Returns when a pause ends automatically.
pub(super) fn longest_pause(subscription: &Subscription) -> Option<Timestamp> {
    let days_ms = subscription.terms.max_pause_days.saturating_mul(DAY_MS);
    Some(subscription.paused_at?.plus_ms(days_ms))
}

fn earliest<const N: usize>(instants: [Option<Timestamp>; N]) -> Option<Timestamp> {
    instants.into_iter().flatten().min()
}
