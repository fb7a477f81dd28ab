//! Bundles: lines that are added and removed together.

use super::items;
use crate::cart::contents::Cart;
use crate::cart::error::CartError;
use crate::database::Tx;
use crate::ids::{CartBundleId, CartLineId, VariantId};

/// Adds a variant to the bundle of a line, in the line's quantity. Starts a bundle if the line is in none.
pub(in crate::cart) fn extend(
    tx: &Tx<'_>,
    cart: &mut Cart,
    item_id: &CartLineId,
    variant_id: &VariantId,
) -> Result<(), CartError> {
    let unknown = || CartError::UnknownLine { id: item_id.clone() };
    let line = cart.lines.iter_mut().find(|line| line.id == *item_id).ok_or_else(unknown)?;
    let bundle_id = line.bundle_id.get_or_insert_with(CartBundleId::new).clone();
    let quantity = line.quantity;
    items::add_to_bundle(tx, cart, variant_id, quantity, &bundle_id)
}

/// Removes all lines of a bundle.
pub(in crate::cart) fn remove(cart: &mut Cart, id: &CartBundleId) -> Result<(), CartError> {
    let before = cart.lines.len();
    cart.lines.retain(|line| line.bundle_id.as_ref() != Some(id));
    if cart.lines.len() == before {
        return Err(CartError::UnknownBundle { id: id.clone() });
    }
    Ok(())
}
