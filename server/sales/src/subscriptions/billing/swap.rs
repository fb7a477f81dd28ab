//! Pays for a swap within a paid period, in the steps of a cycle: the order for the difference is claimed as a draft, the
//! method is charged, and the swap takes effect once it is paid.

use serde_json::{Map, Value, json};

use super::bill;
use super::claim::{self, PendingCharge};
use crate::clock::Timestamp;
use crate::database::{Table as _, Tx};
use crate::ids::SubscriptionItemId;
use crate::orders::order::NewOrder;
use crate::payments::methods::SavedCharge;
use crate::payments::renewals;
use crate::proportion::{add, portion, subtract};
use crate::subscriptions::cycle::Attempt;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::ledger::AdjustmentKind;
use crate::subscriptions::proration::{self, Period, Price, Proration};
use crate::subscriptions::subscription::{Replacement, Subscription};
use crate::subscriptions::{change, queries};
use crate::{cart, orders};

/// Claims the charge of a swap; the item contains its replacement. `None` if there is no method to
/// charge.
pub(crate) fn claim_swap(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    item_id: SubscriptionItemId,
    next: &Replacement,
    due_minor: i64,
) -> Result<Option<PendingCharge>, SubscriptionError> {
    let Some(mut cycle) = queries::cycle(tx, &subscription.id, subscription.cycle)? else {
        return Ok(None);
    };
    let Some((method, holder)) = claim::method(tx, subscription, None)? else { return Ok(None) };
    let renewal = bill::renewal(tx, subscription, subscription.cycle, Vec::new())?;
    let title = format!("Change to {}", next.title);
    let cart = cart::charge(tx, renewal, title, &next.variant_id, due_minor)?;
    let mut metadata: Map<String, Value> = Map::new();
    metadata.insert("subscription_id".to_owned(), json!(subscription.id));
    metadata.insert("cycle".to_owned(), json!(cycle.number));
    metadata.insert("item_id".to_owned(), json!(item_id));
    let order = NewOrder { cart_id: None, metadata: Some(metadata), ..orders::of_cart(tx, &cart)? };
    orders::place_draft(tx, &order, |_| true)?;
    let session =
        renewals::open(tx, &order.id, due_minor, subscription.currency, &method.provider_id)?;
    cycle.attempt_count = add(cycle.attempt_count, 1)?;
    cycle.update(tx)?;
    let attempt = Attempt {
        payment_session_id: Some(session.id.clone()),
        payment_method_id: Some(method.id.clone()),
        item_id: Some(item_id),
        ..Attempt::new(&cycle, order.id, due_minor, "swap", tx.now())
    };
    attempt.insert(tx)?;
    change::save(tx, subscription)?;
    let saved = SavedCharge::new(attempt.id.as_str(), &method, &holder);
    Ok(Some(PendingCharge { attempt_id: attempt.id, session, saved }))
}

/// Swaps an item, whose charge is paid.
pub(super) fn paid(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    attempt: &Attempt,
) -> Result<(), SubscriptionError> {
    orders::confirm(tx, &attempt.order_id)?;
    orders::settle(tx, &attempt.order_id)?;
    let Some(item_id) = &attempt.item_id else { return Ok(()) };
    let mut change = prorate(tx, subscription, item_id, attempt.requested_at)?;
    // The charge stands, even if a tax rate has changed since.
    let most = add(attempt.amount_minor, subscription.credit_balance_minor)?;
    change.net_minor = change.net_minor.clamp(attempt.amount_minor, most);
    let charge_minor = add(change.credited_minor()?, change.net_minor)?;
    let before_minor = change.charge_minor.max(1);
    change.charge_tax_minor = portion(change.charge_tax_minor, charge_minor, before_minor)?;
    change.charge_minor = charge_minor;
    record_proration(tx, subscription, &change, attempt.amount_minor)?;
    swap(tx, subscription, item_id)
}

/// Discards a swap whose charge was refused, and restores the item's previous replacement.
pub(super) fn refused(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    item_id: &SubscriptionItemId,
) -> Result<(), SubscriptionError> {
    if let Some(item) = subscription.items.iter_mut().find(|item| item.id == *item_id) {
        item.next = item.next.take().and_then(|next| next.before).map(|before| *before);
        item.update(tx)?;
    }
    change::save(tx, subscription)
}

/// Replaces an item by its planned replacement, now.
pub(crate) fn swap(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    item_id: &SubscriptionItemId,
) -> Result<(), SubscriptionError> {
    let mut variant_id = None;
    if let Some(item) = subscription.items.iter_mut().find(|item| item.id == *item_id)
        && let Some(next) = item.next.take()
    {
        variant_id = Some(next.variant_id.clone());
        item.replace_with(next);
        item.update(tx)?;
    }
    change::follow_items(tx, subscription)?;
    change::save(tx, subscription)?;
    let facts = json!({ "item_id": item_id, "variant_id": variant_id });
    change::event(tx, "subscription.swapped", subscription, facts)
}

/// Returns the cost of swapping an item for its replacement at an instant of the paid period, with tax. At most the
/// amount paid for the period is credited.
pub(crate) fn prorate(
    tx: &Tx<'_>,
    subscription: &Subscription,
    item_id: &SubscriptionItemId,
    at: Timestamp,
) -> Result<Proration, SubscriptionError> {
    let number = subscription.cycle.saturating_add(1);
    let mut before = subscription.clone();
    for item in &mut before.items {
        if item.id == *item_id {
            item.next = None;
        }
    }
    let price = |subscription: &Subscription| -> Result<Price, SubscriptionError> {
        let items = bill::compute(tx, subscription, number, at)?.cart.totals.items;
        Ok(Price { total_minor: items.total, tax_minor: items.tax_total })
    };
    let (old, new) = (price(&before)?, price(subscription)?);
    let start = subscription.current_period_start.unwrap_or(at);
    let end = subscription.current_period_end.unwrap_or(at);
    let cycle = queries::cycle(tx, &subscription.id, subscription.cycle)?;
    let refunded_minor = match &cycle {
        Some(cycle) => queries::refunded_swaps(tx, cycle)?,
        None => 0,
    };
    let order_id = cycle.and_then(|cycle| cycle.order_id);
    let order_id = order_id.as_ref().unwrap_or(&subscription.order_id);
    let (discount_minor, order_refund_minor) = queries::discounts_and_refunds(tx, order_id)?;
    let period = Period { start, end };
    let unpaid_minor = add(period.unused(at, discount_minor)?, order_refund_minor)?;
    let change = proration::change(period, at, old, new)?;
    Ok(change.limited(unpaid_minor)?.less_refunds(refunded_minor)?)
}

/// Writes the lines of a proration: the payment, the credit, its part that refunds have paid out, and the charge. Their sum
/// is the change of the balance.
pub(crate) fn record_proration(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    proration: &Proration,
    paid_minor: i64,
) -> Result<(), SubscriptionError> {
    let cycle = queries::cycle(tx, &subscription.id, subscription.cycle)?;
    let cycle_id = cycle.map(|cycle| cycle.id);
    let charge = subtract(0, proration.charge_minor)?;
    let refunded = subtract(0, proration.refunded_minor)?;
    for line in [
        (AdjustmentKind::Payment, paid_minor, 0),
        (AdjustmentKind::Credit, proration.credit_minor, proration.credit_tax_minor),
        (AdjustmentKind::PaidOut, refunded, 0),
        (AdjustmentKind::Charge, charge, proration.charge_tax_minor),
    ] {
        change::adjust(tx, subscription, cycle_id.as_ref(), line)?;
    }
    Ok(())
}
