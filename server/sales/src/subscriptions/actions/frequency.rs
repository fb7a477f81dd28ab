//! Changes the interval, the date of the next billing, or both.

use serde_json::json;

use super::{Actor, check_cutoff, on_day, set_anchor};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::subscriptions::anchor::{Interval, Unit};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::Subscription;
use crate::subscriptions::{change, schedule};

/// Limit: days until the next billing.
const MAX_DAYS: i64 = 365;

/// A new rhythm.
#[derive(Debug, Clone, Default)]
pub struct Frequency {
    pub unit: Option<Unit>,
    pub count: Option<i64>,
    /// The day of the next billing, from tomorrow to a year ahead.
    pub next_billing_date: Option<String>,
}

/// Changes the frequency. Without a date, the next billing date stays, and so does the anchor's day of the month.
///
/// # Errors
/// [`SubscriptionError::Refused`] for an interval that the plan does not allow; [`SubscriptionError::Invalid`].
pub fn apply(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    actor: &Actor,
    frequency: &Frequency,
) -> Result<(), SubscriptionError> {
    subscription.check("change-frequency")?;
    check_cutoff(tx, subscription, actor)?;
    let before = subscription.interval();
    let interval = Interval {
        unit: frequency.unit.unwrap_or(before.unit),
        count: frequency.count.unwrap_or(before.count),
    };
    let is_allowed = interval == before
        || actor.is_admin
        || subscription.terms.allowed_frequencies.contains(&interval);
    if !is_allowed {
        return Err(SubscriptionError::Refused(
            "The plan does not allow this frequency".to_owned(),
        ));
    }
    let date = frequency.next_billing_date.as_deref();
    let date = date.map(|day| date_within(tx, subscription, day)).transpose()?;
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
    day: &str,
) -> Result<Timestamp, SubscriptionError> {
    let at = on_day(subscription, day)?;
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
