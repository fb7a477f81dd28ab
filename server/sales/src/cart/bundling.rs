//! The discounts of bundles in a cart.

use std::collections::BTreeMap;

use super::contents::{BUNDLE, Cart, Line, LineAdjustment};
use super::error::CartError;
use super::totals::TotalsError;
use crate::bundles::{self, Bundle, Piece};
use crate::database::Tx;
use crate::http::Refusal;
use crate::ids::{BundleProductId, ById, CartAdjustmentId, CartBundleId};

/// Recomputes the discounts of the cart's bundles, which come before those of promotions. Unchanged ones keep their id.
///
/// # Errors
/// For a bundle without a price in the cart's currency, whose pieces would be sold at their own prices.
pub(super) fn discount(tx: &Tx<'_>, cart: &mut Cart) -> Result<(), CartError> {
    let sold = cart.lines.iter().filter_map(|line| line.bundle_product_id.as_ref());
    let found = bundles::with_ids(tx, sold)?;
    let channels = cart.sales_channel_id.as_slice();
    let found =
        found.into_iter().filter(|bundle| channels.is_empty() || bundle.is_sold_in(channels));
    let mut by_id = ById::default();
    for bundle in found {
        if !bundle.pricing().is_in(cart.currency) {
            let message = format!("the bundle {} is not sold in {}", bundle.id, cart.currency);
            return Err(Refusal::invalid(message).into());
        }
        by_id.insert(bundle.id.clone(), bundle);
    }
    let mut amounts = vec![0; cart.lines.len()];
    for (bundle, places) in instances(cart, &by_id) {
        let pieces: Vec<Piece<'_>> =
            places.iter().filter_map(|place| cart.lines.get(*place)?.piece()).collect();
        let parts =
            bundles::discounts(bundle, &pieces, cart.currency).map_err(TotalsError::from)?;
        for (place, part) in places.iter().zip(parts) {
            if let Some(amount) = amounts.get_mut(*place) {
                *amount = part;
            }
        }
    }
    for (line, amount_minor) in cart.lines.iter_mut().zip(amounts) {
        replace(line, amount_minor);
    }
    Ok(())
}

/// Returns the places of the lines of each bundle, by instance.
fn instances<'b>(cart: &Cart, found: &'b ById<Bundle>) -> Vec<(&'b Bundle, Vec<usize>)> {
    let mut places: BTreeMap<(&CartBundleId, &BundleProductId), Vec<usize>> = BTreeMap::new();
    for (place, line) in cart.lines.iter().enumerate() {
        let key = line.bundle_id.as_ref().zip(line.bundle_product_id.as_ref());
        if let (Some(key), Some(_)) = (key, &line.bundle_item_id) {
            places.entry(key).or_default().push(place);
        }
    }
    let of_one = |((_, id), places)| Some((found.get(id)?, places));
    places.into_iter().filter_map(of_one).collect()
}

fn replace(line: &mut Line, amount_minor: i64) {
    let before = line.adjustments.iter().find(|adjustment| adjustment.is_of_bundle());
    let id = before.map_or_else(CartAdjustmentId::new, |before| before.id.clone());
    line.adjustments.retain(|adjustment| !adjustment.is_of_bundle());
    if amount_minor > 0 {
        let adjustment = LineAdjustment {
            id,
            promotion_id: None,
            code: BUNDLE.to_owned(),
            amount_minor,
            is_tax_inclusive: line.is_tax_inclusive,
            offer: None,
        };
        line.adjustments.insert(0, adjustment);
    }
}

impl Line {
    /// Returns the line as a piece of its bundle; none outside of one.
    pub(crate) fn piece(&self) -> Option<Piece<'_>> {
        Some(Piece {
            slot: self.bundle_item_id.as_ref()?,
            quantity: self.quantity,
            unit_price_minor: self.unit_price_minor,
        })
    }
}
