//! Changes the interval, the date of the next billing, or both.

use serde_json::json;

use super::{Actor, check_cutoff, on_day, set_anchor};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::{Text, request};
use crate::subscriptions::anchor::{Interval, Unit};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::{Subscription, SubscriptionKind};
use crate::subscriptions::{change, schedule};

/// Limit: days until the next billing.
const MAX_DAYS: i64 = 365;

/// Another frequency or date. At least one member is required.
#[request]
#[schema(example = json!({ "interval": "month", "interval_count": 2 }))]
pub struct ChangeFrequencyRequest {
    interval: Option<Unit>,
    #[schema(minimum = 1, maximum = 52)]
    interval_count: Option<i64>,
    /// The day of the next billing, from tomorrow to 365 days ahead; for a customer not after the trial or the paid access.
    #[schema(example = "2026-12-01")]
    next_billing_date: Option<Text<10>>,
    /// Computes the result and writes nothing.
    #[serde(default)]
    pub(in crate::subscriptions) preview: bool,
}

/// Changes the frequency. Without a date, the next billing date stays, and so does the anchor's day of the month.
///
/// # Errors
/// [`SubscriptionError::Refused`] for an interval that the plan does not allow, or a date that gives a customer a longer
/// trial or free access; [`SubscriptionError::Invalid`].
pub fn apply(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    actor: &Actor,
    request: &ChangeFrequencyRequest,
) -> Result<(), SubscriptionError> {
    let is_empty = request.interval.is_none()
        && request.interval_count.is_none()
        && request.next_billing_date.is_none();
    if is_empty {
        return Err(SubscriptionError::Invalid(
            "One of `interval`, `interval_count` and `next_billing_date` is required".to_owned(),
        ));
    }
    if request.interval_count.is_some_and(|count| !(1..=52).contains(&count)) {
        let message = "`interval_count` is from 1 to 52".to_owned();
        return Err(SubscriptionError::Invalid(message));
    }
    subscription.check("change-frequency")?;
    check_cutoff(tx, subscription, actor)?;
    let before = subscription.interval();
    let interval = Interval {
        unit: request.interval.unwrap_or(before.unit),
        count: request.interval_count.unwrap_or(before.count),
    };
    let is_allowed = interval == before
        || actor.is_admin
        || subscription.terms.allowed_frequencies.contains(&interval);
    if !is_allowed {
        return Err(SubscriptionError::Refused(
            "The plan does not allow this frequency".to_owned(),
        ));
    }
    let date = request.next_billing_date.as_ref().map(Text::as_str);
    let date = date.map(|day| date_within(tx, subscription, actor, day)).transpose()?;
    if date.is_none() && interval == before {
        // A new anchor would lose the skipped cycles.
        return Ok(());
    }
    let due_at = schedule::next_billed(tx, subscription)?.due_at;
    let day = subscription.anchor_day;
    subscription.unit = interval.unit;
    subscription.interval_count = interval.count;
    match date {
        Some(at) => move_to(tx, subscription, at)?,
        None => set_anchor(tx, subscription, due_at, Some(day))?,
    }
    if interval != before {
        change::follow_items(tx, subscription)?;
    }
    finish(tx, subscription)
}

/// Bills next at an instant.
///
/// # Errors
/// [`SubscriptionError::NotAllowed`] unless it is active or in trial; [`SubscriptionError::Invalid`] for a past instant.
pub fn reschedule(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    at: Timestamp,
) -> Result<(), SubscriptionError> {
    subscription.check("change-frequency")?;
    if at < tx.now() {
        return Err(SubscriptionError::Invalid("`at` is in the past".to_owned()));
    }
    move_to(tx, subscription, at)?;
    finish(tx, subscription)
}

fn move_to(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    at: Timestamp,
) -> Result<(), SubscriptionError> {
    set_anchor(tx, subscription, at, None)?;
    if subscription.status == SubscriptionStatus::Trial {
        subscription.trial_end = Some(at);
    }
    Ok(())
}

fn finish(tx: &Tx<'_>, subscription: &mut Subscription) -> Result<(), SubscriptionError> {
    change::save(tx, subscription)?;
    let facts = json!({
        "interval": subscription.unit.as_str(),
        "interval_count": subscription.interval_count,
        "next_billing_at": subscription.next_billing_at,
    });
    change::event(tx, "subscription.rescheduled", subscription, facts)
}

fn date_within(
    tx: &Tx<'_>,
    subscription: &Subscription,
    actor: &Actor,
    day: &str,
) -> Result<Timestamp, SubscriptionError> {
    let at = on_day(subscription, day)?;
    check_paid_until(subscription, actor, at)?;
    let bounds = subscription.anchor().and_then(|anchor| {
        // The anchor does not know the first instant of tomorrow, but its local time today.
        Some((anchor.days_after(tx.now(), 1)?, anchor.days_after(tx.now(), MAX_DAYS)?))
    });
    match bounds {
        Some((first, last)) if (first..=last).contains(&at) => Ok(at),
        Some(_) | None => Err(SubscriptionError::Invalid(format!(
            "`next_billing_date` is from tomorrow to {MAX_DAYS} days ahead"
        ))),
    }
}

/// Rejects a date until which a customer would use for free what the trial or the last payment does not cover.
fn check_paid_until(
    subscription: &Subscription,
    actor: &Actor,
    at: Timestamp,
) -> Result<(), SubscriptionError> {
    let (end, of) = if subscription.status == SubscriptionStatus::Trial {
        (subscription.trial_end, "the trial")
    } else {
        let is_access = subscription.kind == SubscriptionKind::Access;
        (subscription.current_period_end.filter(|_| is_access), "the period that is paid for")
    };
    // The next billing may be later already, for example after a pause.
    let end = end.max(end.and(subscription.next_billing_at));
    if !actor.is_admin && end.is_some_and(|end| at > end) {
        let message = format!("`next_billing_date` is not after the end of {of}");
        return Err(SubscriptionError::Refused(message));
    }
    Ok(())
}
