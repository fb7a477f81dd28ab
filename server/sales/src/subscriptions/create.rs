//! Starts subscriptions with the order that a cart becomes.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::anchor::{Anchor, Interval};
use super::change::{self, Cause};
use super::cycle::{Cycle, CycleStatus};
use super::error::SubscriptionError;
use super::queries;
use super::schedule;
use super::status::SubscriptionStatus;
use super::subscription::{Item, NewSubscription, Shipping, Subscription, SubscriptionKind, Terms};
use crate::cart::contents::{Cart, Line, Metadata as Object};
use crate::cart::totals::TotalsError;
use crate::clock::{DAY_MS, Timestamp};
use crate::database::{Table as _, Tx};
use crate::ids::{
    ById, CartLineId, OrderId, PaymentMethodId, SubscriptionId, SubscriptionItemId,
    SubscriptionPlanId,
};
use crate::metadata::{Metadata, MetadataPatch};
use crate::payments::methods;
use crate::plans::{OnExhausted, OutOfStock, Plan};
use crate::proportion::OutOfRange;
use crate::regions;

/// Limit: how far ahead a subscription may start, in days.
pub const MAX_START_DAYS: i64 = 365;

/// How a cart is subscribed. It is stored with the claim of the cart.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Subscribe {
    /// When the first period begins; `None` for now, or the end of the trial.
    pub start_at: Option<Timestamp>,
    /// Where its dates are local; the store's zone if none is given.
    pub time_zone: Option<String>,
    pub metadata: Option<Object>,
    /// The saved method that is charged.
    pub method_id: Option<PaymentMethodId>,
    /// The provider to charge; `None` for that of the method or the payment session.
    pub provider_id: Option<String>,
}

/// Returns the plans of a cart's lines.
fn plans_of(tx: &Tx<'_>, cart: &Cart) -> Result<ById<Plan>, SubscriptionError> {
    let ids: Vec<&SubscriptionPlanId> =
        cart.lines.iter().filter_map(|line| line.plan_id.as_ref()).collect();
    if ids.is_empty() {
        return Ok(ById::default());
    }
    let found = queries::plans(tx, ids)?;
    Ok(found.into_iter().map(|plan| (plan.id.clone(), plan)).collect())
}

/// Returns whether a cart has lines to subscribe to.
pub fn has_plans(cart: &Cart) -> bool {
    cart.lines.iter().any(|line| line.plan_id.is_some())
}

/// How a shopper wants a cart to be subscribed.
#[derive(Debug, Clone, Default)]
pub struct NewSubscribe {
    /// A saved method of the cart's customer, by its provider's id.
    pub method_reference: Option<String>,
    /// The provider that is to be charged at renewals; the method's, if it is given.
    pub provider_id: Option<String>,
    /// The method that was saved from the cart's payment session, if nothing is paid now.
    pub saved_method_id: Option<PaymentMethodId>,
    pub start_at: Option<Timestamp>,
    pub time_zone: Option<String>,
    pub metadata: Option<Object>,
}

/// Returns how a cart is subscribed; `None` if it has no plans.
///
/// # Errors
/// [`SubscriptionError::Invalid`]; [`SubscriptionError::NotFound`] if the method is not the customer's.
pub fn resolve(
    tx: &Tx<'_>,
    cart: &Cart,
    new: &NewSubscribe,
) -> Result<Option<Subscribe>, SubscriptionError> {
    if !has_plans(cart) {
        return Ok(None);
    }
    let Some(customer_id) = &cart.customer_id else {
        return Err(crate::payments::PaymentError::NoCustomer.into());
    };
    let named = new.method_reference.as_deref();
    let named = named.map(|named| change::method(tx, customer_id, named)).transpose()?;
    let subscribe = Subscribe {
        start_at: new.start_at,
        time_zone: new.time_zone.clone(),
        metadata: new.metadata.clone(),
        provider_id: new.provider_id.clone(),
        method_id: named.or_else(|| new.saved_method_id.clone()),
    };
    check(tx, &subscribe)?;
    if let Some(method_id) = &subscribe.method_id {
        subscribe.check_provider(&methods::find(tx, method_id)?.provider_id)?;
    }
    Ok(Some(subscribe))
}

