//! The first step of billing a cycle: one write reserves and freezes what it needs.

use super::bill::{self, Bill, cannot_be_sent};
use super::{dunning, steps};
use crate::credit;
use crate::customers::AccountHolder;
use crate::database::{Table as _, Tx};
use crate::ids::{PaymentMethodId, SubscriptionAttemptId};
use crate::inventory::InventoryError;
use crate::orders::{self, OrderError};
use crate::payments::methods::{self, PaymentMethod, SavedCharge};
use crate::payments::payment::Session;
use crate::payments::{self, renewals};
use crate::proportion::add;
use crate::subscriptions::cycle::{Attempt, AttemptStatus, Cycle, CycleStatus};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::ledger::AdjustmentKind;
use crate::subscriptions::subscription::Subscription;
use crate::subscriptions::{change, queries};

/// A charge that the provider has not answered.
#[derive(Debug, Clone)]
pub(crate) struct PendingCharge {
    pub(crate) attempt_id: SubscriptionAttemptId,
    pub(super) session: Session,
    pub(super) saved: SavedCharge,
}

/// The result of a claim.
#[derive(Debug)]
pub(crate) enum Claimed {
    /// The provider has to be called.
    Ask(Box<PendingCharge>),
    /// There was nothing to charge, so the cycle is paid.
    Paid,
    /// It cannot be sent now.
    NotSent,
    /// Refused without a call, for this reason.
    Refused(&'static str),
}

/// Who requests the billing of a cycle, and with which method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BillingRequest<'a> {
    /// `schedule`, `dunning`, `new_method`, `customer`, `shopper` or `admin`.
    pub(crate) cause: &'static str,
    /// Instead of the subscription's own method.
    pub(crate) method_id: Option<&'a PaymentMethodId>,
}

/// Claims a cycle that is new or unpaid.
pub(crate) fn claim(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    cycle: &mut Cycle,
    request: BillingRequest<'_>,
) -> Result<Claimed, SubscriptionError> {
    steps::replace_items(tx, subscription, cycle.due_at)?;
    let bill = match bill::compute(tx, subscription, cycle.number, cycle.due_at) {
        Err(error) if cannot_be_sent(&error) => {
            steps::wait_for_stock(tx, subscription, cycle, request.cause)?;
            return Ok(Claimed::NotSent);
        }
        bill => bill?,
    };
    let order = bill.order(tx, subscription, cycle.number)?;
    let method = method(tx, subscription, request.method_id)?;
    if bill.amount_minor > 0 && method.is_none() {
        let reason = dunning::NO_PAYMENT_METHOD;
        dunning::refused(tx, subscription, cycle, reason, request.cause)?;
        return Ok(Claimed::Refused(reason));
    }
    match orders::place_draft(tx, &order, |_| true) {
        Err(OrderError::Inventory(InventoryError::InsufficientInventory { .. })) => {
            steps::wait_for_stock(tx, subscription, cycle, request.cause)?;
            return Ok(Claimed::NotSent);
        }
        placed => placed?,
    }
    take_credit(tx, subscription, cycle, &bill)?;
    cycle.total_minor = Some(bill.cart.totals.all.total);
    cycle.attempt_count = add(cycle.attempt_count, 1)?;
    let session = match &method {
        Some((method, _)) if bill.amount_minor > 0 => Some(renewals::open(
            tx,
            &order.id,
            bill.amount_minor,
            subscription.currency,
            &method.provider_id,
        )?),
        Some(_) | None => None,
    };
    let attempt = Attempt {
        payment_session_id: session.as_ref().map(|session| session.id.clone()),
        payment_method_id: method.as_ref().map(|(method, _)| method.id.clone()),
        credit_balance_minor: bill.credit_balance_minor,
        store_credit_minor: bill.store_credit.as_ref().map_or(0, |(_, amount)| *amount),
        ..Attempt::new(cycle, order.id.clone(), bill.amount_minor, request.cause, tx.now())
    };
    match session.zip(method) {
        None => {
            cycle.put(tx)?;
            let paid =
                Attempt { status: AttemptStatus::Paid, settled_at: Some(tx.now()), ..attempt };
            paid.insert(tx)?;
            payments::balance_due::record_nothing_due(tx, &order.id, subscription.currency)?;
            steps::paid(tx, subscription, cycle, &order.id)?;
            Ok(Claimed::Paid)
        }
        Some((session, (method, holder))) => {
            cycle.status = CycleStatus::Billing;
            cycle.put(tx)?;
            attempt.insert(tx)?;
            change::save(tx, subscription)?;
            let saved = SavedCharge::new(attempt.id.as_str(), &method, &holder);
            Ok(Claimed::Ask(Box::new(PendingCharge { attempt_id: attempt.id, session, saved })))
        }
    }
}

/// Returns the charge of an unanswered earlier attempt.
pub(super) fn pending(
    tx: &Tx<'_>,
    attempt: &Attempt,
) -> Result<Option<PendingCharge>, SubscriptionError> {
    let Some(session_id) = &attempt.payment_session_id else { return Ok(None) };
    let Some(method_id) = &attempt.payment_method_id else { return Ok(None) };
    let session = payments::session(tx, session_id)?;
    let saved = methods::charge_of(tx, method_id, attempt.id.as_str())?;
    let attempt_id = attempt.id.clone();
    Ok(saved.map(|saved| PendingCharge { attempt_id, session, saved }))
}

/// Returns the method to charge, with its holder.
pub(super) fn method(
    tx: &Tx<'_>,
    subscription: &Subscription,
    instead: Option<&PaymentMethodId>,
) -> Result<Option<(PaymentMethod, AccountHolder)>, SubscriptionError> {
    let method = match (instead, &subscription.payment_method_id) {
        // Money that arrives late was taken with its method, even if that has ended since.
        (Some(id), _) => methods::find_any(tx, id)?,
        (None, Some(id)) => PaymentMethod::find(tx, id)?,
        (None, None) => None,
    };
    let Some(method) = method else { return Ok(None) };
    let holder = AccountHolder::find(tx, &method.account_holder_id)?;
    Ok(holder.map(|holder| (method, holder)))
}

fn take_credit(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    cycle: &Cycle,
    bill: &Bill,
) -> Result<(), SubscriptionError> {
    let spent = bill.credit_balance_minor.saturating_neg();
    change::adjust(tx, subscription, Some(&cycle.id), (AdjustmentKind::Spent, spent, 0))?;
    if let Some((account_id, amount_minor)) = &bill.store_credit {
        let entry = change::credit_entry(subscription, *amount_minor, None);
        credit::debit(tx, account_id, subscription.currency, entry)?;
    }
    Ok(())
}

/// Claims the open cycle of a subscription again, now.
///
/// # Errors
/// [`SubscriptionError::Busy`] while it is being billed.
pub(crate) fn claim_open(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    request: BillingRequest<'_>,
) -> Result<Option<Claimed>, SubscriptionError> {
    let Some(mut cycle) = queries::open_cycle(tx, &subscription.id)? else { return Ok(None) };
    if cycle.status == CycleStatus::Billing {
        return Err(SubscriptionError::Busy(subscription.id.clone()));
    }
    claim(tx, subscription, &mut cycle, request).map(Some)
}
