//! Bundles: lines that are added and removed together.

use super::items;
use crate::bundles::{self, Bundle, Slot};
use crate::cart::contents::Cart;
use crate::cart::error::CartError;
use crate::cart::lines;
use crate::cart::pricing;
use crate::catalog::{self, Sellable};
use crate::database::{Missing, Tx};
use crate::http::Refusal;
use crate::ids::{BundleItemId, BundleProductId, CartBundleId, CartLineId, VariantId};

/// The lines of a bundle to add to.
#[derive(Debug, Clone)]
struct Instance {
    id: CartBundleId,
    /// The product as which it is sold, and the slot to fill.
    slot: Option<(BundleProductId, BundleItemId)>,
}

impl Instance {
    fn with_slot(id: CartBundleId, bundle: &Bundle, slot: &Slot) -> Self {
        Self { id, slot: Some((bundle.id.clone(), slot.id.clone())) }
    }
}

/// A variant for a slot.
#[derive(Debug, Clone)]
pub(crate) struct Filling {
    pub(crate) item_id: BundleItemId,
    pub(crate) variant_id: VariantId,
}

/// Adds a variant to the bundle of a line, in the line's quantity. Starts a bundle if the line is in none.
pub(crate) fn extend(
    tx: &Tx<'_>,
    cart: &mut Cart,
    item_id: &CartLineId,
    variant_id: &VariantId,
) -> Result<(), CartError> {
    let unknown = || Missing::new("Line item", item_id);
    let line = cart.lines.iter_mut().find(|line| line.id == *item_id).ok_or_else(unknown)?;
    let bundle_id = line.bundle_id.get_or_insert_with(CartBundleId::new).clone();
    let quantity = line.quantity;
    let variant = sellable(tx, variant_id)?;
    add_to_bundle(tx, cart, &variant, quantity, &Instance { id: bundle_id, slot: None })?;
    items::check_stock(tx, cart, &[variant.variant_id])
}

/// Fills a slot with a variant, in the slot's quantity: in an instance of the bundle where the slot is empty, or in a new
/// one.
pub(crate) fn fill(tx: &Tx<'_>, cart: &mut Cart, filling: &Filling) -> Result<(), CartError> {
    let unknown = || Missing::new("Bundle item", &filling.item_id);
    let bundle = bundles::with_slot(tx, &filling.item_id)?;
    let bundle = bundle.filter(|bundle| is_sold(cart, bundle)).ok_or_else(unknown)?;
    let slot = bundle.slot(&filling.item_id).ok_or_else(unknown)?;
    let variant = variant_of(tx, slot, &filling.variant_id)?;
    let id = open_instance(cart, &bundle.id, &slot.id).unwrap_or_else(CartBundleId::new);
    let instance = Instance::with_slot(id, &bundle, slot);
    add_to_bundle(tx, cart, &variant, slot.quantity, &instance)?;
    items::check_stock(tx, cart, &[variant.variant_id])
}

/// Adds whole sets of a bundle as a new instance. Slots without a filling get their default variant.
pub(crate) fn add_sets(
    tx: &Tx<'_>,
    cart: &mut Cart,
    id: &BundleProductId,
    set_count: i64,
    fillings: &[Filling],
) -> Result<(), CartError> {
    let bundle = bundles::with_ids(tx, [id])?.pop().filter(|bundle| is_sold(cart, bundle));
    let bundle = bundle.ok_or_else(|| Missing::new("Bundle product", id))?;
    let foreign = fillings.iter().find(|filling| bundle.slot(&filling.item_id).is_none());
    if let Some(filling) = foreign {
        return Err(Missing::new("Bundle item", &filling.item_id).into());
    }
    let instance = CartBundleId::new();
    let mut added = Vec::new();
    for slot in &bundle.items {
        let mut own = fillings.iter().filter(|filling| filling.item_id == slot.id);
        let variant_id = match (own.next(), own.next()) {
            (Some(filling), None) => filling.variant_id.clone(),
            (Some(_), Some(_)) => return Err(refused(slot, "is filled twice")),
            (None, _) if slot.is_optional => continue,
            (None, _) => bundles::default_variant(tx, slot, cart.sales_channel_id.as_slice())?
                .ok_or_else(|| refused(slot, "has no variant that is sold here"))?,
        };
        let variant = variant_of(tx, slot, &variant_id)?;
        let quantity = slot.quantity.saturating_mul(set_count);
        let instance = Instance::with_slot(instance.clone(), &bundle, slot);
        add_to_bundle(tx, cart, &variant, quantity, &instance)?;
        added.push(variant.variant_id);
    }
    items::check_stock(tx, cart, &added)
}

