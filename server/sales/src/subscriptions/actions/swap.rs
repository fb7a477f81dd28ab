//! Swaps an item for another variant.

use serde_json::json;

use super::{Actor, Cost, check_cutoff};
use serde::Deserialize;

use crate::cart::{self, PriceRequest, TodaysPrice};
use crate::database::{Table as _, Tx};
use crate::http::{ToSchema, request};
use crate::ids::{SubscriptionItemId, VariantId};
use crate::plans::{self, Plan};
use crate::proportion::subtract;
use crate::subscriptions::billing::{self, PendingCharge};
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

/// Another variant.
#[request]
#[schema(example = json!({ "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE" }))]
pub struct SwapRequest {
    /// Required if the subscription has several items.
    item_id: Option<SubscriptionItemId>,
    variant_id: VariantId,
    #[schema(minimum = 1, maximum = 9_999)]
    quantity: Option<i64>,
    /// Deliveries change with the next one; access by default immediately.
    apply: Option<SwapFrom>,
    /// Computes the result and writes nothing.
    #[serde(default)]
    pub(in crate::subscriptions) preview: bool,
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
    request: &SwapRequest,
) -> Result<Cost, SubscriptionError> {
    if request.quantity.is_some_and(|quantity| !(1..=9_999).contains(&quantity)) {
        return Err(SubscriptionError::Invalid("`quantity` is from 1 to 9999".to_owned()));
    }
    subscription.check("swap-product")?;
    check_cutoff(tx, subscription, actor)?;
    let item = find_item(subscription, request.item_id.as_ref())?;
    let quantity = request.quantity.unwrap_or(item.quantity);
    let replacement = replacement(tx, subscription, item, &request.variant_id, quantity)?;
    let id = item.id.clone();
    let is_paid_access = subscription.kind == SubscriptionKind::Access
        && subscription.status == SubscriptionStatus::Active;
    if is_paid_access && request.apply == Some(SwapFrom::Next) {
        return swap_later(tx, subscription, &id, replacement);
    }
    if !is_paid_access {
        replace(tx, subscription, &id, replacement)?;
        return Ok(Cost::default());
    }
    let proration = prorate(tx, subscription, &id, &replacement)?;
    let due_minor = subtract(proration.net_minor, subscription.credit_balance_minor)?.max(0);
    if due_minor > 0 && !request.preview {
        let charge = begin_charge(tx, subscription, &id, &replacement, due_minor)?;
        return Ok(Cost { proration: Some(proration), charge: Some(Box::new(charge)) });
    }
    billing::record_proration(tx, subscription, &proration, due_minor)?;
    replace(tx, subscription, &id, replacement)?;
    Ok(Cost { proration: Some(proration), charge: None })
}

/// Swaps an item from the next cycle on.
fn swap_later(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    id: &SubscriptionItemId,
    replacement: Replacement,
) -> Result<Cost, SubscriptionError> {
    let variant_id = replacement.variant_id.clone();
    set_next(tx, subscription, id, replacement)?;
    change::save(tx, subscription)?;
    let facts = json!({ "variant_id": variant_id, "apply": "next" });
    change::event(tx, "subscription.swapped", subscription, facts)?;
    Ok(Cost::default())
}

fn set_next(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    id: &SubscriptionItemId,
    replacement: Replacement,
) -> Result<(), SubscriptionError> {
    if let Some(item) = subscription.items.iter_mut().find(|item| item.id == *id) {
        item.next = Some(replacement);
        item.update(tx)?;
    }
    Ok(())
}

/// Swaps an item now.
fn replace(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    id: &SubscriptionItemId,
    replacement: Replacement,
) -> Result<(), SubscriptionError> {
    set_next(tx, subscription, id, replacement)?;
    billing::swap(tx, subscription, id)
}

/// Claims the cost of a swap.
fn begin_charge(
    tx: &Tx<'_>,
    subscription: &mut Subscription,
    id: &SubscriptionItemId,
    replacement: &Replacement,
    due_minor: i64,
) -> Result<PendingCharge, SubscriptionError> {
    let before = find_item(subscription, Some(id))?.next.clone().map(Box::new);
    set_next(tx, subscription, id, Replacement { before, ..replacement.clone() })?;
    let charge = billing::claim_swap(tx, subscription, id.clone(), replacement, due_minor)?;
    charge.ok_or_else(|| SubscriptionError::Refused("There is no payment method".to_owned()))
}

fn find_item<'a>(
    subscription: &'a Subscription,
    id: Option<&SubscriptionItemId>,
) -> Result<&'a Item, SubscriptionError> {
    match (id, subscription.items.as_slice()) {
        (Some(id), items) => {
            let item = items.iter().find(|item| item.id == *id);
            Ok(item.ok_or_else(|| crate::database::Missing::new(Item::TITLE, id))?)
        }
        (None, [only]) => Ok(only),
        (None, _) => Err(SubscriptionError::Invalid(
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
    variant_id: &VariantId,
    quantity: i64,
) -> Result<Replacement, SubscriptionError> {
    let TodaysPrice { sellable, unit_price_minor, is_tax_inclusive } = cart::price_today(
        tx,
        PriceRequest {
            region_id: subscription.region_id.clone(),
            sales_channel_id: subscription.sales_channel_id.as_ref(),
            currency: subscription.currency,
            customer_id: &subscription.customer_id,
            variant_id,
            quantity,
        },
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
    id: &SubscriptionItemId,
    replacement: &Replacement,
) -> Result<Proration, SubscriptionError> {
    let mut swapped = subscription.clone();
    if let Some(item) = swapped.items.iter_mut().find(|item| item.id == *id) {
        item.next = Some(replacement.clone());
    }
    billing::prorate(tx, &swapped, id, tx.now())
}
