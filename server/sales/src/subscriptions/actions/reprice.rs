//! Announces today's prices, which count after a notice.

use serde_json::json;

use super::swap::{self, Swap};
use crate::clock::Timestamp;
use crate::database::{Table as _, Tx};
use crate::subscriptions::change;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::schedule::DAY_MS;
use crate::subscriptions::subscription::{Replacement, Subscription};

/// Gives each item the price of today with the current version of its plan, from the first cycle on that is due at `from`
/// or later; by default as soon as the notice is over. Announces it, so that the customer can swap or cancel before. A price
/// that was announced is withdrawn if the item costs today what it is billed at.
///
/// # Errors
/// [`SubscriptionError::Invalid`] if `from` leaves too little notice; [`SubscriptionError::Refused`] if a product has no
/// plan of this frequency any more.
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
        // A swap has a price of today already.
        if item.next.as_ref().is_some_and(|next| next.from.is_none()) {
            continue;
        }
        let same =
            Swap { item_id: None, variant_id: item.variant_id.clone(), quantity: None, from: None };
        let today = swap::replacement(tx, subscription, item, &same)?;
        let after = today.unit_price_minor;
        let is_same =
            item.unit_price_minor == after && item.is_tax_inclusive == today.is_tax_inclusive;
        let before = match &item.next {
            None if is_same => continue,
            // The price that was announced is not to come.
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
