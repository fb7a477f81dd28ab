//! Changes of a subscription: each is written with its transition, its event and a step of its version.

use serde_json::{Value, json};

use super::cycle::CycleStatus;
use super::error::SubscriptionError;
use super::ledger::{Adjustment, AdjustmentKind, Movement, MovementKind, Transition};
use super::status::SubscriptionStatus;
use super::subscription::{CancellationReason, Subscription};
use super::{queries, schedule};
use crate::credit::{self, NewEntry};
use crate::database::{Missing, Table as _, Tx};
use crate::events;
use crate::ids::{
    CustomerId, MrrMovementId, PaymentMethodId, SubscriptionAdjustmentId, SubscriptionCycleId,
    SubscriptionId, SubscriptionTransitionId,
};
use crate::proportion::{add, subtract};

/// Who causes a change, and how.
#[derive(Debug)]
pub(crate) struct Cause {
    /// The event, such as `pause`.
    pub what: &'static str,
    /// The customer, user or key; none for the server itself.
    pub actor_id: Option<String>,
}

/// A cause by the server itself.
impl From<&'static str> for Cause {
    fn from(what: &'static str) -> Self {
        Self { what, actor_id: None }
    }
}

/// Loads a subscription with its items.
pub(super) fn load(tx: &Tx<'_>, id: &SubscriptionId) -> Result<Subscription, SubscriptionError> {
    let mut subscription = Subscription::require::<SubscriptionError>(tx, id)?;
    subscription.items = queries::items(tx, [id])?;
    Ok(subscription)
}

/// Loads a subscription of a customer.
///
/// # Errors
/// [`SubscriptionError::NotFound`], for unknown ones and those of others.
pub(super) fn load_own(
    tx: &Tx<'_>,
    id: &SubscriptionId,
    customer_id: &CustomerId,
) -> Result<Subscription, SubscriptionError> {
    let own = load(tx, id)?;
    let is_own = own.customer_id == *customer_id;
    if is_own { Ok(own) } else { Err(Missing::new(Subscription::TITLE, id).into()) }
}

/// Returns the method of a customer with the provider's id.
pub(super) fn method(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    reference: &str,
) -> Result<PaymentMethodId, SubscriptionError> {
    let found = queries::method_by_reference(tx, customer_id, reference)?;
    Ok(found.ok_or_else(|| Missing::new("Payment method", &reference))?)
}

/// Writes a changed subscription, without its items, as its next version.
pub(super) fn save(tx: &Tx<'_>, subscription: &mut Subscription) -> Result<(), SubscriptionError> {
    subscription.version = add(subscription.version, 1)?;
    write(tx, subscription)
}

/// Writes a subscription whose version has already been incremented.
fn write(tx: &Tx<'_>, subscription: &mut Subscription) -> Result<(), SubscriptionError> {
    let skipped = queries::skipped_after(tx, &subscription.id, subscription.cycle)?;
    let open = queries::open_cycle(tx, &subscription.id)?;
    let is_charging = queries::pending_attempt(tx, &subscription.id)?.is_some();
    schedule::set(subscription, &skipped, open.as_ref(), is_charging, tx)?;
    Ok(subscription.update(tx)?)
}

/// Inserts a new subscription with its first transition.
pub(super) fn insert(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    cause: impl Into<Cause>,
) -> Result<(), SubscriptionError> {
    let skipped = std::collections::BTreeSet::new();
    schedule::set(subscription, &skipped, None, false, tx)?;
    subscription.insert(tx)?;
    for item in &subscription.items {
        item.insert(tx)?;
    }
    transition(tx, subscription, None, cause)
}

/// Moves a subscription to another state; the caller saves it.
///
/// # Errors
/// [`SubscriptionError::NotAllowed`] if no edge leads there.
pub(super) fn enter(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    to: SubscriptionStatus,
    cause: impl Into<Cause>,
) -> Result<(), SubscriptionError> {
    let from = subscription.status;
    if !from.may_become(to) {
        return Err(not_allowed(subscription));
    }
    subscription.status = to;
    // Each transition has its own version, even if one change contains two.
    subscription.version = add(subscription.version, 1)?;
    transition(tx, subscription, Some(from), cause)
}

