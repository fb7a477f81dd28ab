//! Pays an unpaid cycle, now, or makes it void.

use serde_json::json;

use crate::clock::{DAY_MS, Timestamp};
use crate::context::Context;
use crate::database::{Db, Tx};
use crate::payments::PaymentGateway;
use crate::payments::provider::AUTHENTICATION_REQUIRED;
use crate::subscriptions::actions::{Actor, Call};
use crate::subscriptions::billing::{self, Claimed, PendingCharge};
use crate::subscriptions::cycle::AttemptStatus;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::Subscription;
use crate::subscriptions::{change, queries};

/// Limit: a customer's attempts to pay one cycle per day, to prevent card testing.
const MAX_A_DAY: i64 = 5;

/// The result of the attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Retried {
    Paid,
    /// Of a preview: the method would be charged.
    Charged,
    /// The provider has not answered; the server keeps retrying.
    Processing,
    NothingDue,
    /// The shopper has to act first.
    RequiresAction,
}

/// Pays the unpaid cycle, with a method that becomes the subscription's own if the payment succeeds. If nothing is due, it
/// is used from the next cycle on. A preview does not call the provider.
pub(crate) async fn pay(
    db: &Db,
    gateway: &PaymentGateway,
    call: Call,
    reference: Option<String>,
) -> Result<Retried, SubscriptionError> {
    let (db, gateway) = (db.clone(), gateway.clone());
    let work = async move {
        let lock = gateway.locks.lock(call.id.as_str(), billing::LOCK_WAIT_LIMIT).await;
        let Some(_lock) = lock else { return Err(SubscriptionError::Busy(call.id)) };
        let is_preview = call.is_preview;
        let claimed =
            super::write(&db, is_preview, move |tx| claim(tx, &call, reference.as_deref()));
        match claimed.await? {
            Begun::Ended(retried) => Ok(retried),
            Begun::Refused(reason) => Err(SubscriptionError::Declined(reason.to_owned())),
            Begun::Ask(_) if is_preview => Ok(Retried::Charged),
            Begun::Ask(charge) => ask(&db, &gateway, *charge).await,
        }
    };
    Context::current().run_to_end(work).await
}

async fn ask(
    db: &Db,
    gateway: &PaymentGateway,
    charge: PendingCharge,
) -> Result<Retried, SubscriptionError> {
    let Some(attempt) = billing::ask(db, gateway, charge).await? else {
        return Ok(Retried::Processing);
    };
    match (attempt.status, attempt.reason.as_deref()) {
        (AttemptStatus::Refused, Some(AUTHENTICATION_REQUIRED)) => Ok(Retried::RequiresAction),
        (AttemptStatus::Refused, reason) => {
            Err(SubscriptionError::Declined(reason.unwrap_or("card_declined").to_owned()))
        }
        (AttemptStatus::Pending | AttemptStatus::Paid, _) => Ok(Retried::Paid),
    }
}

enum Begun {
    Ended(Retried),
    Refused(&'static str),
    Ask(Box<PendingCharge>),
}

fn claim(tx: &Tx<'_>, call: &Call, reference: Option<&str>) -> Result<Begun, SubscriptionError> {
    let mut subscription = call.load(tx)?;
    let open = queries::open_cycle(tx, &subscription.id)?;
    let method_id =
        reference.map(|named| change::method(tx, &subscription.customer_id, named)).transpose()?;
    let Some(cycle) = open.filter(|cycle| cycle.first_failed_at.is_some()) else {
        if method_id.is_some() && !subscription.status.is_final() {
            subscription.payment_method_id = method_id;
            change::save(tx, &mut subscription)?;
        }
        return Ok(Begun::Ended(Retried::NothingDue));
    };
    if !call.actor.is_admin {
        let since: Timestamp = tx.now().minus_ms(DAY_MS);
        if queries::attempts_by_customer(tx, &cycle.id, since)? >= MAX_A_DAY {
            return Err(SubscriptionError::TooManyAttempts);
        }
    }
    let cause = if call.actor.is_admin { "admin" } else { "customer" };
    let request = billing::BillingRequest { cause, method_id: method_id.as_ref() };
    Ok(match billing::claim_open(tx, &mut subscription, request)? {
        Some(Claimed::Ask(charge)) => Begun::Ask(charge),
        Some(Claimed::Paid) => Begun::Ended(Retried::Paid),
        Some(Claimed::Refused(reason)) => Begun::Refused(reason),
        // Only the daily attempts count as delays, so this one is rolled back.
        Some(Claimed::NotSent) => {
            return Err(SubscriptionError::Refused("The goods are out of stock".to_owned()));
        }
        None => Begun::Ended(Retried::NothingDue),
    })
}

/// Makes the open cycle void: nothing is owed for it, a past due subscription becomes active again, and deliveries that
/// fell due in the meantime are skipped.
///
/// # Errors
/// [`SubscriptionError::Refused`] if the cycle is not unpaid.
pub(crate) fn void(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    actor: &Actor,
    number: i64,
) -> Result<(), SubscriptionError> {
    let open = queries::open_cycle(tx, &subscription.id)?;
    if open.is_none_or(|cycle| cycle.number != number) {
        return Err(SubscriptionError::Refused(format!("Cycle {number} is not unpaid")));
    }
    change::void_open_cycle(tx, subscription)?;
    if subscription.status == SubscriptionStatus::PastDue {
        change::enter(tx, subscription, SubscriptionStatus::Active, actor.cause("void"))?;
    }
    billing::skip_missed(tx, subscription)?;
    change::save(tx, subscription)?;
    let facts = json!({ "cycle": number, "reason": "void" });
    change::event(tx, "subscription.skipped", subscription, facts)
}
