//! Loads whole carts and checks who may access them.

use super::contents::Cart;
use super::error::CartError;
use super::{queries, retention};
use crate::auth::Shop;
use crate::database::Tx;
use crate::ids::CartId;

/// Loads the cart with its lines, methods, credit lines and totals.
///
/// # Errors
/// [`CartError::NotFound`] if the cart does not exist.
pub fn load(tx: &Tx<'_>, id: &CartId) -> Result<Cart, CartError> {
    fill(tx, find(tx, id)?)
}

/// Loads the cart for a caller in a storefront.
///
/// # Errors
/// [`CartError::NotFound`] if the cart does not exist, is of a sales channel of other storefronts, belongs to an account
/// that is not the caller's, or is a guest's that became an order more than a day ago.
pub fn load_for(tx: &Tx<'_>, id: &CartId, shop: &Shop) -> Result<Cart, CartError> {
    let cart = find(tx, id)?;
    let is_anothers = cart.has_account && cart.customer_id != shop.customer_id;
    // Before the contents are read, so that the duration does not reveal that the cart exists.
    let is_over = retention::is_over(&cart, tx.now());
    if is_anothers || is_over || !shop.sells_in(cart.sales_channel_id.as_ref()) {
        return Err(CartError::NotFound { id: id.clone() });
    }
    fill(tx, cart)
}

fn find(tx: &Tx<'_>, id: &CartId) -> Result<Cart, CartError> {
    queries::find_cart(tx, id)?.ok_or_else(|| CartError::NotFound { id: id.clone() })
}

fn fill(tx: &Tx<'_>, mut cart: Cart) -> Result<Cart, CartError> {
    cart.lines = queries::lines(tx, &cart.id)?;
    cart.shipping_methods = queries::shipping_methods(tx, &cart.id)?;
    cart.credit_lines = queries::credit_lines(tx, &cart.id)?;
    cart.add_up()?;
    Ok(cart)
}

/// Loads the cart for a caller who will change it.
///
/// # Errors
/// As [`load_for`]; [`CartError::Completed`] and [`CartError::BeingCompleted`] once the cart is completed or being
/// completed.
pub fn load_to_change(tx: &Tx<'_>, id: &CartId, shop: &Shop) -> Result<Cart, CartError> {
    open(load_for(tx, id, shop)?)
}

pub(super) fn open(cart: Cart) -> Result<Cart, CartError> {
    if cart.completed_at.is_some() {
        return Err(CartError::Completed { id: cart.id });
    }
    if cart.is_being_completed {
        return Err(CartError::BeingCompleted { id: cart.id });
    }
    Ok(cart)
}