fn transition(
    tx: &Tx<'_>,
    subscription: &Subscription,
    from_status: Option<SubscriptionStatus>,
    cause: impl Into<Cause>,
) -> Result<(), SubscriptionError> {
    let Cause { what, actor_id } = cause.into();
    let transition = Transition {
        id: SubscriptionTransitionId::new(),
        subscription_id: subscription.id.clone(),
        version: subscription.version,
        from_status,
        to_status: subscription.status,
        cause: what.to_owned(),
        actor_id,
        created_at: tx.now(),
    };
    Ok(transition.insert(tx)?)
}

/// Returns the error for an action that is not allowed.
pub(super) fn not_allowed(subscription: &Subscription) -> SubscriptionError {
    SubscriptionError::NotAllowed {
        id: subscription.id.clone(),
        status: subscription.status,
        actions: subscription.actions(),
    }
}

/// Records an event about a subscription, with the version that it has after the change.
pub(super) fn event(
    tx: &Tx<'_>,
    name: &'static str,
    subscription: &Subscription,
    more: Value,
) -> Result<(), SubscriptionError> {
    let mut payload = json!({
        "id": subscription.id, "customer_id": subscription.customer_id,
        "status": subscription.status, "version": subscription.version,
    });
    if let (Some(payload), Value::Object(more)) = (payload.as_object_mut(), more) {
        payload.extend(more);
    }
    Ok(events::record(tx, name, &payload)?)
}

/// Sets the monthly revenue and writes the movement.
pub(super) fn set_revenue(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    mrr_minor: i64,
    kind: MovementKind,
) -> Result<(), SubscriptionError> {
    let change_minor = subtract(mrr_minor, subscription.mrr_minor)?;
    subscription.mrr_minor = mrr_minor;
    record_movement(tx, subscription, change_minor, kind)
}

/// Sets the monthly revenue of a subscription that starts.
pub(super) fn begin_revenue(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
) -> Result<(), SubscriptionError> {
    let monthly = super::revenue::monthly(tx, subscription)?;
    let is_return = queries::is_return(tx, subscription)?;
    let kind = if is_return { MovementKind::Reactivation } else { MovementKind::New };
    set_revenue(tx, subscription, monthly, kind)
}

fn record_movement(
    tx: &Tx<'_>,
    subscription: &Subscription,
    change_minor: i64,
    kind: MovementKind,
) -> Result<(), SubscriptionError> {
    if change_minor == 0 {
        return Ok(());
    }
    let movement = Movement {
        id: MrrMovementId::new(),
        subscription_id: subscription.id.clone(),
        kind,
        currency: subscription.currency,
        amount_minor: change_minor.saturating_abs(),
        change_minor,
        created_at: tx.now(),
    };
    Ok(movement.insert(tx)?)
}

/// Sets the monthly revenue to that of the items, after they have changed.
pub(super) fn follow_items(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
) -> Result<(), SubscriptionError> {
    let is_counted =
        matches!(subscription.status, SubscriptionStatus::Active | SubscriptionStatus::PastDue);
    if !is_counted {
        return Ok(());
    }
    let monthly = super::revenue::monthly(tx, subscription)?;
    let kind = if monthly > subscription.mrr_minor {
        MovementKind::Expansion
    } else {
        MovementKind::Contraction
    };
    set_revenue(tx, subscription, monthly, kind)
}

