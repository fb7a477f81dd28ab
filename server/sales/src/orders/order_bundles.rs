//! The bundles of an order, as they were when it was ordered.

use std::collections::BTreeMap;

use super::order::OrderBundle;
use crate::bundles::{Bundle, Piece, complete_sets};
use crate::cart::contents::{Cart, Line};
use crate::ids::{BundleProductId, CartBundleId};
use crate::proportion::{OutOfRange, add, subtract, sum};

/// Returns the instances of bundles in a cart. What belongs to a bundle that is gone is none.
pub(super) fn of(cart: &Cart, bundles: &[Bundle]) -> Result<Vec<OrderBundle>, OutOfRange> {
    let mut instances: BTreeMap<(&CartBundleId, &BundleProductId), Vec<&Line>> = BTreeMap::new();
    for line in &cart.lines {
        if let Some(key) = line.bundle_id.as_ref().zip(line.bundle_product_id.as_ref()) {
            instances.entry(key).or_default().push(line);
        }
    }
    let of_one = |((id, product_id), lines): ((&CartBundleId, &BundleProductId), Vec<&Line>)| {
        let bundle = bundles.iter().find(|bundle| bundle.id == *product_id)?;
        Some(instance(id, bundle, &lines))
    };
    instances.into_iter().filter_map(of_one).collect()
}

fn instance(
    id: &CartBundleId,
    bundle: &Bundle,
    lines: &[&Line],
) -> Result<OrderBundle, OutOfRange> {
    let pieces: Vec<Piece<'_>> = lines
        .iter()
        .filter_map(|line| {
            let slot = line.bundle_item_id.as_ref()?;
            Some(Piece { slot, quantity: line.quantity, unit_price_minor: line.unit_price_minor })
        })
        .collect();
    let mut subtotal_minor = 0;
    let mut discount_minor = 0;
    for line in lines {
        let amounts = &line.totals.amounts;
        let subtotal = subtract(amounts.subtotal, amounts.discount_subtotal)?;
        subtotal_minor = add(subtotal_minor, subtotal)?;
        let adjustments = line.adjustments.iter().zip(&line.totals.adjustments);
        let of_bundle = adjustments.filter(|(adjustment, _)| adjustment.is_of_bundle());
        discount_minor = add(discount_minor, sum(of_bundle.map(|(_, totals)| totals.subtotal))?)?;
    }
    Ok(OrderBundle {
        bundle_id: id.to_string(),
        bundle_product_id: bundle.id.clone(),
        title: bundle.title.clone(),
        set_count: complete_sets(bundle, &pieces),
        subtotal_minor,
        discount_minor,
    })
}
