//! The refresh after every change of a cart: prices, taxes, shipping, promotions and credit are worked out again, and
//! the differences are written. The number of statements does not depend on the number of lines.

use std::collections::BTreeMap;

use super::contents::Cart;
use super::error::CartError;
use super::{discounts, pricing, queries, sending, taxing};
use crate::catalog::{self, Sellable};
use crate::database::Tx;
use crate::events;
use crate::ids::{CustomerGroupId, VariantId};
use crate::shipping::Audience;
use crate::{customers, payments};

/// The variants in a cart, by their ids.
pub(super) type Sellables = BTreeMap<VariantId, Sellable>;

/// Whether tax lines are worked out although the region leaves that to a call of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taxes {
    /// As the region says.
    AsTheRegionSays,
    /// In any case.
    Now,
}

/// Works out a cart that was changed, and writes what differs from before.
pub(super) fn save(
    tx: &Tx<'_>,
    before: &Cart,
    cart: Cart,
    taxes: Taxes,
) -> Result<Cart, CartError> {
    let mut cart = work_out(tx, cart, taxes, Audience::Shopper)?;
    store(tx, before, &mut cart)?;
    Ok(cart)
}

/// The cart as it is at this moment: with today's prices, taxes, postage and promotions, and without what is not sold
/// any more. It is written if it comes out differently.
///
/// # Errors
/// [`CartError::NoPrice`] for what lost its price; those of the payment when the cart is an order already.
pub fn renewed(tx: &Tx<'_>, before: &Cart) -> Result<Cart, CartError> {
    let mut cart = work_out(tx, before.clone(), Taxes::AsTheRegionSays, Audience::Shopper)?;
    if cart != *before {
        store(tx, before, &mut cart)?;
    }
    Ok(cart)
}

/// Works a cart out, without writing anything.
pub(super) fn work_out(
    tx: &Tx<'_>,
    mut cart: Cart,
    taxes: Taxes,
    audience: Audience,
) -> Result<Cart, CartError> {
    let sellables = catalog::sellables_by_id(tx, &cart.variant_ids())?;
    let groups = group_ids(tx, &cart)?;
    // What is not sold any more leaves the cart; an order could not be made of it.
    let channel = cart.sales_channel_id.clone();
    let is_sold = |sellable: &Sellable| channel.as_ref().is_none_or(|id| sellable.is_sold_in(id));
    cart.lines.retain(|line| {
        let variant_id = line.item.variant_id.as_ref();
        variant_id.is_none_or(|id| sellables.get(id).is_some_and(is_sold))
    });
    pricing::price_lines(tx, &mut cart, &sellables, &groups)?;
    let is_taxed = taxing::is_due(tx, &cart, taxes)?;
    if is_taxed {
        taxing::tax_lines(tx, &mut cart)?;
    }
    let promotions = discounts::applicable(tx, &cart, &sellables, &groups)?;
    if !cart.shipping_methods.is_empty() {
        // What shipping costs may depend on what the discounted items do.
        discounts::discount(&mut cart, &sellables, &promotions)?;
        cart.add_up()?;
        sending::price_methods(tx, &mut cart, audience, (&sellables, &groups))?;
        if is_taxed {
            taxing::tax_methods(tx, &mut cart)?;
        }
    }
    discounts::discount(&mut cart, &sellables, &promotions)?;
    cart.add_up()?;
    limit_credit(&mut cart)?;
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

/// The groups of the cart's customer.
pub(super) fn group_ids(tx: &Tx<'_>, cart: &Cart) -> Result<Vec<CustomerGroupId>, CartError> {
    match &cart.customer_id {
        Some(id) => Ok(customers::group_ids(tx, id)?),
        None => Ok(Vec::new()),
    }
}

/// Credit never pays more than there is to pay; what was applied last gives way first.
fn limit_credit(cart: &mut Cart) -> Result<(), CartError> {
    let mut left = cart.totals.all.total.max(0);
    for line in &mut cart.credit_lines {
        line.amount_minor = line.amount_minor.min(left);
        left = left.saturating_sub(line.amount_minor);
    }
    cart.credit_lines.retain(|line| line.amount_minor > 0);
    cart.add_up()?;
    Ok(())
}

/// Writes what differs. A new cart differs from an empty one in everything.
fn write(tx: &Tx<'_>, before: &Cart, cart: &mut Cart) -> Result<(), CartError> {
    for line in &mut cart.lines {
        if before.lines.iter().all(|old| old.id != line.id || old != line) {
            line.updated_at = tx.now();
        }
    }
    for method in &mut cart.shipping_methods {
        if !before.shipping_methods.contains(method) {
            method.updated_at = tx.now();
        }
    }
    cart.updated_at = tx.now();
    queries::update_cart(tx, cart)?;
    write_lines(tx, before, cart)?;
    write_methods(tx, before, cart)?;
    write_credit(tx, before, cart)
}

fn write_lines(tx: &Tx<'_>, before: &Cart, cart: &Cart) -> Result<(), CartError> {
    let old: BTreeMap<_, _> = before.lines.iter().map(|line| (&line.id, line)).collect();
    let kept: BTreeMap<_, _> = cart.lines.iter().map(|line| (&line.id, line)).collect();
    let gone: Vec<_> = old.keys().filter(|id| !kept.contains_key(*id)).copied().cloned().collect();
    if !gone.is_empty() {
        queries::delete_lines(tx, &cart.id, &gone)?;
    }
    let changed: Vec<_> =
        cart.lines.iter().filter(|line| old.get(&line.id) != Some(line)).collect();
    if !changed.is_empty() {
        queries::put_lines(tx, &cart.id, &changed)?;
    }
    Ok(())
}

fn write_methods(tx: &Tx<'_>, before: &Cart, cart: &Cart) -> Result<(), CartError> {
    let is_kept = |id| cart.shipping_methods.iter().any(|method| method.id == id);
    let old = before.shipping_methods.iter().map(|method| method.id.clone());
    let gone: Vec<_> = old.filter(|id| !is_kept(id.clone())).collect();
    if !gone.is_empty() {
        queries::delete_methods(tx, &cart.id, &gone)?;
    }
    let changed = cart.shipping_methods.iter();
    let changed: Vec<_> =
        changed.filter(|method| !before.shipping_methods.contains(method)).collect();
    if !changed.is_empty() {
        queries::put_methods(tx, &cart.id, &changed)?;
    }
    Ok(())
}

fn write_credit(tx: &Tx<'_>, before: &Cart, cart: &Cart) -> Result<(), CartError> {
    let is_kept = |id| cart.credit_lines.iter().any(|line| line.id == id);
    let old = before.credit_lines.iter().map(|line| line.id.clone());
    let gone: Vec<_> = old.filter(|id| !is_kept(id.clone())).collect();
    if !gone.is_empty() {
        queries::delete_credit_lines(tx, &cart.id, &gone)?;
    }
    let changed = cart.credit_lines.iter();
    let changed: Vec<_> = changed.filter(|line| !before.credit_lines.contains(line)).collect();
    if !changed.is_empty() {
        queries::put_credit_lines(tx, &cart.id, &changed)?;
    }
    Ok(())
}
