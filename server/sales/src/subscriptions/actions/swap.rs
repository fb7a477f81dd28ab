//! Swaps an item for another variant.

use serde_json::json;

use super::{Actor, Cost, check_cutoff};
use serde::Deserialize;

use crate::cart::{self, TodaysPrice};
use crate::database::{Table as _, Tx};
use crate::http::ToSchema;
use crate::ids::{SubscriptionItemId, VariantId};
use crate::plans::{self, Plan};
use crate::proportion::subtract;
use crate::subscriptions::billing;
use crate::subscriptions::billing::PendingCharge;
use crate::subscriptions::change;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::proration::Proration;
use crate::subscriptions::status::SubscriptionStatus;
use crate::subscriptions::subscription::{Item, Replacement, Subscription, SubscriptionKind};

/// When a swap takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SwapFromRequest)]
pub enum SwapFrom {
    /// The next cycle.
    Next,
    Now,
}

#[derive(Debug, Clone)]
pub struct Swap {
    /// Required if there are several items.
    pub item_id: Option<SubscriptionItemId>,
    pub variant_id: VariantId,
    /// Defaults to the item's.
    pub quantity: Option<i64>,
    /// A delivery changes with the next cycle; access by default immediately.
    pub from: Option<SwapFrom>,
}

/// Swaps an item at the plan's price of today. Deliveries change with the next cycle. Access changes immediately, and the
/// rest of the old price counts towards the new one: a difference is taken from the credit balance and charged, and the
/// swap takes effect once it is paid; a surplus is added to the balance.
///
/// # Errors
/// [`SubscriptionError::Refused`] for a variant without a plan of the same frequency, and if nothing can be charged.
pub(crate) fn apply(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    actor: &Actor,
    swap: &Swap,
) -> Result<Cost, SubscriptionError> {
    subscription.check("swap-product")?;
    check_cutoff(tx, subscription, actor)?;
    let place = item_place(subscription, swap.item_id.as_ref())?;
    let Some(item) = subscription.items.get(place) else { return Ok(Cost::default()) };
    let replacement = replacement(tx, subscription, item, swap)?;
    let is_paid_access = subscription.kind == SubscriptionKind::Access
        && subscription.status == SubscriptionStatus::Active;
    let is_put_off = is_paid_access && swap.from == Some(SwapFrom::Next);
    if is_put_off {
        return put_off(tx, subscription, (place, replacement));
    }
    if !is_paid_access {
        replace(tx, subscription, (place, replacement))?;
        return Ok(Cost::default());
    }
    let proration = prorate(tx, subscription, (place, &replacement))?;
    let due_minor = subtract(proration.net_minor, subscription.credit_balance_minor)?.max(0);
    if due_minor > 0 && !actor.is_preview {
        let charge = begin_charge(tx, subscription, (place, &replacement), due_minor)?;
        return Ok(Cost { proration: Some(proration), charge: Some(Box::new(charge)) });
    }
    billing::record_proration(tx, subscription, (&proration, due_minor))?;
    replace(tx, subscription, (place, replacement))?;
    Ok(Cost { proration: Some(proration), charge: None })
}

/// Swaps an item from the next cycle on.
fn put_off(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    (place, replacement): (usize, Replacement),
) -> Result<Cost, SubscriptionError> {
    let variant_id = replacement.variant_id.clone();
    set_next(tx, subscription, (place, replacement))?;
    change::save(tx, subscription)?;
    let facts = json!({ "variant_id": variant_id, "apply": "next" });
    change::event(tx, "subscription.swapped", subscription, facts)?;
    Ok(Cost::default())
}

fn set_next(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    (place, replacement): (usize, Replacement),
) -> Result<(), SubscriptionError> {
    if let Some(item) = subscription.items.get_mut(place) {
        item.next = Some(replacement);
        item.update(tx)?;
    }
    Ok(())
}

/// Swaps an item now.
fn replace(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    (place, replacement): (usize, Replacement),
) -> Result<(), SubscriptionError> {
    set_next(tx, subscription, (place, replacement))?;
    if let Some(item) = subscription.items.get(place).map(|item| item.id.clone()) {
        billing::swap(tx, subscription, &item)?;
    }
    Ok(())
}

/// Claims the cost of a swap.
fn begin_charge(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    (place, replacement): (usize, &Replacement),
    due_minor: i64,
) -> Result<PendingCharge, SubscriptionError> {
    let before = subscription.items.get(place).and_then(|item| item.next.clone()).map(Box::new);
    set_next(tx, subscription, (place, Replacement { before, ..replacement.clone() }))?;
    let item = subscription.items.get(place).map(|item| item.id.clone());
    let charge = billing::claim_swap(tx, subscription, (item, replacement), due_minor)?;
    charge.ok_or_else(|| SubscriptionError::Refused("There is no payment method".to_owned()))
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

/// Returns the replacement of an item, at today's price with a plan of the same frequency: its own plan, if that has
/// one.
pub(super) fn replacement(
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
    let own = Plan::find(tx, &item.plan_id)?.and_then(|plan| plan.superseded_by);
    let own = own.unwrap_or_else(|| item.plan_id.clone());
    let mut plans = plans::of_product(tx, &sellable.product_id)?;
    plans.sort_by_key(|plan| plan.id != own);
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
        from: None,
        before: None,
    })
}

/// Returns the cost of the swap for the rest of the paid period, with tax.
fn prorate(
    tx: &Tx<'_>,
    subscription: &Subscription,
    (place, replacement): (usize, &Replacement),
) -> Result<Proration, SubscriptionError> {
    let mut swapped = subscription.clone();
    if let Some(item) = swapped.items.get_mut(place) {
        item.next = Some(replacement.clone());
    }
    let item = subscription.items.get(place).map(|item| &item.id);
    billing::prorate(tx, &swapped, item, tx.now())
}
