//! Validation of bundles, and writing them.

use super::bundle::{Bundle, Slot};
use super::error::BundleError;
use super::queries;
use crate::catalog;
use crate::database::{Table as _, Tx, first_missing_of_new};
use crate::http::Refusal;
use crate::ids::{ProductId, VariantId};

/// Limit: bundles of a store.
const MAX_BUNDLES: u32 = 2_000;

/// The slots of a bundle.
const SLOTS: std::ops::RangeInclusive<usize> = 2..=12;

/// Limit: pieces of a slot in a set.
const MAX_QUANTITY: i64 = 100;

pub(super) fn create(tx: &Tx<'_>, bundle: &Bundle) -> Result<(), BundleError> {
    if queries::count(tx)? >= MAX_BUNDLES {
        return Err(BundleError::TooMany { max: MAX_BUNDLES });
    }
    check(tx, bundle, None)?;
    bundle.insert(tx).map_err(|error| error.or_taken(|| taken(bundle)))?;
    Ok(queries::replace_slots(tx, &bundle.id, &bundle.items)?)
}

pub(super) fn change(tx: &Tx<'_>, before: &Bundle, bundle: &Bundle) -> Result<(), BundleError> {
    check(tx, bundle, Some(before))?;
    bundle.update(tx).map_err(|error| error.or_taken(|| taken(bundle)))?;
    Ok(queries::replace_slots(tx, &bundle.id, &bundle.items)?)
}

fn taken(bundle: &Bundle) -> BundleError {
    BundleError::Taken { handle: bundle.handle.clone() }
}

fn check(tx: &Tx<'_>, bundle: &Bundle, before: Option<&Bundle>) -> Result<(), BundleError> {
    check_slots(&bundle.items)?;
    let slots = bundle.items.iter();
    if queries::has_foreign_slot(tx, &bundle.id, slots.clone().map(|slot| &slot.id))? {
        return Err(Refusal::invalid("a slot of `items` is one of another bundle").into());
    }
    let known = before.into_iter().flat_map(products);
    if let Some(id) = first_missing_of_new(tx, "product", products(bundle), known)? {
        return Err(Refusal::invalid(format!("Product with id: {id} does not exist")).into());
    }
    let known = before.into_iter().flat_map(|bundle| &bundle.sales_channel_ids);
    let missing = first_missing_of_new(tx, "sales_channel", &bundle.sales_channel_ids, known)?;
    if let Some(id) = missing {
        return Err(Refusal::invalid(format!("Sales channel with id: {id} does not exist")).into());
    }
    let own = bundle.product_id.as_ref();
    let is_nested = slots.clone().any(|slot| Some(&slot.product_id) == own)
        || queries::is_bundle(tx, slots.map(|slot| &slot.product_id))?;
    if is_nested || own.map_or(Ok(false), |id| queries::is_in_slot(tx, id))? {
        return Err(Refusal::invalid("a slot of a bundle cannot be a bundle").into());
    }
    check_defaults(tx, &bundle.items, before.map_or(&[], |bundle| &bundle.items))
}

/// Returns the products of the slots, and the product as which the bundle is sold.
fn products(bundle: &Bundle) -> impl Iterator<Item = &ProductId> {
    bundle.items.iter().map(|slot| &slot.product_id).chain(&bundle.product_id)
}

fn check_slots(slots: &[Slot]) -> Result<(), Refusal> {
    if !SLOTS.contains(&slots.len()) {
        return Err(Refusal::invalid("`items` must have from 2 to 12 entries"));
    }
    if slots.iter().all(|slot| slot.is_optional) {
        return Err(Refusal::invalid("`items` must have an entry that is not optional"));
    }
    if slots.iter().any(|slot| !(1..=MAX_QUANTITY).contains(&slot.quantity)) {
        return Err(Refusal::invalid("`items.quantity` must be from 1 to 100"));
    }
    let is_repeated =
        |index: usize, slot: &Slot| slots.iter().take(index).any(|earlier| earlier.id == slot.id);
    if slots.iter().enumerate().any(|(index, slot)| is_repeated(index, slot)) {
        return Err(Refusal::invalid("`items` has the same entry twice"));
    }
    Ok(())
}

/// Checks that each new default variant belongs to its slot's product.
fn check_defaults(tx: &Tx<'_>, slots: &[Slot], before: &[Slot]) -> Result<(), BundleError> {
    let is_known = |slot: &Slot, id: &VariantId| {
        let mut same = before.iter().filter(|before| before.product_id == slot.product_id);
        same.any(|before| before.default_variant_id.as_ref() == Some(id))
    };
    let defaults = slots.iter().filter_map(|slot| Some((slot, slot.default_variant_id.as_ref()?)));
    let new: Vec<_> = defaults.filter(|(slot, id)| !is_known(slot, id)).collect();
    let ids: Vec<VariantId> = new.iter().map(|(_, id)| (*id).clone()).collect();
    let found = catalog::sellables_by_id(tx, &ids)?;
    for (slot, id) in new {
        if found.get(id).is_none_or(|variant| variant.product_id != slot.product_id) {
            let message = format!("{id} is not a variant of {}", slot.product_id);
            return Err(Refusal::invalid(message).into());
        }
    }
    Ok(())
}
