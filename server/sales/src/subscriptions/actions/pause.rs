//! Pauses a subscription, or moves the end of its pause.

use serde_json::json;

use super::{Actor, check_cutoff, on_day};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::subscriptions::change;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::ledger::MovementKind;
use crate::subscriptions::schedule;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::{Subscription, SubscriptionKind};

/// Pauses, until a day if one is given. What has been paid for stays: access ends with its period.
///
/// # Errors
/// [`SubscriptionError::NotAllowed`]; [`SubscriptionError::Invalid`] for a day that is too far.
pub fn apply(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    actor: &Actor,
    resume_day: Option<&str>,
) -> Result<(), SubscriptionError> {
    subscription.check("pause")?;
    let is_new = subscription.status != SubscriptionStatus::Paused;
    if is_new {
        check_cutoff(tx, subscription, actor)?;
    }
    let paused_at = match subscription.kind {
        SubscriptionKind::Delivery => tx.now(),
        SubscriptionKind::Access => {
            subscription.current_period_end.unwrap_or(tx.now()).max(tx.now())
        }
    };
    subscription.paused_at.get_or_insert(paused_at);
    let resume_at = resume_day.map(|day| within_limit(tx, subscription, day)).transpose()?;
    if !is_new && (resume_at.is_none() || resume_at == subscription.resume_at) {
        return Ok(());
    }
    subscription.resume_at = resume_at;
    if is_new {
        change::void_open_cycle(tx, subscription)?;
        subscription.cancel_at = None;
        change::enter(tx, subscription, SubscriptionStatus::Paused, &actor.cause("pause"))?;
        change::set_revenue(tx, subscription, 0, MovementKind::Pause)?;
    }
    change::save(tx, subscription)?;
    let facts = json!({ "resume_at": subscription.resume_at });
    change::event(tx, "subscription.paused", subscription, facts)
}

fn within_limit(
    tx: &Tx<'_>,
    subscription: &Subscription,
    day: &str,
) -> Result<Timestamp, SubscriptionError> {
    let at = on_day(subscription, day)?;
    let last = schedule::longest_pause(subscription).unwrap_or(tx.now());
    if at <= tx.now() || at > last {
        let days = subscription.terms.max_pause_days;
        let message = format!("`resume_at` is a day ahead, and a pause has at most {days} days");
        return Err(SubscriptionError::Invalid(message));
    }
    Ok(at)
}
