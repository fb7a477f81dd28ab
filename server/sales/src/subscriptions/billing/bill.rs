//! The cost of a cycle: the function that bills, previews and announces.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::cart::contents::Cart;
use crate::cart::totals::CartTotals;
use crate::cart::{self, CartError, NewRenewal, RenewedItem};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{CreditAccountId, OrderCreditLineId};
use crate::orders::order::{CreditLine, NewOrder};
use crate::proportion::subtract;
use crate::subscriptions::error::SubscriptionError;
use crate::subscriptions::subscription::{Item, Subscription};
use crate::subscriptions::{queries, schedule};
use crate::{credit, shipping};

/// The cost of a cycle, and what pays for it.
#[derive(Debug)]
pub(crate) struct Bill {
    pub(crate) cart: Cart,
    /// The amount paid from the subscription's credit balance.
    pub(crate) credit_balance_minor: i64,
    /// The amount paid from the customer's store credit, and its account.
    pub(crate) store_credit: Option<(CreditAccountId, i64)>,
    /// What is charged.
    pub(crate) amount_minor: i64,
}

/// Computes the bill of a cycle, by its number and the instant at which it is due. Writes nothing.
pub(crate) fn compute(
    tx: &Tx<'_>,
    subscription: &Subscription,
    number: i64,
    due_at: Timestamp,
) -> Result<Bill, SubscriptionError> {
    let items = subscription.items.iter().map(|item| renewed(item, due_at)).collect();
    let cart = cart::renewal(tx, renewal(tx, subscription, number, items)?)?;
    let total_minor = cart.totals.all.total;
    let credit_balance_minor = subscription.credit_balance_minor.min(total_minor);
    let left_minor = subtract(total_minor, credit_balance_minor)?;
    let account = credit::of_customer(tx, &subscription.customer_id, subscription.currency)?;
    let store_credit = account
        .map(|account| (account.id, account.balance_minor.min(left_minor)))
        .filter(|(_, amount_minor)| *amount_minor > 0);
    let from_account = store_credit.as_ref().map_or(0, |(_, amount_minor)| *amount_minor);
    let amount_minor = subtract(left_minor, from_account)?;
    Ok(Bill { cart, credit_balance_minor, store_credit, amount_minor })
}

/// The costs of cycles that differ only in their customers.
#[derive(Debug)]
pub(crate) struct Totals {
    are_zones_narrow: bool,
    /// By their inputs; none if the cycle cannot be billed.
    totals: BTreeMap<String, Option<CartTotals>>,
}

impl Totals {
    pub(crate) fn new(tx: &Tx<'_>) -> Result<Self, SubscriptionError> {
        let are_zones_narrow = shipping::are_zones_narrow(tx)?;
        Ok(Self { are_zones_narrow, totals: BTreeMap::new() })
    }

    /// Returns the cost of a cycle, before credit; none if it cannot be billed.
    pub(crate) fn of(
        &mut self,
        tx: &Tx<'_>,
        subscription: &Subscription,
        number: i64,
        due_at: Timestamp,
    ) -> Result<Option<CartTotals>, SubscriptionError> {
        let items = subscription.items.iter().map(|item| renewed(item, due_at)).collect();
        let renewal = renewal(tx, subscription, number, items)?;
        let key = self.key(&renewal);
        if let Some(totals) = self.totals.get(&key) {
            return Ok(*totals);
        }
        let totals = cart::renewal(tx, renewal).ok().map(|cart| cart.totals);
        self.totals.insert(key, totals);
        Ok(totals)
    }

    fn key(&self, renewal: &NewRenewal) -> String {
        let place = renewal.shipping_address.as_ref().map(|to| {
            let narrow = (&to.city, &to.postal_code);
            (&to.country_code, &to.province, self.are_zones_narrow.then_some(narrow))
        });
        let store = (&renewal.region_id, &renewal.sales_channel_id, renewal.currency);
        format!("{:?}", (store, place, &renewal.items, &renewal.shipping_option_ids))
    }
}