impl Subscribe {
    /// Rejects a provider other than the one named.
    pub fn check_provider(&self, provider_id: &str) -> Result<(), SubscriptionError> {
        if self.provider_id.as_deref().is_none_or(|named| named == provider_id) {
            return Ok(());
        }
        let message = format!("The payment method is of `{provider_id}`");
        Err(SubscriptionError::Invalid(message))
    }
}

/// Checks a start and a time zone.
fn check(tx: &Tx<'_>, subscribe: &Subscribe) -> Result<(), SubscriptionError> {
    let latest = tx.now().plus_ms(MAX_START_DAYS.saturating_mul(DAY_MS));
    if subscribe.start_at.is_some_and(|at| at <= tx.now() || at > latest) {
        let message = format!("`start_at` is ahead, by at most {MAX_START_DAYS} days");
        return Err(SubscriptionError::Invalid(message));
    }
    if let Some(zone) = &subscribe.time_zone
        && Anchor::new(tx.now(), zone).is_none()
    {
        return Err(no_time_zone(zone));
    }
    Ok(())
}

fn no_time_zone(name: &str) -> SubscriptionError {
    SubscriptionError::Invalid(format!("`{name}` is no time zone"))
}

/// Returns the cart as paid and shipped now: what begins later, after a trial or at a future start, costs nothing now and
/// is not shipped. Also returns the lines that begin later.
pub fn due_now(
    tx: &Tx<'_>,
    mut cart: Cart,
    subscribe: &Subscribe,
) -> Result<(Cart, BTreeSet<CartLineId>), SubscriptionError> {
    let plans = plans_of(tx, &cart)?;
    let is_later = |line: &Line| {
        let plan = line.plan_id.as_ref().and_then(|id| plans.get(id));
        plan.is_some_and(|plan| plan.trial_days > 0 || subscribe.start_at.is_some())
    };
    let later: BTreeSet<CartLineId> =
        cart.lines.iter().filter(|line| is_later(line)).map(|line| line.id.clone()).collect();
    if later.is_empty() {
        return Ok((cart, later));
    }
    for line in cart.lines.iter_mut().filter(|line| later.contains(&line.id)) {
        line.unit_price_minor = 0;
        line.compare_at_unit_price_minor = None;
        line.adjustments.clear();
        line.item.requires_shipping = false;
    }
    if !cart.lines.iter().any(|line| line.item.requires_shipping) {
        cart.shipping_methods.clear();
    }
    cart.add_up().map_err(|_totals: TotalsError| OutOfRange)?;
    Ok((cart, later))
}

/// The lines of one subscription with their plans, which have the same frequency, kind and trial.
struct Group<'a> {
    interval: Interval,
    kind: SubscriptionKind,
    trial_days: i64,
    lines: Vec<(&'a Line, &'a Plan)>,
}

/// Starts the subscriptions of an order, one per frequency and start. Unless they begin later, the order pays for their
/// first cycle. `cart` has the prices with plans.
///
/// # Errors
/// [`SubscriptionError::Invalid`] if a plan no longer exists.
pub fn begin(
    tx: &Tx<'_>,
    cart: &Cart,
    order_id: &OrderId,
    subscribe: &Subscribe,
) -> Result<(), SubscriptionError> {
    let plans = plans_of(tx, cart)?;
    let mut groups: BTreeMap<_, Vec<(&Line, &Plan)>> = BTreeMap::new();
    for line in &cart.lines {
        let Some(plan_id) = &line.plan_id else { continue };
        let plan = plans.get(plan_id).ok_or_else(|| {
            SubscriptionError::Invalid(format!(
                "Subscription plan {plan_id} is not offered any more"
            ))
        })?;
        let shared = (plan.interval(), plan.kind, plan.trial_days);
        groups.entry(shared).or_default().push((line, plan));
    }
    for ((interval, kind, trial_days), lines) in groups {
        let group = Group { interval, kind, trial_days, lines };
        begin_one(tx, cart, order_id, subscribe, &group)?;
    }
    Ok(())
}

