//! The refresh after every change of a cart: recomputes prices, taxes, shipping, promotions and credit, and writes the
//! differences. The number of statements does not depend on the number of lines.

use std::collections::{BTreeMap, BTreeSet};

use super::contents::Cart;
use super::error::CartError;
use super::{bundling, discounts, pricing, queries, shipping, taxing};
use crate::catalog::{self, Sellable};
use crate::credit;
use crate::database::Tx;
use crate::events;
use crate::payments;
use crate::shipping::Audience;

/// Whether tax lines are computed even if the region leaves this to a separate request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taxes {
    /// Follows the region's setting.
    AsTheRegionSays,
    /// Always computes them.
    Now,
}

/// Refreshes a changed cart and writes the differences from `before`.
pub(super) fn save(
    tx: &Tx<'_>,
    before: &Cart,
    cart: Cart,
    taxes: Taxes,
) -> Result<Cart, CartError> {
    let keeps_credit = cart.credit_lines == before.credit_lines;
    let mut cart = compute(tx, cart, taxes, Audience::Shopper)?;
    if keeps_credit && cart.totals.all.total == before.totals.all.total {
        limit_to_shown_credit(before, &mut cart)?;
    }
    store(tx, before, &mut cart)?;
    Ok(cart)
}

/// Returns the cart with current prices, taxes, shipping prices and promotions, and without variants that are no longer
/// sold. Writes it if it changed.
///
/// # Errors
/// [`CartError::NoPrice`] for a variant that lost its price; those of the payment if the cart is already an order.
pub fn renewed(tx: &Tx<'_>, before: &Cart) -> Result<Cart, CartError> {
    let mut cart = compute(tx, before.clone(), Taxes::AsTheRegionSays, Audience::Shopper)?;
    limit_to_shown_credit(before, &mut cart)?;
    if cart != *before {
        store(tx, before, &mut cart)?;
    }
    Ok(cart)
}

/// Credit pays no more than was shown: a higher price needs the shopper's consent, and the rest may be paid already.
fn limit_to_shown_credit(before: &Cart, cart: &mut Cart) -> Result<(), CartError> {
    if cart.totals.credit_line_total > before.totals.credit_line_total {
        cart.credit_lines.clone_from(&before.credit_lines);
        cart.add_up()?;
    }
    Ok(())
}

/// Refreshes a cart without writing anything.
pub(super) fn compute(
    tx: &Tx<'_>,
    mut cart: Cart,
    taxes: Taxes,
    audience: Audience,
) -> Result<Cart, CartError> {
    let sellables = catalog::sellables_by_id(tx, &cart.variant_ids())?;
    let groups = pricing::group_ids(tx, &cart, audience)?;
    // Variants that are no longer sold are removed from the cart, because they cannot be ordered.
    let channel = cart.sales_channel_id.clone();
    let is_sold = |sellable: &Sellable| channel.as_ref().is_none_or(|id| sellable.is_sold_in(id));
    cart.lines.retain(|line| {
        let variant_id = line.item.variant_id.as_ref();
        variant_id.is_none_or(|id| sellables.get(id).is_some_and(is_sold))
    });
    pricing::price_lines(tx, &mut cart, &sellables, &groups)?;
    let is_taxed = taxes == Taxes::Now || taxing::is_automatic(tx, &cart)?;
    if is_taxed {
        taxing::tax_lines(tx, &mut cart)?;
    }
    bundling::discount(tx, &mut cart)?;
    let customer = pricing::eligible_customer(&cart, audience);
    let promotions = discounts::applicable(tx, &cart, &sellables, customer, &groups)?;
    if !cart.shipping_methods.is_empty() {
        // The price of shipping may depend on the discounted subtotal.
        discounts::discount(&mut cart, &sellables, &promotions)?;
        cart.add_up()?;
        shipping::price_methods(tx, &mut cart, audience, &sellables, &groups)?;
        if is_taxed {
            taxing::tax_methods(tx, &mut cart)?;
        }
    }
    discounts::discount(&mut cart, &sellables, &promotions)?;
    cart.add_up()?;
    limit_credit(tx, &mut cart)?;
    Ok(cart)
}

fn store(tx: &Tx<'_>, before: &Cart, cart: &mut Cart) -> Result<(), CartError> {
    write(tx, before, cart)?;
    if before.totals.total != cart.totals.total || before.currency != cart.currency {
        payments::cart_changed(tx, &cart.id, cart.currency, cart.totals.total)?;
    }
    events::record(tx, "cart.updated", &serde_json::json!({ "id": cart.id }))?;
    Ok(())
}

/// Sets what the credit pays: the amount that was asked for, as far as the balance and the total allow. A line that pays
/// nothing stays, because either may rise again.
fn limit_credit(tx: &Tx<'_>, cart: &mut Cart) -> Result<(), CartError> {
    let account = match &cart.customer_id {
        Some(customer) if !cart.credit_lines.is_empty() => {
            credit::of_customer(tx, customer, cart.currency)?
        }
        Some(_) | None => None,
    };
    // The account may have changed hands since the credit was applied.
    let is_own = |id: &str| account.as_ref().is_some_and(|account| account.id.as_str() == id);
    cart.credit_lines.retain(|line| is_own(&line.reference_id));
    let balance_minor = account.as_ref().map_or(0, |account| account.balance_minor);
    let mut left = cart.totals.all.total.min(balance_minor).max(0);
    for line in &mut cart.credit_lines {
        line.amount_minor = line.requested_minor.unwrap_or(left).min(left);
        left = left.saturating_sub(line.amount_minor);
    }
    cart.add_up()?;
    Ok(())
}

/// Writes the differences. Every part of a new cart differs from an empty cart.
fn write(tx: &Tx<'_>, before: &Cart, cart: &mut Cart) -> Result<(), CartError> {
    for line in cart.lines.iter_mut().filter(|line| !before.lines.contains(line)) {
        line.updated_at = tx.now();
    }
    let methods = cart.shipping_methods.iter_mut();
    for method in methods.filter(|method| !before.shipping_methods.contains(method)) {
        method.updated_at = tx.now();
    }
    cart.updated_at = tx.now();
    queries::update_cart(tx, cart)?;
    let lines = differences(&before.lines, &cart.lines, |line| &line.id);
    queries::write_parts(tx, &cart.id, &queries::LINES, lines)?;
    let methods =
        differences(&before.shipping_methods, &cart.shipping_methods, |method| &method.id);
    queries::write_parts(tx, &cart.id, &queries::SHIPPING_METHODS, methods)?;
    let credit = differences(&before.credit_lines, &cart.credit_lines, |line| &line.id);
    Ok(queries::write_parts(tx, &cart.id, &queries::CREDIT_LINES, credit)?)
}

/// Returns the ids of removed parts, and the parts that are new or changed.
fn differences<'a, T: PartialEq, Id: Ord>(
    before: &'a [T],
    after: &'a [T],
    id: impl Fn(&'a T) -> &'a Id,
) -> (Vec<&'a Id>, Vec<&'a T>) {
    let old: BTreeMap<_, _> = before.iter().map(|part| (id(part), part)).collect();
    let current: BTreeSet<_> = after.iter().map(&id).collect();
    let gone = old.keys().filter(|id| !current.contains(*id)).copied().collect();
    let changed = after.iter().filter(|part| old.get(id(part)) != Some(part)).collect();
    (gone, changed)
}
