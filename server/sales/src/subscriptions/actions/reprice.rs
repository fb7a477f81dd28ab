//! Announces today's prices, which apply after a notice period.

use serde_json::json;

use super::swap;
use crate::clock::{DAY_MS, Timestamp};
use crate::database::{Table as _, Tx};
use crate::subscriptions::change;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::subscription::{Replacement, Subscription};

/// Gives each item today's price with the current version of its plan, from the first cycle due at `from` or later; by
/// default as soon as the notice period is over. Announces it, so that the customer can swap or cancel before. An announced
/// price is withdrawn if the item's price today is the one at which it is billed.
///
/// # Errors
/// [`SubscriptionError::Invalid`] if `from` leaves too little notice; [`SubscriptionError::Refused`] if a product no
/// longer has a plan with this frequency.
pub(crate) fn apply(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    from: Option<Timestamp>,
) -> Result<(), SubscriptionError> {
    if subscription.status.is_final() {
        return Err(change::not_allowed(subscription));
    }
    let notice_days = i64::from(tx.subscription_settings().subscription_price_notice_days);
    let earliest = tx.now().plus_ms(notice_days.saturating_mul(DAY_MS));
    let from = from.unwrap_or(earliest);
    if from < earliest {
        return Err(SubscriptionError::Invalid(format!(
            "`at` is at least {notice_days} days ahead: customers are told before"
        )));
    }
    let currency = subscription.currency;
    let mut changes = Vec::new();
    for place in 0..subscription.items.len() {
        let Some(item) = subscription.items.get(place) else { continue };
        // A swap already has today's price.
        if item.next.as_ref().is_some_and(|next| next.from.is_none()) {
            continue;
        }
        let today = swap::replacement(tx, subscription, item, &item.variant_id, item.quantity)?;
        let after = today.unit_price_minor;
        let is_same =
            item.unit_price_minor == after && item.is_tax_inclusive == today.is_tax_inclusive;
        let before = match &item.next {
            None if is_same => continue,
            // The announced price does not take effect.
            Some(announced) if is_same => announced.unit_price_minor,
            Some(_) | None => item.unit_price_minor,
        };
        changes.push(json!({
            "item_id": item.id,
            "unit_price_before": currency.amount(before),
            "unit_price": currency.amount(after),
            "withdrawn": is_same,
        }));
        if let Some(item) = subscription.items.get_mut(place) {
            item.next = Some(Replacement { from: Some(from), ..today }).filter(|_| !is_same);
            item.update(tx)?;
        }
    }
    if changes.is_empty() {
        return Ok(());
    }
    change::save(tx, subscription)?;
    let facts = json!({ "from": from, "items": changes });
    change::event(tx, "subscription.price_changed", subscription, facts)
}