fn begin_one(
    tx: &Tx<'_>,
    cart: &Cart,
    order_id: &OrderId,
    subscribe: &Subscribe,
    group: &Group<'_>,
) -> Result<(), SubscriptionError> {
    let now = tx.now();
    let mut subscription = new_subscription(tx, cart, order_id, subscribe, group)?;
    let anchor_at = subscription.anchor_at;
    // As in `due_now`: even if the start has passed while the order was being paid, the order paid nothing for it.
    let begins_later = group.trial_days > 0 || subscribe.start_at.is_some();
    let cause = Cause { what: "subscribe", actor_id: Some(subscription.customer_id.to_string()) };
    if begins_later {
        subscription.trial_end = Some(anchor_at);
        change::insert(tx, &mut subscription, cause)?;
        return created(tx, &subscription);
    }
    let total_minor =
        crate::proportion::sum(group.lines.iter().map(|(line, _)| line.totals.amounts.total))?;
    subscription.status = SubscriptionStatus::Active;
    subscription.started_at = Some(now);
    let period_end = schedule::due(&subscription, 1)?;
    subscription.cycle = 1;
    subscription.period = 1;
    subscription.paid_cycles = 1;
    subscription.announced_cycle = 1;
    subscription.current_period_start = Some(anchor_at);
    subscription.current_period_end = Some(period_end);
    change::insert(tx, &mut subscription, cause)?;
    let is_first = queries::of_order(tx, order_id)?.len() == 1;
    let period = (anchor_at, period_end);
    let cycle = Cycle {
        // If an order starts several subscriptions, it belongs to the first one's cycle.
        order_id: is_first.then(|| order_id.clone()),
        total_minor: Some(total_minor),
        attempt_count: 1,
        paid_at: Some(now),
        ..Cycle::new(&subscription.id, 1, CycleStatus::Paid, period, now)
    };
    cycle.insert(tx)?;
    change::begin_revenue(tx, &mut subscription)?;
    subscription.update(tx)?;
    created(tx, &subscription)?;
    change::event(tx, "subscription.activated", &subscription, json!({ "cycle": 1 }))
}

fn created(tx: &Tx<'_>, subscription: &Subscription) -> Result<(), SubscriptionError> {
    let facts = json!({ "order_id": subscription.order_id });
    change::event(tx, "subscription.created", subscription, facts)
}

fn new_subscription(
    tx: &Tx<'_>,
    cart: &Cart,
    order_id: &OrderId,
    subscribe: &Subscribe,
    group: &Group<'_>,
) -> Result<Subscription, SubscriptionError> {
    let time_zone = match &subscribe.time_zone {
        Some(zone) => zone.clone(),
        None => regions::time_zone(tx)?,
    };
    let anchor = |at| Anchor::new(at, &time_zone).ok_or_else(|| no_time_zone(&time_zone));
    let begins_at = subscribe.start_at.unwrap_or(tx.now());
    // The first paid period begins after the days of a trial, at the same local time.
    let anchor_at = if group.trial_days == 0 {
        begins_at
    } else {
        let begins = anchor(begins_at)?.days_after(begins_at, group.trial_days);
        begins.ok_or_else(schedule::beyond_calendar)?
    };
    let anchor_day = anchor(anchor_at)?.day();
    let missing = || SubscriptionError::Invalid("A subscription needs a customer".to_owned());
    let id = SubscriptionId::new();
    let items = group.lines.iter().zip(0..);
    let items = items.map(|((line, plan), position)| item(tx, &id, line, plan, position));
    let items = items.collect::<Result<_, _>>()?;
    let new = NewSubscription {
        customer_id: cart.customer_id.clone().ok_or_else(missing)?,
        order_id: order_id.clone(),
        currency: cart.currency,
        kind: group.kind,
        interval: group.interval,
        anchor_at,
        anchor_day,
        time_zone,
        terms: terms(&group.lines),
        at: tx.now(),
    };
    Ok(Subscription {
        sales_channel_id: cart.sales_channel_id.clone(),
        region_id: cart.region_id.clone(),
        email: cart.email.clone(),
        locale: cart.locale.clone(),
        shipping_address: cart.shipping_address.clone(),
        billing_address: cart.billing_address.clone(),
        shipping_methods: cart.shipping_methods.iter().map(shipping).collect(),
        payment_method_id: subscribe.method_id.clone(),
        metadata: metadata(subscribe),
        items,
        ..Subscription::new(id, new)
    })
}

