//! Swaps an item for another variant.

use serde_json::json;

use super::{Actor, check_cutoff};
use crate::cart::{self, TodaysPrice};
use crate::database::{Table as _, Tx};
use crate::ids::{SubscriptionItemId, VariantId};
use crate::plans::{self, Plan};
use crate::subscriptions::billing;
use crate::subscriptions::change;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::ledger::AdjustmentKind;
use crate::subscriptions::proration::{self, Period, Proration};
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::{Item, Replacement, Subscription, SubscriptionKind};

/// From when a swap counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SwapFrom {
    /// The next cycle.
    Next,
    Now,
}

/// A swap.
#[derive(Debug, Clone)]
pub struct Swap {
    /// Needed if there are several items.
    pub item_id: Option<SubscriptionItemId>,
    pub variant_id: VariantId,
    /// Defaults to the item's.
    pub quantity: Option<i64>,
    /// A delivery counts from the next cycle; access by default at once.
    pub from: Option<SwapFrom>,
}

/// Swaps an item at the plan's price of today. Deliveries change with the next cycle. Access changes at once, and what is
/// left of the old price is worth as much of the new one.
///
/// # Errors
/// [`SubscriptionError::Refused`] for a variant without a plan of the same frequency, and if access now would cost more
/// than the credit balance holds.
pub fn apply(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    actor: &Actor,
    swap: &Swap,
) -> Result<Option<Proration>, SubscriptionError> {
    subscription.check("swap-product")?;
    check_cutoff(tx, subscription, actor)?;
    let place = item_place(subscription, swap.item_id.as_ref())?;
    let Some(item) = subscription.items.get(place) else { return Ok(None) };
    let replacement = replacement(tx, subscription, item, swap)?;
    let is_paid_access = subscription.kind == SubscriptionKind::Access
        && subscription.status == SubscriptionStatus::Active;
    let from = swap.from.unwrap_or(if is_paid_access { SwapFrom::Now } else { SwapFrom::Next });
    let proration = match from {
        SwapFrom::Now if is_paid_access => {
            let change = prorate(tx, subscription, (place, &replacement))?;
            take(tx, subscription, &change)?;
            Some(change)
        }
        SwapFrom::Now | SwapFrom::Next => None,
    };
    let is_put_off = from == SwapFrom::Next && is_paid_access;
    if let Some(item) = subscription.items.get_mut(place) {
        if is_put_off {
            item.next = Some(replacement);
        } else {
            item.replace_with(replacement);
        }
        item.update(tx)?;
    }
    if !is_put_off {
        change::follow_items(tx, subscription)?;
    }
    change::save(tx, subscription)?;
    let facts = json!({ "variant_id": swap.variant_id });
    change::event(tx, "subscription.swapped", subscription, facts)?;
    Ok(proration)
}

fn item_place(
    subscription: &Subscription,
    id: Option<&SubscriptionItemId>,
) -> Result<usize, SubscriptionError> {
    match id {
        Some(id) => {
            let place = subscription.items.iter().position(|item| item.id == *id);
            Ok(place.ok_or_else(|| crate::database::Missing::new(Item::TITLE, id))?)
        }
        None if subscription.items.len() == 1 => Ok(0),
        None => Err(SubscriptionError::Invalid(
            "Field 'item_id' is required: the subscription has several items".to_owned(),
        )),
    }
}

/// Returns what replaces an item, at the price of today with a plan of the same frequency.
fn replacement(
    tx: &Tx<'_>,
    subscription: &Subscription,
    item: &Item,
    swap: &Swap,
) -> Result<Replacement, SubscriptionError> {
    let quantity = swap.quantity.unwrap_or(item.quantity);
    let TodaysPrice { sellable, unit_price_minor, is_tax_inclusive } = cart::price_today(
        tx,
        (subscription.region_id.clone(), subscription.currency),
        (subscription.sales_channel_id.as_ref(), &subscription.customer_id),
        (&swap.variant_id, quantity),
    )?;
    let fits = |plan: &Plan| {
        plan.kind == subscription.kind
            && (plan.interval() == subscription.interval()
                || plan.allowed_frequencies.contains(&subscription.interval()))
    };
    let plans = plans::of_product(tx, &sellable.product_id)?;
    let plan = plans.into_iter().find(fits).ok_or_else(|| {
        SubscriptionError::Refused("The product has no plan of the same frequency".to_owned())
    })?;
    Ok(Replacement {
        variant_id: sellable.variant_id,
        product_id: sellable.product_id,
        title: sellable.product_title,
        variant_title: Some(sellable.variant_title),
        thumbnail: sellable.thumbnail,
        quantity,
        unit_price_minor: plan.price(unit_price_minor, subscription.currency)?,
        is_tax_inclusive,
        plan_id: plan.id,
    })
}

/// Returns what the swap costs for the rest of the paid period, with tax.
fn prorate(
    tx: &Tx<'_>,
    subscription: &Subscription,
    (place, replacement): (usize, &Replacement),
) -> Result<Proration, SubscriptionError> {
    let number = subscription.cycle.saturating_add(1);
    let old = billing::compute(tx, subscription, number)?.cart.totals.items.total;
    let mut swapped = subscription.clone();
    if let Some(item) = swapped.items.get_mut(place) {
        item.replace_with(replacement.clone());
    }
    let new = billing::compute(tx, &swapped, number)?.cart.totals.items.total;
    let start = subscription.current_period_start.unwrap_or(tx.now());
    let end = subscription.current_period_end.unwrap_or(tx.now());
    Ok(proration::change(Period { start, end }, tx.now(), (old, new))?)
}

/// Takes what a proration costs from the credit balance, or adds what it gives back.
fn take(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    proration: &Proration,
) -> Result<(), SubscriptionError> {
    if proration.net_minor > subscription.credit_balance_minor {
        return Err(SubscriptionError::Refused(
            "The new price is higher: the swap counts from the next period (`apply`: `next`)"
                .to_owned(),
        ));
    }
    let credit = (AdjustmentKind::Credit, proration.credit_minor);
    change::adjust(tx, subscription, None, credit)?;
    let charge = (AdjustmentKind::Charge, proration.charge_minor.saturating_neg());
    change::adjust(tx, subscription, None, charge)
}
