//! The promotion codes of a cart.

use crate::cart::contents::Cart;
use crate::cart::error::CartError;
use crate::database::Tx;
use crate::promotions::{self, allocation::MAX_PROMOTIONS};

/// Adds codes; codes that the cart already has keep their position.
pub(crate) fn add(tx: &Tx<'_>, cart: &mut Cart, codes: Vec<String>) -> Result<(), CartError> {
    let mut added = Vec::new();
    for code in codes {
        if !cart.promo_codes.contains(&code) && !added.contains(&code) {
            added.push(code);
        }
    }
    if cart.promo_codes.len().saturating_add(added.len()) > MAX_PROMOTIONS {
        return Err(CartError::TooManyCodes);
    }
    promotions::check_codes(tx, &added, cart.currency)?;
    cart.promo_codes.extend(added);
    Ok(())
}

pub(crate) fn replace(tx: &Tx<'_>, cart: &mut Cart, codes: Vec<String>) -> Result<(), CartError> {
    let (present, new): (Vec<_>, Vec<_>) =
        codes.into_iter().partition(|code| cart.promo_codes.contains(code));
    cart.promo_codes.retain(|code| present.contains(code));
    add(tx, cart, new)
}

/// Removes codes; unknown ones are ignored.
pub(crate) fn remove(cart: &mut Cart, codes: &[String]) {
    cart.promo_codes.retain(|code| !codes.contains(code));
}
