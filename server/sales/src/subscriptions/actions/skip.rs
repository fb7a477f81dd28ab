//! Skips a future delivery, or reverts that. The anchor never moves.

use std::collections::BTreeSet;

use serde_json::json;

use super::{Actor, check_cutoff_of};
use crate::database::{Table as _, Tx};
use crate::proportion::{add, subtract};
use crate::subscriptions::cycle::{Cycle, CycleStatus, SkipReason};
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::subscription::Subscription;
use crate::subscriptions::{change, queries, schedule};

/// Limit: how many cycles ahead one may be skipped.
const MAX_AHEAD: i64 = 6;

/// Skips a cycle, by default the next one, or reverts that. Skipping a cycle again changes nothing, and without a cycle
/// only the next one is skipped, so that a double click skips once.
///
/// # Errors
/// [`SubscriptionError::Refused`] if the next one is already skipped, or too many in a row would
/// be.
pub fn apply(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    actor: &Actor,
    number: Option<i64>,
    is_undone: bool,
) -> Result<(), SubscriptionError> {
    subscription.check("skip-next-delivery")?;
    let skipped = queries::skipped_after(tx, &subscription.id, subscription.cycle)?;
    let next = add(subscription.cycle, 1)?;
    let first_skipped = skipped.first().copied();
    let is_named = number.is_some();
    let number = match number {
        Some(number) => number,
        None if is_undone => first_skipped.unwrap_or(next),
        None => next,
    };
    let place = subtract(number, next)?;
    if !(0..MAX_AHEAD).contains(&place) {
        let last = add(next, MAX_AHEAD - 1)?;
        let message = format!("`cycle` is from {next} to {last}");
        return Err(SubscriptionError::Invalid(message));
    }
    let is_skipped = skipped.contains(&number);
    if is_skipped && !is_undone && !is_named {
        let after = schedule::next(subscription, &skipped)?.number;
        let message = format!("Cycle {number} is skipped already; name `cycle` {after} to skip it");
        return Err(SubscriptionError::Refused(message));
    }
    if is_skipped != is_undone {
        // It is already as requested.
        return Ok(());
    }
    check_cutoff_of(tx, subscription, actor, schedule::ahead(subscription, place)?.due_at)?;
    if is_undone {
        queries::unskip(tx, &subscription.id, subscription.cycle, Some(number))?;
    } else {
        check_limit(tx, subscription, actor, &skipped, number)?;
        insert(tx, subscription, place)?;
    }
    change::save(tx, subscription)?;
    let facts = json!({ "cycle": number, "undone": is_undone });
    change::event(tx, "subscription.skipped", subscription, facts)
}

/// Checks how many cycles in a row would be skipped, including past ones.
fn check_limit(
    tx: &Tx<'_>,
    subscription: &Subscription,
    actor: &Actor,
    skipped: &BTreeSet<i64>,
    number: i64,
) -> Result<(), SubscriptionError> {
    let Some(max) = subscription.terms.max_skips.filter(|_| !actor.is_admin) else {
        return Ok(());
    };
    let was_skipped: BTreeSet<i64> = queries::last_cycles(tx, [&subscription.id], 50)?
        .into_iter()
        .filter(|cycle| cycle.skip_reason == Some(SkipReason::Customer))
        .map(|cycle| cycle.number)
        .chain(skipped.iter().copied())
        .collect();
    let mut in_a_row: i64 = 1;
    for step in [-1_i64, 1] {
        let mut beside = number.saturating_add(step);
        while was_skipped.contains(&beside) {
            in_a_row = in_a_row.saturating_add(1);
            beside = beside.saturating_add(step);
        }
    }
    if in_a_row > max {
        let message = format!("At most {max} deliveries in a row can be skipped");
        return Err(SubscriptionError::Refused(message));
    }
    Ok(())
}

fn insert(tx: &Tx<'_>, subscription: &Subscription, place: i64) -> Result<(), SubscriptionError> {
    let skipped = schedule::ahead(subscription, place)?;
    let period_end = schedule::due(subscription, add(skipped.period, 1)?)?;
    let own = &subscription.id;
    let period = (skipped.due_at, period_end);
    let cycle = Cycle {
        skip_reason: Some(SkipReason::Customer),
        ..Cycle::new(own, skipped.number, CycleStatus::Skipped, period, tx.now())
    };
    Ok(cycle.insert(tx)?)
}
