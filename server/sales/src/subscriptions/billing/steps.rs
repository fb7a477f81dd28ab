//! The state of a subscription after a cycle is paid, skipped or waits.

use serde_json::json;

use super::dunning;
use crate::clock::Timestamp;
use crate::database::{Table as _, Tx};
use crate::ids::OrderId;
use crate::orders;
use crate::proportion::add;
use crate::subscriptions::cycle::{Cycle, CycleStatus, SkipReason};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::{OutOfStock, Subscription, SubscriptionKind};
use crate::subscriptions::{change, queries, schedule};

/// Limit: days for which a cycle waits for stock before it is skipped.
const MAX_STOCK_DELAYS: i64 = 7;

/// Records that a cycle is paid: its draft becomes the order, and the subscription is active.
pub(super) fn paid(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    cycle: &mut Cycle,
    order_id: &OrderId,
) -> Result<(), SubscriptionError> {
    orders::confirm(tx, order_id)?;
    orders::settle(tx, order_id)?;
    cycle.status = CycleStatus::Paid;
    cycle.order_id = Some(order_id.clone());
    cycle.paid_at = Some(tx.now());
    cycle.put(tx)?;
    subscription.paid_cycles = add(subscription.paid_cycles, 1)?;
    subscription.current_period_start = Some(cycle.due_at);
    subscription.current_period_end = Some(cycle.period_end);
    subscription.next_shipping_address = None;
    change::forget_dunning(subscription);
    let before = subscription.status;
    let cause = match before {
        SubscriptionStatus::Trial => Some("trial_ended"),
        SubscriptionStatus::PastDue => Some("payment_taken"),
        SubscriptionStatus::Active
        | SubscriptionStatus::Paused
        | SubscriptionStatus::Canceled
        | SubscriptionStatus::Expired => None,
    };
    if let Some(cause) = cause {
        change::enter(tx, subscription, SubscriptionStatus::Active, cause)?;
    }
    begin_revenue(tx, subscription)?;
    if matches!(before, SubscriptionStatus::PastDue | SubscriptionStatus::Active) {
        // An active one may have waited for stock.
        skip_missed(tx, subscription)?;
    }
    change::save(tx, subscription)?;
    let facts = json!({
        "cycle": cycle.number,
        "order_id": order_id,
        "total": cycle.total_minor.map(|total| subscription.currency.amount(total)),
    });
    if before == SubscriptionStatus::PastDue {
        change::event(tx, "subscription.payment_recovered", subscription, facts.clone())?;
    }
    let is_first = before == SubscriptionStatus::Trial;
    let name = if is_first { "subscription.activated" } else { "subscription.renewed" };
    change::event(tx, name, subscription, facts)
}

/// Sets the revenue after a payment; with its first one a subscription has started.
fn begin_revenue(tx: &Tx<'_>, subscription: &mut Subscription) -> Result<(), SubscriptionError> {
    if subscription.started_at.is_some() {
        return change::follow_items(tx, subscription);
    }
    subscription.started_at = Some(tx.now());
    change::begin_revenue(tx, subscription)
}

/// Skips the deliveries that fell due while a cycle was unpaid. Access is billed for each period.
pub(crate) fn skip_missed(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
) -> Result<(), SubscriptionError> {
    if subscription.kind == SubscriptionKind::Access {
        return Ok(());
    }
    loop {
        let next = schedule::ahead(subscription, 0)?;
        if next.due_at > tx.now() {
            return Ok(());
        }
        skip(tx, subscription, SkipReason::Unpaid)?;
    }
}

/// Returns the cycle that is next, which is not written yet. The subscription moves on to the period after it.
pub(super) fn begin(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    next: schedule::Ahead,
) -> Result<Cycle, SubscriptionError> {
    let period = add(next.period, 1)?;
    let period_end = schedule::due(subscription, period)?;
    subscription.cycle = next.number;
    subscription.period = period;
    let times = (next.due_at, period_end);
    Ok(Cycle::new(&subscription.id, next.number, CycleStatus::Billing, times, tx.now()))
}

/// Skips the next cycle; the caller saves the subscription. A cycle that was skipped in advance stays
/// unchanged.
pub(super) fn skip(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    reason: SkipReason,
) -> Result<(), SubscriptionError> {
    let next = schedule::ahead(subscription, 0)?;
    let known = queries::cycle(tx, &subscription.id, next.number)?.is_some();
    let mut cycle = begin(tx, subscription, next)?;
    if !known {
        cycle.status = CycleStatus::Skipped;
        cycle.skip_reason = Some(reason);
        cycle.insert(tx)?;
    }
    Ok(())
}

/// Postpones a cycle whose goods are out of stock, for a week at most; then it is skipped.
pub(super) fn wait_for_stock(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    cycle: &mut Cycle,
    cause: &str,
) -> Result<(), SubscriptionError> {
    if cause == dunning::NEW_METHOD {
        // Only the daily attempts count.
        return change::save(tx, subscription);
    }
    let may_wait = subscription.terms.out_of_stock == OutOfStock::Delay
        && cycle.stock_delays < MAX_STOCK_DELAYS;
    let tomorrow = subscription.anchor().and_then(|anchor| anchor.days_after(tx.now(), 1));
    if let Some(tomorrow) = tomorrow.filter(|_| may_wait) {
        cycle.status = CycleStatus::Unpaid;
        cycle.stock_delays = add(cycle.stock_delays, 1)?;
        cycle.put(tx)?;
        subscription.dunning_next_at = Some(tomorrow);
        return change::save(tx, subscription);
    }
    cycle.status = CycleStatus::Skipped;
    cycle.skip_reason = Some(SkipReason::Stock);
    cycle.put(tx)?;
    change::forget_dunning(subscription);
    if subscription.status == SubscriptionStatus::PastDue {
        change::enter(tx, subscription, SubscriptionStatus::Active, "nothing_due")?;
        skip_missed(tx, subscription)?;
    }
    change::save(tx, subscription)?;
    let facts = json!({ "cycle": cycle.number, "reason": SkipReason::Stock.as_str() });
    change::event(tx, "subscription.skipped", subscription, facts)
}

/// Replaces the items that are others, or cost another price, from a cycle on.
pub(super) fn replace_items(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    due_at: Timestamp,
) -> Result<(), SubscriptionError> {
    for item in &mut subscription.items {
        let Some(next) = item.next_at(due_at).cloned() else { continue };
        item.replace_with(next);
        item.update(tx)?;
    }
    Ok(())
}
