//! Loads whole carts and checks who may access them. A job empties carts that nobody has come back to.

use super::contents::Cart;
use super::error::CartError;
use super::queries;
use crate::auth::Shop;
use crate::clock::{DAY_MS, Timestamp};
use crate::database::{Db, Error, Tx};
use crate::ids::{self, CartId};

/// How long the contents of a guest's cart are kept after its last change.
const CONTENTS_MS: i64 = 90 * DAY_MS;

/// How long a guest's cart is accessible after it became an order; then the order's own token shows what was
/// bought.
const COMPLETED_MS: i64 = DAY_MS;

/// Limit: carts examined per write, so that other writes do not wait.
const CHUNK_LEN: u32 = 500;

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
    let is_over = is_over(&cart, tx.now());
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

/// Returns whether a cart is no longer accessible to everyone who knows its id.
fn is_over(cart: &Cart, now: Timestamp) -> bool {
    !cart.has_account && cart.completed_at.is_some_and(|at| at.plus_ms(COMPLETED_MS) <= now)
}

/// Deletes the contents of guests' carts that have not changed for 90 days and have no payment. A returning shopper
/// finds the cart empty.
pub async fn empty_untouched(db: &Db) -> Result<(), Error> {
    let mut after = (Timestamp::from_millis(0), String::new());
    loop {
        let (untouched, before) = db
            .read(move |tx| {
                let before = tx.now().minus_ms(CONTENTS_MS);
                let untouched = queries::untouched(tx, before, &after, CHUNK_LEN)?;
                Ok::<_, Error>((untouched, before))
            })
            .await?;
        let Some(last) = untouched.last().cloned() else { return Ok(()) };
        let cart_ids = ids::list(untouched.iter().map(|(_, id)| id));
        db.write(move |tx| queries::empty(tx, before, &cart_ids)).await?;
        after = last;
    }
}
