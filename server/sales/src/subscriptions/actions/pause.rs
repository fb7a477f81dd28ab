//! Pauses a subscription, moves the end of its pause, or resumes it.

use serde::Deserialize;
use serde_json::json;

use super::{Actor, cancellation, check_cutoff, on_day, set_anchor};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::ToSchema;
use crate::subscriptions::change::{self, Cause};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::ledger::MovementKind;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::{Subscription, SubscriptionKind};
use crate::subscriptions::{queries, revenue, schedule};

/// From when a subscription is billed again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ResumeFromRequest)]
pub enum ResumeFrom {
    /// The first due date of its anchor that is ahead.
    #[default]
    Schedule,
    /// Now, which is its new anchor; by the schedule while access is still paid for.
    Now,
}

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
        change::enter(tx, subscription, SubscriptionStatus::Paused, actor.cause("pause"))?;
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

/// Ends a pause, or reverts a planned cancellation.
///
/// # Errors
/// [`SubscriptionError::NotAllowed`] unless it is paused or to be canceled.
pub fn resume(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    actor: &Actor,
    from: ResumeFrom,
) -> Result<(), SubscriptionError> {
    subscription.check("resume")?;
    if subscription.status == SubscriptionStatus::Active {
        return cancellation::undo(tx, subscription);
    }
    // Access that is still paid for is not charged a second time.
    let is_paid_ahead = subscription.paused_at.is_some_and(|at| at > tx.now());
    match from {
        ResumeFrom::Now if !is_paid_ahead => {
            set_anchor(tx, subscription, tx.now(), None)?;
            end_pause(tx, subscription, actor.cause("resume"))
        }
        ResumeFrom::Now | ResumeFrom::Schedule => {
            resume_by_schedule(tx, subscription, actor.cause("resume"))
        }
    }
}

/// Resumes with the first due date of the anchor that is ahead.
pub(in crate::subscriptions) fn resume_by_schedule(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    cause: impl Into<Cause>,
) -> Result<(), SubscriptionError> {
    let anchor = subscription.anchor();
    let next = anchor.and_then(|anchor| anchor.next_after(subscription.interval(), tx.now()));
    let next = next.ok_or_else(schedule::beyond_calendar)?;
    if next > subscription.period {
        subscription.period = next;
        // A skip is of a date, and the numbers of cycles now have later ones.
        queries::unskip(tx, &subscription.id, subscription.cycle, None)?;
    }
    end_pause(tx, subscription, cause)
}

fn end_pause(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    cause: impl Into<Cause>,
) -> Result<(), SubscriptionError> {
    change::enter(tx, subscription, SubscriptionStatus::Active, cause)?;
    subscription.paused_at = None;
    subscription.resume_at = None;
    let monthly = revenue::monthly(tx, subscription)?;
    change::set_revenue(tx, subscription, monthly, MovementKind::Resume)?;
    change::save(tx, subscription)?;
    let facts = json!({ "next_billing_at": subscription.next_billing_at });
    change::event(tx, "subscription.resumed", subscription, facts)
}
