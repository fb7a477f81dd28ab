//! Ends a pause, or reverts a planned cancellation.

use serde_json::json;

use super::{Actor, cancellation, set_anchor};
use serde::Deserialize;

use crate::database::Tx;
use crate::http::ToSchema;
use crate::subscriptions::change::{self, Cause};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::ledger::MovementKind;
use crate::subscriptions::revenue;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::Subscription;

/// From when a subscription is billed again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ResumeFromRequest)]
pub enum ResumeFrom {
    /// The first due date of its anchor that is ahead.
    #[default]
    Schedule,
    /// Now, which is its new anchor.
    Now,
}

/// Resumes.
///
/// # Errors
/// [`SubscriptionError::NotAllowed`] unless it is paused or to be canceled.
pub fn apply(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    actor: &Actor,
    from: ResumeFrom,
) -> Result<(), SubscriptionError> {
    subscription.check("resume")?;
    if subscription.status == SubscriptionStatus::Active {
        return cancellation::undo(tx, subscription);
    }
    let cause = actor.cause("resume");
    match from {
        ResumeFrom::Schedule => by_schedule(tx, subscription, &cause),
        ResumeFrom::Now => {
            set_anchor(tx, subscription, tx.now(), None)?;
            finish(tx, subscription, &cause)
        }
    }
}

/// Resumes with the first due date of the anchor that is ahead.
pub(in crate::subscriptions) fn by_schedule(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    cause: &Cause,
) -> Result<(), SubscriptionError> {
    let next = subscription
        .anchor()
        .and_then(|anchor| anchor.next_after(subscription.interval(), tx.now()));
    let next = next
        .ok_or_else(|| SubscriptionError::Invalid("the date is beyond the calendar".to_owned()))?;
    subscription.period = subscription.period.max(next);
    finish(tx, subscription, cause)
}

fn finish(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    cause: &Cause,
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
