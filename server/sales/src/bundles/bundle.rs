//! Stored bundles, and the checks before one is written.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::error::BundleError;
use super::pricing::{Amounts, Pricing, PricingType};
use super::queries;
use crate::catalog;
use crate::clock::Timestamp;
use crate::database::{Record, Table as _, Tx, Word, first_missing_of_new};
use crate::http::{Refusal, Resource, ToSchema};
use crate::ids::{BundleItemId, BundleProductId, ProductId, SalesChannelId, VariantId};
use crate::metadata::Metadata;

/// Limit: bundles of a store.
const MAX_BUNDLES: u32 = 2_000;

/// The slots of a bundle.
const SLOTS: RangeInclusive<usize> = 2..=12;

/// Limit: pieces of a slot in a set.
const MAX_QUANTITY: i64 = 100;

/// Whether storefronts show a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "snake_case")]
#[schema(as = BundleStatus)]
pub enum BundleStatus {
    Draft,
    Published,
}

/// A slot of a bundle: a quantity of one product, in any of its variants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, Resource)]
#[resource(name = "bundle item")]
#[schema(as = BundleItem)]
pub struct Slot {
    pub id: BundleItemId,
    pub title: String,
    pub product_id: ProductId,
    /// The number of pieces in a set.
    pub quantity: i64,
    /// Whether a set is complete without it. It is sold at its own price.
    pub is_optional: bool,
    pub default_variant_id: Option<VariantId>,
}

#[derive(Debug, Clone, Record)]
#[record(table = "bundle_product b", title = "Bundle product")]
#[record(list(plural = "bundle_products", usual, search = ["b.title", "b.handle"], order = "-created_at"))]
pub struct Bundle {
    pub id: BundleProductId,
    #[column(filter, order)]
    pub title: String,
    #[column(filter, order)]
    pub handle: String,
    pub description: Option<String>,
    /// The product that it is sold as.
    #[column(filter)]
    pub product_id: Option<ProductId>,
    #[column(filter)]
    pub status: BundleStatus,
    pub(super) pricing_type: PricingType,
    pub(super) percent_ppm: Option<i64>,
    #[column(json)]
    pub(super) amounts: Amounts,
    /// The sales channels in which it is sold; all if empty.
    #[column(json)]
    pub sales_channel_ids: Vec<SalesChannelId>,
    pub metadata: Metadata,
    #[column(
        json,
        sql = "(select json_group_array(json_object('id', id, 'title', title, 'product_id', product_id,
                        'quantity', quantity, 'is_optional', json(iif(is_optional, 'true', 'false')),
                        'default_variant_id', default_variant_id))
                  from (select * from bundle_slot where bundle_id = b.id order by position))"
    )]
    pub items: Vec<Slot>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Bundle {
    /// Returns how its sets are priced.
    pub fn pricing(&self) -> Pricing<'_> {
        Pricing { kind: self.pricing_type, percent_ppm: self.percent_ppm, amounts: &self.amounts }
    }

    pub fn is_sold_in(&self, channels: &[SalesChannelId]) -> bool {
        let own = &self.sales_channel_ids;
        self.status == BundleStatus::Published
            && (own.is_empty() || channels.iter().any(|channel| own.contains(channel)))
    }

    pub fn slot(&self, id: &BundleItemId) -> Option<&Slot> {
        self.items.iter().find(|slot| slot.id == *id)
    }
}

pub(super) fn create(tx: &Tx<'_>, bundle: &Bundle) -> Result<(), BundleError> {
    if Bundle::count(tx)? >= MAX_BUNDLES {
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