fn metadata(subscribe: &Subscribe) -> Metadata {
    let object = subscribe.metadata.clone().map(serde_json::Value::Object);
    let patch = object.and_then(|object| serde_json::from_value::<MetadataPatch>(object).ok());
    patch.and_then(|patch| patch.merge(&Metadata::default()).ok()).unwrap_or_default()
}

fn shipping(method: &crate::cart::contents::ShippingMethod) -> Shipping {
    Shipping { shipping_option_id: method.shipping_option_id.clone(), name: method.name.clone() }
}

fn item(
    tx: &Tx<'_>,
    subscription_id: &SubscriptionId,
    line: &Line,
    plan: &Plan,
    position: i64,
) -> Result<Item, SubscriptionError> {
    let custom = || SubscriptionError::Invalid("Only variants can be subscribed to".to_owned());
    Ok(Item {
        id: SubscriptionItemId::new(),
        subscription_id: subscription_id.clone(),
        position,
        variant_id: line.item.variant_id.clone().ok_or_else(custom)?,
        product_id: line.item.product_id.clone().ok_or_else(custom)?,
        title: line.item.title.clone(),
        variant_title: line.item.variant_title.clone(),
        thumbnail: line.item.thumbnail.clone(),
        quantity: line.quantity,
        unit_price_minor: line.unit_price_minor,
        is_tax_inclusive: line.is_tax_inclusive,
        plan_id: plan.id.clone(),
        next: None,
        created_at: tx.now(),
        updated_at: tx.now(),
    })
}

/// Returns the strictest rules of the plans of one subscription.
fn terms(lines: &[(&Line, &Plan)]) -> Terms {
    let plans = || lines.iter().map(|(_, plan)| *plan);
    let mut allowed_frequencies: Vec<Interval> =
        plans().next().map(|plan| plan.allowed_frequencies.clone()).unwrap_or_default();
    allowed_frequencies
        .retain(|interval| plans().all(|plan| plan.allowed_frequencies.contains(interval)));
    let is_skipped = plans().any(|plan| plan.out_of_stock == OutOfStock::Skip);
    let strictest = [OnExhausted::Cancel, OnExhausted::Pause, OnExhausted::Keep]
        .into_iter()
        .find(|policy| plans().any(|plan| plan.on_exhausted == *policy));
    Terms {
        min_cycles: plans().filter_map(|plan| plan.min_cycles).max(),
        max_cycles: plans().filter_map(|plan| plan.max_cycles).min(),
        allowed_frequencies,
        cutoff_hours: plans().map(|plan| plan.cutoff_hours).max().unwrap_or(0),
        max_skips: plans().filter_map(|plan| plan.max_skips).min(),
        max_pause_days: plans().map(|plan| plan.max_pause_days).min().unwrap_or(180),
        out_of_stock: if is_skipped { OutOfStock::Skip } else { OutOfStock::Delay },
        on_exhausted: strictest.unwrap_or(OnExhausted::Cancel),
    }
}