/// Changes the credit balance by an adjustment, part of which is tax; the caller saves the subscription.
pub(super) fn adjust(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    cycle_id: Option<&SubscriptionCycleId>,
    (kind, change_minor, tax_minor): (AdjustmentKind, i64, i64),
) -> Result<(), SubscriptionError> {
    if change_minor == 0 {
        return Ok(());
    }
    subscription.credit_balance_minor = add(subscription.credit_balance_minor, change_minor)?;
    let adjustment = Adjustment {
        id: SubscriptionAdjustmentId::new(),
        subscription_id: subscription.id.clone(),
        cycle_id: cycle_id.cloned(),
        kind,
        amount_minor: change_minor.saturating_abs(),
        tax_minor,
        balance_change_minor: change_minor,
        note: None,
        actor_id: None,
        created_at: tx.now(),
    };
    Ok(adjustment.insert(tx)?)
}

/// Ends a subscription: an open cycle is void, and the credit balance becomes store credit.
pub(super) fn end(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    to: SubscriptionStatus,
    reason: Option<CancellationReason>,
    cause: impl Into<Cause>,
) -> Result<(), SubscriptionError> {
    void_open_cycle(tx, subscription)?;
    enter(tx, subscription, to, cause)?;
    let now = tx.now();
    subscription.ended_at = Some(now);
    subscription.resume_at = None;
    if to == SubscriptionStatus::Canceled {
        subscription.canceled_at = Some(now);
        subscription.cancellation_reason = reason.or(subscription.cancellation_reason);
    }
    queries::unskip(tx, &subscription.id, subscription.cycle, None)?;
    pay_out(tx, subscription)?;
    // The subscription keeps its last revenue, which no longer counts.
    let lost_minor = subscription.mrr_minor.saturating_neg();
    record_movement(tx, subscription, lost_minor, MovementKind::Churn)?;
    write(tx, subscription)?;
    let (name, word) = if to == SubscriptionStatus::Expired {
        ("subscription.expired", None)
    } else {
        ("subscription.canceled", subscription.cancellation_reason)
    };
    event(tx, name, subscription, json!({ "reason": word.map(CancellationReason::as_str) }))
}

/// Makes the open cycle void: nothing is owed for what was never sent.
///
/// # Errors
/// [`SubscriptionError::Busy`] while it is being billed.
pub(super) fn void_open_cycle(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
) -> Result<(), SubscriptionError> {
    let Some(mut cycle) = queries::open_cycle(tx, &subscription.id)? else { return Ok(()) };
    if cycle.status == CycleStatus::Billing {
        return Err(SubscriptionError::Busy(subscription.id.clone()));
    }
    cycle.status = CycleStatus::Void;
    cycle.update(tx)?;
    forget_dunning(subscription);
    Ok(())
}

/// Clears the dunning state.
pub(super) fn forget_dunning(subscription: &mut Subscription) {
    subscription.dunning_attempt = 0;
    subscription.dunning_next_at = None;
    subscription.dunning_reason = None;
}

fn pay_out(tx: &Tx<'_>, subscription: &mut Subscription) -> Result<(), SubscriptionError> {
    let amount_minor = subscription.credit_balance_minor;
    if amount_minor == 0 {
        return Ok(());
    }
    give_credit(tx, subscription, amount_minor, "the credit balance of a subscription that ended")?;
    adjust(tx, subscription, None, (AdjustmentKind::PaidOut, amount_minor.saturating_neg(), 0))
}

/// Adds an amount to the customer's store credit.
pub(super) fn give_credit(
    tx: &Tx<'_>,
    subscription: &Subscription,
    amount_minor: i64,
    note: &str,
) -> Result<(), SubscriptionError> {
    let account = credit::open_for(tx, &subscription.customer_id, subscription.currency, "")?;
    credit::credit(tx, &account.id, credit_entry(subscription, amount_minor, Some(note)))?;
    Ok(())
}

/// Returns an entry of the customer's store credit that a subscription causes.
pub(super) fn credit_entry<'a>(
    subscription: &'a Subscription,
    amount_minor: i64,
    note: Option<&'a str>,
) -> NewEntry<'a> {
    let reference_id = subscription.id.as_str();
    NewEntry { amount_minor, reference: "subscription", reference_id, note, actor_id: "" }
}