/// Removes all lines of an instance of a bundle.
pub(crate) fn remove(cart: &mut Cart, id: &CartBundleId) -> Result<(), CartError> {
    let before = cart.lines.len();
    cart.lines.retain(|line| line.bundle_id.as_ref() != Some(id));
    if cart.lines.len() == before {
        return Err(Missing::new("Line item bundle", id).into());
    }
    Ok(())
}

/// Removes all lines of each instance of a bundle.
pub(crate) fn remove_all(cart: &mut Cart, id: &BundleProductId) -> Result<(), CartError> {
    let before = cart.lines.len();
    cart.lines.retain(|line| line.bundle_product_id.as_ref() != Some(id));
    if cart.lines.len() == before {
        return Err(Missing::new("Bundle product", id).into());
    }
    Ok(())
}

fn is_sold(cart: &Cart, bundle: &Bundle) -> bool {
    bundle.is_sold_in(cart.sales_channel_id.as_slice())
}

/// Returns an instance of a bundle with an empty slot.
fn open_instance(
    cart: &Cart,
    bundle: &BundleProductId,
    slot: &BundleItemId,
) -> Option<CartBundleId> {
    let of_bundle =
        || cart.lines.iter().filter(|line| line.bundle_product_id.as_ref() == Some(bundle));
    let is_filled = |id: &CartBundleId| {
        of_bundle().any(|line| {
            line.bundle_id.as_ref() == Some(id) && line.bundle_item_id.as_ref() == Some(slot)
        })
    };
    of_bundle().filter_map(|line| line.bundle_id.as_ref()).find(|id| !is_filled(id)).cloned()
}

/// Returns the variant, which the slot must take.
fn variant_of(tx: &Tx<'_>, slot: &Slot, id: &VariantId) -> Result<Sellable, CartError> {
    let variant = sellable(tx, id)?;
    let is_taken = variant.product_id == slot.product_id;
    if is_taken { Ok(variant) } else { Err(refused(slot, "takes variants of its product only")) }
}

fn sellable(tx: &Tx<'_>, id: &VariantId) -> Result<Sellable, CartError> {
    let unknown = || CartError::UnknownVariant { variant_id: id.clone() };
    catalog::sellable(tx, id)?.ok_or_else(unknown)
}

fn refused(slot: &Slot, why: &str) -> CartError {
    Refusal::invalid(format!("the slot {} of the bundle {why}", slot.id)).into()
}

/// Adds a variant to a bundle; adding a variant that the bundle already has increases its quantity.
fn add_to_bundle(
    tx: &Tx<'_>,
    cart: &mut Cart,
    variant: &Sellable,
    quantity: i64,
    Instance { id, slot }: &Instance,
) -> Result<(), CartError> {
    let variant_id = &variant.variant_id;
    items::buyable(cart, Some(variant), variant_id)?;
    let part = cart.lines.iter_mut().find(|line| {
        line.bundle_id.as_ref() == Some(id)
            && line.item.variant_id.as_ref() == Some(variant_id)
            && line.bundle_item_id.as_ref() == slot.as_ref().map(|(_, slot)| slot)
    });
    if let Some(part) = part {
        part.quantity = lines::checked(part.quantity.saturating_add(quantity), 1)?;
    } else {
        let quantity = lines::checked(quantity, 1)?;
        let mut line = items::line_of(tx, cart, pricing::item(variant), quantity);
        line.bundle_id = Some(id.clone());
        (line.bundle_product_id, line.bundle_item_id) = slot.clone().unzip();
        cart.push(line)?;
    }
    Ok(())
}