/// Returns the cost of a cycle's items without tax; `None` while they cannot be shipped, because they are then not
/// taxed.
pub(crate) fn items_without_tax(
    tx: &Tx<'_>,
    subscription: &Subscription,
) -> Result<Option<i64>, SubscriptionError> {
    let items = subscription.items.iter().map(own).collect();
    let renewal = renewal(tx, subscription, subscription.cycle, items)?;
    match cart::renewal(tx, renewal).map_err(SubscriptionError::from) {
        Ok(cart) => Ok(Some(cart.totals.items.subtotal)),
        Err(error) if cannot_be_sent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns whether a cycle cannot be shipped in its present state.
pub(super) fn cannot_be_sent(error: &SubscriptionError) -> bool {
    let SubscriptionError::Cart(error) = error else { return false };
    matches!(
        error,
        CartError::UnknownVariant { .. }
            | CartError::OptionNotOffered
            | CartError::CountryOutside { .. }
    )
}

/// Returns the cycle that is paid next, by its number and the instant at which it is due: the open one, or the first that
/// is not skipped.
pub(crate) fn next(
    tx: &Tx<'_>,
    subscription: &Subscription,
) -> Result<(i64, Timestamp), SubscriptionError> {
    if let Some(open) = queries::open_cycle(tx, &subscription.id)? {
        return Ok((open.number, open.due_at));
    }
    let next = schedule::next_billed(tx, subscription)?;
    Ok((next.number, next.due_at))
}

pub(super) fn renewal(
    tx: &Tx<'_>,
    subscription: &Subscription,
    number: i64,
    items: Vec<RenewedItem>,
) -> Result<NewRenewal, SubscriptionError> {
    let own = subscription.shipping_address.clone();
    let address = match &subscription.next_shipping_address {
        Some(once) if number == next(tx, subscription)?.0 => Some(once.clone()),
        Some(_) | None => own,
    };
    Ok(NewRenewal {
        region_id: subscription.region_id.clone(),
        sales_channel_id: subscription.sales_channel_id.clone(),
        currency: subscription.currency,
        customer_id: subscription.customer_id.clone(),
        email: subscription.email.clone(),
        locale: subscription.locale.clone(),
        shipping_address: address,
        billing_address: subscription.billing_address.clone(),
        items,
        shipping_option_ids: subscription
            .shipping_methods
            .iter()
            .filter_map(|method| method.shipping_option_id.clone())
            .collect(),
        metadata: None,
    })
}

fn renewed(item: &Item, due_at: Timestamp) -> RenewedItem {
    match item.next_at(due_at) {
        Some(next) => RenewedItem {
            variant_id: next.variant_id.clone(),
            quantity: next.quantity,
            unit_price_minor: next.unit_price_minor,
            is_tax_inclusive: next.is_tax_inclusive,
        },
        None => own(item),
    }
}

/// Returns an item in its present state, regardless of its replacement.
fn own(item: &Item) -> RenewedItem {
    RenewedItem {
        variant_id: item.variant_id.clone(),
        quantity: item.quantity,
        unit_price_minor: item.unit_price_minor,
        is_tax_inclusive: item.is_tax_inclusive,
    }
}

impl Bill {
    /// Returns the order of the cycle, with the credit that pays a part of it.
    pub(super) fn order(
        &self,
        tx: &Tx<'_>,
        subscription: &Subscription,
        number: i64,
    ) -> Result<NewOrder, SubscriptionError> {
        let mut order = NewOrder { cart_id: None, ..crate::orders::of_cart(tx, &self.cart)? };
        order.metadata = Some(metadata(tx, subscription, number)?);
        if self.credit_balance_minor > 0 {
            let (id, amount_minor) = (subscription.id.to_string(), self.credit_balance_minor);
            order.credit_lines.push(credit_line(credit::SUBSCRIPTION_CREDIT, id, amount_minor));
        }
        if let Some((account_id, amount_minor)) = &self.store_credit {
            let id = account_id.to_string();
            order.credit_lines.push(credit_line(credit::STORE_CREDIT, id, *amount_minor));
        }
        Ok(order)
    }
}

fn credit_line(reference: &str, reference_id: String, amount_minor: i64) -> CreditLine {
    CreditLine {
        id: OrderCreditLineId::new(),
        amount_minor,
        reference: reference.to_owned(),
        reference_id,
        metadata: None,
    }
}

/// Returns the metadata of a renewal: the first order's, for its attribution, with the subscription and the cycle.
fn metadata(
    tx: &Tx<'_>,
    subscription: &Subscription,
    number: i64,
) -> Result<Map<String, Value>, SubscriptionError> {
    let first = queries::order_metadata(tx, &subscription.order_id)?;
    let mut metadata: Map<String, Value> =
        first.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    metadata.insert("subscription_id".to_owned(), json!(subscription.id));
    metadata.insert("cycle".to_owned(), json!(number));
    Ok(metadata)
}
