//! The last step of billing a cycle: one write turns the draft into the order, or releases everything.

use super::{dunning, steps, swap};
use crate::database::{Table as _, Tx};
use crate::ids::SubscriptionAttemptId;
use crate::orders;
use crate::payments::methods::PaymentMethod;
use crate::payments::provider::{AUTHENTICATION_REQUIRED, Data, Outcome};
use crate::payments::{self, renewals};
use crate::subscriptions::cycle::{Attempt, AttemptStatus, Cycle};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::ledger::AdjustmentKind;
use crate::subscriptions::subscription::Subscription;
use crate::subscriptions::{change, queries};

/// Records the provider's answer to an attempt, once: if it was already settled, that result stands. Returns the
/// attempt.
pub(crate) fn settle(
    tx: &Tx<'_>,
    id: &SubscriptionAttemptId,
    outcome: &Outcome,
) -> Result<Attempt, SubscriptionError> {
    let mut attempt = Attempt::require::<SubscriptionError>(tx, id)?;
    if attempt.status != AttemptStatus::Pending {
        return Ok(attempt);
    }
    let cycle = queries::cycle_of(tx, id)?;
    let mut cycle =
        cycle.ok_or_else(|| crate::database::Missing::new(Cycle::TITLE, &attempt.cycle_id))?;
    let mut subscription = change::load(tx, &cycle.subscription_id)?;
    attempt.settled_at = Some(tx.now());
    let (data, is_captured) = match outcome {
        Outcome::Captured { data } => (data, true),
        Outcome::Authorized { data } => (data, false),
        Outcome::RequiresMore { data } => {
            // The data with which the shopper can authenticate the card stays with the refused
            // session.
            let refusal = (AUTHENTICATION_REQUIRED, Some(data));
            refuse(tx, (&mut subscription, &mut cycle), attempt, refusal)?;
            return Attempt::require(tx, id);
        }
        Outcome::Declined { reason } => {
            refuse(tx, (&mut subscription, &mut cycle), attempt, (reason, None))?;
            return Attempt::require(tx, id);
        }
    };
    if let Some(session_id) = &attempt.payment_session_id {
        payments::authorized(tx, &attempt.order_id, session_id, data, is_captured)?;
    }
    attempt.status = AttemptStatus::Paid;
    attempt.update(tx)?;
    if attempt.item_id.is_some() {
        swap::paid(tx, &mut subscription, &attempt)?;
        return Ok(attempt);
    }
    if attempt.payment_method_id != subscription.payment_method_id
        && let Some(method_id) = &attempt.payment_method_id
        && PaymentMethod::find(tx, method_id)?.is_some()
    {
        // The method that paid is charged from now on, unless it has ended since.
        subscription.payment_method_id = Some(method_id.clone());
    }
    steps::paid(tx, &mut subscription, &mut cycle, &attempt.order_id)?;
    Ok(attempt)
}

/// Releases what the claim took.
fn refuse(
    tx: &Tx<'_>,
    (subscription, cycle): (&mut Subscription, &mut Cycle),
    mut attempt: Attempt,
    (reason, data): (&str, Option<&Data>),
) -> Result<(), SubscriptionError> {
    orders::discard_draft(tx, &attempt.order_id)?;
    if let Some(session_id) = &attempt.payment_session_id {
        renewals::refused(tx, session_id, data)?;
    }
    let returned = (AdjustmentKind::Returned, attempt.credit_balance_minor, 0);
    change::adjust(tx, subscription, Some(&cycle.id), returned)?;
    if attempt.store_credit_minor > 0 {
        let note = "the payment of the rest failed";
        change::give_credit(tx, subscription, attempt.store_credit_minor, note)?;
    }
    attempt.status = AttemptStatus::Refused;
    attempt.reason = Some(reason.to_owned());
    attempt.update(tx)?;
    if let Some(item_id) = &attempt.item_id {
        return swap::refused(tx, subscription, item_id);
    }
    dunning::refused(tx, subscription, cycle, reason, &attempt.cause)
}
