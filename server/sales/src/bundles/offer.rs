//! A bundle as a storefront shows it: the variants to choose from, its price, and the number of available sets.

use std::collections::BTreeMap;

use serde::Serialize;

use super::bundle::{Bundle, Slot};
use super::error::BundleError;
use super::pricing::PricingView;
use super::queries;
use super::sets::{Piece, discounts};
use crate::catalog::{self, CatalogError, PriceContextRequest, Sellable};
use crate::database::Tx;
use crate::http::{Resource, ToSchema};
use crate::ids::{BundleItemId, BundleProductId, ProductId, SalesChannelId, VariantId};
use crate::inventory::{self, Availability};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::pricing;
use crate::proportion::{multiply, subtract, sum};

/// A bundle to buy.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "bundle product")]
#[schema(as = StoreBundleProduct)]
pub(super) struct BundleOffer {
    id: BundleProductId,
    title: String,
    handle: String,
    description: Option<String>,
    /// The product that it is sold as.
    product_id: Option<ProductId>,
    pricing: PricingView,
    items: Vec<OfferedSlot>,
    /// The price of a set of the default variants, without extras; null if the bundle is not sold in the currency.
    price: Option<SetPrice>,
    /// The sets of the default variants in stock; null without a limit.
    available_sets: Option<i64>,
    #[field(extra)]
    metadata: Metadata,
}

/// The price of a set.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "bundle price")]
#[schema(as = StoreBundlePrice)]
struct SetPrice {
    currency_code: Currency,
    /// The price of its pieces bought separately.
    original_amount: Amount,
    amount: Amount,
    saving: Amount,
}

/// A slot with the variants to choose from.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "bundle item")]
#[schema(as = StoreBundleItem)]
struct OfferedSlot {
    id: BundleItemId,
    title: String,
    quantity: i64,
    is_optional: bool,
    default_variant_id: Option<VariantId>,
    product: OfferedProduct,
}

/// The product of a slot.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "product of a bundle")]
#[schema(as = StoreBundleItemProduct)]
struct OfferedProduct {
    id: ProductId,
    title: Option<String>,
    handle: Option<String>,
    thumbnail: Option<String>,
    /// The variants that are sold in the shopper's storefront.
    variants: Vec<OfferedVariant>,
}

/// A variant that can fill a slot.
#[derive(Debug, Serialize, ToSchema, Resource)]
#[resource(name = "variant of a bundle")]
#[schema(as = StoreBundleItemVariant)]
struct OfferedVariant {
    id: VariantId,
    title: String,
    sku: Option<String>,
    thumbnail: Option<String>,
    /// The price of one piece bought separately; null if it has none in the shopper's region.
    price: Option<Amount>,
    /// Whether it is in stock, or sold without stock.
    available: bool,
}

/// The facts about a variant.
struct Choice {
    sellable: Sellable,
    price_minor: Option<i64>,
    /// The pieces in stock; none without a limit.
    pieces: Option<i64>,
}

/// Returns a bundle by its id, its handle, or the product that it is sold as; none if it is not sold in the channels.
///
/// # Errors
/// [`BundleError::Catalog`] if the shopper is nowhere.
pub(super) fn of(
    tx: &Tx<'_>,
    name: &str,
    channels: &[SalesChannelId],
    place: &PriceContextRequest,
) -> Result<Option<BundleOffer>, BundleError> {
    let bundle = queries::named(tx, name)?.filter(|bundle| bundle.is_sold_in(channels));
    let Some(bundle) = bundle else { return Ok(None) };
    let context = catalog::resolve_context(tx, place)?.context;
    let choices = choices(tx, &bundle, channels, &context)?;
    let sellables: Vec<&Sellable> = choices.iter().map(|choice| &choice.sellable).collect();
    let default_of = |slot| choices.get(default_place(slot, &sellables)?);
    let defaults: Vec<Option<&Choice>> = bundle.items.iter().map(default_of).collect();
    let price = set_price(&bundle, &defaults, context.currency)?;
    let available_sets = available_sets(&bundle, &defaults);
    let items = bundle.items.iter().zip(&defaults);
    let items = items.map(|(slot, default)| OfferedSlot {
        id: slot.id.clone(),
        title: slot.title.clone(),
        quantity: slot.quantity,
        is_optional: slot.is_optional,
        default_variant_id: default.map(|choice| choice.sellable.variant_id.clone()),
        product: product(slot, &choices, context.currency),
    });
    Ok(Some(BundleOffer {
        pricing: bundle.pricing().into(),
        items: items.collect(),
        id: bundle.id,
        title: bundle.title,
        handle: bundle.handle,
        description: bundle.description,
        product_id: bundle.product_id,
        price,
        available_sets,
        metadata: bundle.metadata,
    }))
}

/// Returns the variants of products that are sold in the channels, in display order.
fn sellables(
    tx: &Tx<'_>,
    products: impl IntoIterator<Item: AsRef<str>>,
    channels: &[SalesChannelId],
) -> Result<Vec<Sellable>, CatalogError> {
    let ids = queries::variants_of(tx, products)?;
    let found = catalog::sellables_by_id(tx, &ids)?;
    let in_order = ids.iter().filter_map(|id| found.get(id));
    let is_sold = |sellable: &&Sellable| channels.iter().any(|id| sellable.is_sold_in(id));
    Ok(in_order.filter(is_sold).cloned().collect())
}

