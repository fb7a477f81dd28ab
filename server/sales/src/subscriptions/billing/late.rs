//! What happens to money that a processor reports for a charge after its answer was settled.
//!
//! A shopper may authenticate a card days after it was refused, or a processor may change its decision. The money pays
//! for the cycle if it is still open; otherwise it is refunded, once.

use super::claim::{self, BillingRequest, Claimed};
use super::settle;
use crate::database::{Table as _, Tx};
use crate::ids::{OrderId, PaymentSessionId, SubscriptionAttemptId};
use crate::payments::payment::Session;
use crate::payments::provider::{Data, Outcome};
use crate::payments::renewals;
use crate::subscriptions::cycle::{Attempt, AttemptStatus, CycleStatus};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::{change, queries};

/// What happened to the money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Late {
    /// It pays this order.
    Paid(OrderId),
    /// It is given back.
    Returned,
    /// It was dealt with before.
    Known,
    /// Another charge of the cycle is still unanswered.
    Waits,
}

/// Returns the payment session of an attempt, if there is such an attempt.
pub fn session_of_attempt(
    tx: &Tx<'_>,
    id: &SubscriptionAttemptId,
) -> Result<Option<PaymentSessionId>, SubscriptionError> {
    Ok(Attempt::find(tx, id)?.and_then(|attempt| attempt.payment_session_id))
}

/// Takes the money that a processor reports for an attempt. `intent` is its id of the payment.
pub fn paid_late(
    tx: &Tx<'_>,
    id: &SubscriptionAttemptId,
    intent: &str,
) -> Result<Late, SubscriptionError> {
    let attempt = Attempt::require::<SubscriptionError>(tx, id)?;
    let session = attempt.payment_session_id.as_ref();
    let session = session.map(|id| Session::find(tx, id)).transpose()?.flatten();
    let Some(session) = session.filter(|session| session.parked_at.is_none()) else {
        return Ok(Late::Known);
    };
    let data = renewals::captured_data(intent);
    match attempt.status {
        AttemptStatus::Paid => return Ok(Late::Known),
        AttemptStatus::Pending => {
            let settled = settle::settle(tx, id, &Outcome::Captured { data })?;
            return Ok(Late::Paid(settled.order_id));
        }
        AttemptStatus::Refused => {}
    }
    if let Some(cycle) = queries::cycle_of(tx, id)?
        && cycle.status == CycleStatus::Billing
    {
        return Ok(Late::Waits);
    }
    let paid = tx.attempt(|tx| pay_with(tx, &attempt, &session, &data))?;
    match paid {
        Ok(Some(order_id)) => {
            renewals::moved(tx, &session)?;
            return Ok(Late::Paid(order_id));
        }
        Ok(None) => {}
        Err(SubscriptionError::Db(error)) => return Err(error.into()),
        Err(error) => tracing::warn!(attempt = id.as_str(), %error, "late money pays no cycle"),
    }
    renewals::give_back(tx, Session { data, ..session })?;
    Ok(Late::Returned)
}

/// Pays for the cycle of a refused attempt, if it is open and still costs the same.
///
/// # Errors
/// If it cannot be paid; then the writes must be undone.
fn pay_with(
    tx: &Tx<'_>,
    attempt: &Attempt,
    session: &Session,
    data: &Data,
) -> Result<Option<OrderId>, SubscriptionError> {
    let Some(mut cycle) = queries::cycle_of(tx, &attempt.id)? else { return Ok(None) };
    let mut subscription = change::load(tx, &cycle.subscription_id)?;
    let is_open = cycle.status == CycleStatus::Unpaid && !subscription.status.is_final();
    // A swap can be charged while its cycle, billed early, waits for stock: that money is not for the cycle.
    if !is_open || attempt.item_id.is_some() {
        return Ok(None);
    }
    let request =
        BillingRequest { cause: "shopper", method_id: attempt.payment_method_id.as_ref() };
    let claimed = claim::claim(tx, &mut subscription, &mut cycle, request)?;
    let Claimed::Ask(charge) = claimed else { return Err(unlike()) };
    if charge.session.amount_minor != session.amount_minor {
        return Err(unlike());
    }
    let outcome = Outcome::Captured { data: data.clone() };
    let settled = settle::settle(tx, &charge.attempt_id, &outcome)?;
    Ok(Some(settled.order_id))
}

fn unlike() -> SubscriptionError {
    SubscriptionError::Invalid("The cycle cannot be paid with this amount".to_owned())
}
