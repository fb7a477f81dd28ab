//! Cancels a subscription, immediately or at the end of the paid period, or reverts that.

use serde_json::json;

use super::{Actor, check_cutoff, check_cutoff_of};
use serde::Deserialize;

use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::{Text, ToSchema, request};
use crate::proportion::{add, subtract};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::{CancellationReason, Subscription};
use crate::subscriptions::{change, queries, schedule};

/// When a subscription is canceled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = CancelAtRequest)]
pub enum CancelAt {
    #[default]
    PeriodEnd,
    Now,
}

/// Why it is canceled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ReasonRequest {
    TooExpensive,
    TooMuch,
    NotNeeded,
    Quality,
    Switched,
    Moved,
    Other,
}

impl From<ReasonRequest> for CancellationReason {
    fn from(reason: ReasonRequest) -> Self {
        match reason {
            ReasonRequest::TooExpensive => Self::TooExpensive,
            ReasonRequest::TooMuch => Self::TooMuch,
            ReasonRequest::NotNeeded => Self::NotNeeded,
            ReasonRequest::Quality => Self::Quality,
            ReasonRequest::Switched => Self::Switched,
            ReasonRequest::Moved => Self::Moved,
            ReasonRequest::Other => Self::Other,
        }
    }
}

/// A cancellation, or its undoing.
#[request]
#[schema(example = json!({ "at": "period_end", "reason": "too_much" }))]
pub struct CancellationRequest {
    #[serde(default)]
    at: CancelAt,
    reason: Option<ReasonRequest>,
    comment: Option<Text<1_000>>,
    /// Reverts a planned cancellation.
    #[serde(default)]
    undo: bool,
    /// Computes the result and writes nothing.
    #[serde(default)]
    pub(in crate::subscriptions) preview: bool,
}

/// Cancels. Canceling again changes nothing.
///
/// # Errors
/// [`SubscriptionError::TooEarly`] before the least number of cycles; [`SubscriptionError::NotAllowed`].
pub fn apply(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    actor: &Actor,
    request: CancellationRequest,
) -> Result<(), SubscriptionError> {
    if request.undo {
        return undo(tx, subscription);
    }
    if subscription.status == SubscriptionStatus::Canceled {
        return Ok(());
    }
    subscription.check("cancellation")?;
    let is_planned =
        request.at == CancelAt::PeriodEnd && subscription.status == SubscriptionStatus::Active;
    if is_planned && subscription.cancel_at.is_some() {
        return Ok(());
    }
    check_term(subscription, actor)?;
    let is_running =
        matches!(subscription.status, SubscriptionStatus::Trial | SubscriptionStatus::Active);
    if is_running && !is_planned {
        // The next cycle would not be billed.
        check_cutoff(tx, subscription, actor)?;
    }
    if let Some(reason) = request.reason {
        subscription.cancellation_reason = Some(reason.into());
    }
    if let Some(comment) = request.comment {
        subscription.cancellation_comment = Some(comment.into());
    }
    if !is_planned {
        let cause = actor.cause("cancellation");
        return change::end(tx, subscription, SubscriptionStatus::Canceled, None, cause);
    }
    let cancel_at = first_end(tx, subscription, actor)?;
    subscription.cancel_at = Some(cancel_at);
    change::save(tx, subscription)?;
    let facts = json!({ "cancel_at": cancel_at });
    change::event(tx, "subscription.cancellation_planned", subscription, facts)
}

/// Returns the earliest possible end: that of the paid period, or of the last cycle that a customer can no longer
/// change, which is still billed.
fn first_end(
    tx: &Tx<'_>,
    subscription: &Subscription,
    actor: &Actor,
) -> Result<Timestamp, SubscriptionError> {
    let skipped = queries::skipped_after(tx, &subscription.id, subscription.cycle)?;
    let mut end = schedule::ahead(subscription, 0)?.due_at;
    for coming in schedule::coming(subscription, &skipped, schedule::MAX_AHEAD) {
        let (cycle, is_skipped) = coming?;
        if is_skipped {
            continue;
        }
        if check_cutoff_of(tx, subscription, actor, cycle.due_at).is_ok() {
            break;
        }
        end = schedule::due(subscription, add(cycle.period, 1)?)?;
    }
    Ok(end)
}

/// Reverts a planned cancellation.
pub(super) fn undo(tx: &Tx<'_>, subscription: &mut Subscription) -> Result<(), SubscriptionError> {
    if subscription.cancel_at.is_none() || subscription.status != SubscriptionStatus::Active {
        return Err(change::not_allowed(subscription));
    }
    subscription.cancel_at = None;
    subscription.cancellation_reason = None;
    subscription.cancellation_comment = None;
    change::save(tx, subscription)?;
    change::event(tx, "subscription.resumed", subscription, json!({}))
}

/// Checks the least number of cycles, which binds customers only.
fn check_term(subscription: &Subscription, actor: &Actor) -> Result<(), SubscriptionError> {
    let least = subscription.terms.min_cycles.filter(|_| !actor.is_admin).unwrap_or(0);
    let missing = subtract(least, subscription.paid_cycles)?;
    let is_running =
        matches!(subscription.status, SubscriptionStatus::Active | SubscriptionStatus::Paused);
    if missing < 1 || !is_running {
        return Ok(());
    }
    let period = add(subscription.period, subtract(missing, 1)?)?;
    Err(SubscriptionError::TooEarly(schedule::due(subscription, period)?))
}