/// Returns the variants that can fill the slots, in display order.
fn choices(
    tx: &Tx<'_>,
    bundle: &Bundle,
    channels: &[SalesChannelId],
    context: &pricing::PriceContext,
) -> Result<Vec<Choice>, BundleError> {
    let sellables = sellables(tx, bundle.items.iter().map(|slot| &slot.product_id), channels)?;
    let quantity_of: BTreeMap<&ProductId, i64> =
        bundle.items.iter().map(|slot| (&slot.product_id, slot.quantity)).collect();
    let quantities: Vec<_> = sellables
        .iter()
        .map(|sellable| {
            let quantity = quantity_of.get(&sellable.product_id).copied().unwrap_or(1);
            (sellable.price_set_id.clone(), quantity)
        })
        .collect();
    let prices = pricing::calculate(tx, context, &quantities)?;
    let ids: Vec<_> = sellables.iter().map(|sellable| sellable.variant_id.clone()).collect();
    let stock = inventory::availability(tx, &ids, channels)?;
    let choice = |(sellable, price): (Sellable, Option<pricing::CalculatedPrice>)| {
        let pieces = match stock.get(&sellable.variant_id) {
            _ if sellable.allow_backorder => None,
            Some(Availability::Unlimited) => None,
            Some(Availability::Pieces(pieces)) => Some((*pieces).max(0)),
            None => Some(0),
        };
        let price_minor = price.map(|price| price.calculated.amount_minor);
        Choice { sellable, price_minor, pieces }
    };
    Ok(sellables.into_iter().zip(prices).map(choice).collect())
}

/// Returns the variant that fills a slot by default in the channels.
pub fn default_variant(
    tx: &Tx<'_>,
    slot: &Slot,
    channels: &[SalesChannelId],
) -> Result<Option<VariantId>, CatalogError> {
    let sellables = sellables(tx, [&slot.product_id], channels)?;
    let sellables: Vec<&Sellable> = sellables.iter().collect();
    let default = default_place(slot, &sellables).and_then(|place| sellables.get(place));
    Ok(default.map(|sellable| sellable.variant_id.clone()))
}

/// Returns the index of the variant that fills a slot by default: the one named by the bundle, or else the first.
fn default_place(slot: &Slot, sellables: &[&Sellable]) -> Option<usize> {
    let is_own = |sellable: &&Sellable| sellable.product_id == slot.product_id;
    let named = slot.default_variant_id.as_ref();
    let is_named = |sellable: &&Sellable| is_own(sellable) && Some(&sellable.variant_id) == named;
    sellables.iter().position(is_named).or_else(|| sellables.iter().position(is_own))
}

fn set_price(
    bundle: &Bundle,
    defaults: &[Option<&Choice>],
    currency: Currency,
) -> Result<Option<SetPrice>, BundleError> {
    let required = bundle.items.iter().zip(defaults).filter(|(slot, _)| !slot.is_optional);
    let pieces: Option<Vec<Piece<'_>>> = required
        .map(|(slot, default)| {
            let unit_price_minor = default.as_ref()?.price_minor?;
            Some(Piece { slot: &slot.id, quantity: slot.quantity, unit_price_minor })
        })
        .collect();
    let Some(pieces) = pieces else { return Ok(None) };
    if !bundle.pricing().is_in(currency) {
        return Ok(None);
    }
    let of_lines = pieces.iter().map(|piece| multiply(piece.unit_price_minor, piece.quantity));
    let original_minor = sum(of_lines.collect::<Result<Vec<_>, _>>()?)?;
    let saving_minor = sum(discounts(bundle, &pieces, currency)?)?;
    Ok(Some(SetPrice {
        currency_code: currency,
        original_amount: currency.amount(original_minor),
        amount: currency.amount(subtract(original_minor, saving_minor)?),
        saving: currency.amount(saving_minor),
    }))
}

/// Returns the smallest number of sets that any required slot allows; none without a limit.
fn available_sets(bundle: &Bundle, defaults: &[Option<&Choice>]) -> Option<i64> {
    let required = bundle.items.iter().zip(defaults).filter(|(slot, _)| !slot.is_optional);
    // Slots with the same variant share its pieces.
    let mut needed: BTreeMap<&VariantId, (i64, i64)> = BTreeMap::new();
    for (slot, default) in required {
        let Some(choice) = default else { return Some(0) };
        let Some(pieces) = choice.pieces else { continue };
        let (_, quantity) = needed.entry(&choice.sellable.variant_id).or_insert((pieces, 0));
        *quantity = quantity.saturating_add(slot.quantity);
    }
    needed.into_values().filter_map(|(pieces, quantity)| pieces.checked_div(quantity)).min()
}

fn product(slot: &Slot, choices: &[Choice], currency: Currency) -> OfferedProduct {
    let own = || choices.iter().filter(|choice| choice.sellable.product_id == slot.product_id);
    let first = own().next().map(|choice| &choice.sellable);
    let variants = own().map(|choice| OfferedVariant {
        id: choice.sellable.variant_id.clone(),
        title: choice.sellable.variant_title.clone(),
        sku: choice.sellable.sku.clone(),
        thumbnail: choice.sellable.thumbnail.clone(),
        price: choice.price_minor.map(|minor| currency.amount(minor)),
        available: choice.pieces.is_none_or(|pieces| pieces >= slot.quantity),
    });
    OfferedProduct {
        id: slot.product_id.clone(),
        title: first.map(|sellable| sellable.product_title.clone()),
        handle: first.map(|sellable| sellable.product_handle.clone()),
        thumbnail: first.and_then(|sellable| sellable.thumbnail.clone()),
        variants: variants.collect(),
    }
}
