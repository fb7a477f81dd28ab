//! Converts a cart to an order: a full copy, which later changes of the catalogue do not affect; and writes it as a draft
//! that holds its stock and promotions.

use std::collections::BTreeMap;

use super::error::OrderError;
use super::order::{
    Address, Adjustment, CreditLine, Metadata, NewOrder, OrderBundle, OrderLine, OrderPromotion,
    Progress, ShippingMethod, TaxLine,
};
use super::place::place;
use super::view::MEMBERSHIP;
use crate::bundles::{self, Bundle, Piece, complete_sets};
use crate::cart::contents::{self, Cart, Line, LineAdjustment};
use crate::cart::totals::TaxLineTotals;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{
    BundleProductId, CartBundleId, OrderAddressId, OrderCreditLineId, OrderId, OrderLineId,
    OrderShippingMethodId, PromotionId, VariantId,
};
use crate::inventory::{self, LineQuantity};
use crate::pricing;
use crate::promotions;
use crate::proportion::{OutOfRange, add, subtract, sum};
use crate::statuses::OrderStatus;

/// The facts of an order that are not in its cart.
#[derive(Debug)]
struct OrderFacts {
    unit_costs: BTreeMap<VariantId, i64>,
    bundles: Vec<Bundle>,
    placed_at: Timestamp,
}

/// Returns the draft of the order for a cart, without writing it.
pub fn of_cart(tx: &Tx<'_>, cart: &Cart) -> Result<NewOrder, OrderError> {
    let known = OrderFacts {
        unit_costs: pricing::unit_costs(tx, &cart.variant_ids(), cart.currency)?,
        bundles: bundles::with_ids(tx, bundle_ids(cart))?,
        placed_at: tx.now(),
    };
    draft(cart, &known)
}

/// Writes an order as a draft, reserves the stock of lines with `is_sent` and counts its promotions.
///
/// # Errors
/// [`OrderError::NoChannel`]; [`OrderError::Inventory`] if stock is missing, before anything is written;
/// [`OrderError::Promotion`] if a promotion is used up.
pub fn place_draft(
    tx: &Tx<'_>,
    order: &NewOrder,
    is_sent: impl Fn(&OrderLine) -> bool,
) -> Result<(), OrderError> {
    let channel = order.sales_channel_id.as_ref().ok_or(OrderError::NoChannel)?;
    let quantities: Vec<LineQuantity> = order
        .lines
        .iter()
        .filter(|line| is_sent(line))
        .filter_map(|line| {
            let variant_id = line.item.variant_id.clone()?;
            Some(LineQuantity { line_id: line.id.clone(), variant_id, quantity: line.quantity })
        })
        .collect();
    inventory::reserve(tx, &order.id, &quantities, channel)?;
    place(tx, order)?;
    Ok(promotions::redeem(tx, &order.id)?)
}

/// Deletes a draft and releases what it holds.
pub fn discard_draft(tx: &Tx<'_>, id: &OrderId) -> Result<(), OrderError> {
    inventory::release(tx, id)?;
    promotions::give_back(tx, id)?;
    crate::orders::discard(tx, id)
}

fn draft(cart: &Cart, known: &OrderFacts) -> Result<NewOrder, OrderError> {
    Ok(NewOrder {
        id: OrderId::new(),
        status: OrderStatus::Draft,
        is_draft_order: false,
        cart_id: Some(cart.id.clone()),
        customer_id: cart.customer_id.clone(),
        email: cart.email.clone(),
        region_id: cart.region_id.clone(),
        sales_channel_id: cart.sales_channel_id.clone(),
        currency: cart.currency,
        locale: cart.locale.clone(),
        shipping_address: cart.shipping_address.as_ref().map(address),
        billing_address: cart.billing_address.as_ref().map(address),
        lines: cart.lines.iter().map(|one| line(one, known)).collect(),
        shipping_methods: cart.shipping_methods.iter().map(method).collect(),
        credit_lines: cart.paying_credit().map(credit_line).collect(),
        promotions: promotions(cart)?,
        bundles: bundles_of(cart, &known.bundles)?,
        metadata: metadata(cart),
        placed_at: known.placed_at,
    })
}

fn bundle_ids(cart: &Cart) -> impl Iterator<Item = &BundleProductId> {
    cart.lines.iter().filter_map(|line| line.bundle_product_id.as_ref())
}

/// Returns the client's data of a cart. What an order grants is decided by the merchant, not by the shopper.
fn metadata(cart: &Cart) -> Option<Metadata> {
    let mut metadata = cart.metadata.clone()?;
    metadata.remove(MEMBERSHIP);
    Some(metadata)
}

fn promotions(cart: &Cart) -> Result<Vec<OrderPromotion>, OrderError> {
    let mut taken: BTreeMap<&PromotionId, (i64, &str)> = BTreeMap::new();
    for adjustment in cart.adjustments() {
        let Some(promotion_id) = &adjustment.promotion_id else { continue };
        let (sum, _) = taken.entry(promotion_id).or_insert((0, &adjustment.code));
        *sum = add(*sum, adjustment.amount_minor)?;
    }
    let of_one = |(id, (amount_minor, code)): (&PromotionId, (i64, &str))| OrderPromotion {
        promotion_id: id.clone(),
        code: code.to_owned(),
        amount_minor,
    };
    Ok(taken.into_iter().map(of_one).collect())
}

fn line(line: &Line, known: &OrderFacts) -> OrderLine {
    let item = &line.item;
    let unit_cost = item.variant_id.as_ref().and_then(|variant| known.unit_costs.get(variant));
    OrderLine {
        id: OrderLineId::new(),
        item: item.clone(),
        quantity: line.quantity,
        unit_price_minor: line.unit_price_minor,
        compare_at_unit_price_minor: line.compare_at_unit_price_minor,
        unit_cost_minor: unit_cost.copied(),
        is_tax_inclusive: line.is_tax_inclusive,
        bundle_id: line.bundle_id.as_ref().map(ToString::to_string),
        bundle_product_id: line.bundle_product_id.clone(),
        amounts: line.totals.amounts,
        taxes: taxes(&line.tax_lines, &line.totals.tax_lines),
        adjustments: line.adjustments.iter().map(adjustment).collect(),
        progress: Progress::default(),
        metadata: line.metadata.clone(),
    }
}

fn method(method: &contents::ShippingMethod) -> ShippingMethod {
    ShippingMethod {
        id: OrderShippingMethodId::new(),
        shipping_option_id: method.shipping_option_id.clone(),
        name: method.name.clone(),
        amount_minor: method.amount_minor,
        is_tax_inclusive: method.is_tax_inclusive,
        data: method.data.clone(),
        amounts: method.totals.amounts,
        taxes: taxes(&method.tax_lines, &method.totals.tax_lines),
        adjustments: method.adjustments.iter().map(adjustment).collect(),
        metadata: method.metadata.clone(),
    }
}

fn taxes(lines: &[contents::TaxLine], totals: &[TaxLineTotals]) -> Vec<TaxLine> {
    let of_one = |(line, totals): (&contents::TaxLine, &TaxLineTotals)| TaxLine {
        code: Some(line.code.clone()),
        name: line.name.clone(),
        rate_ppm: line.rate_ppm,
        amount_minor: totals.total,
        country: Some(line.country.clone()),
        province: line.province.clone(),
    };
    lines.iter().zip(totals).map(of_one).collect()
}

fn adjustment(adjustment: &LineAdjustment) -> Adjustment {
    Adjustment {
        promotion_id: adjustment.promotion_id.clone(),
        code: Some(adjustment.code.clone()),
        amount_minor: adjustment.amount_minor,
        is_tax_inclusive: adjustment.is_tax_inclusive,
    }
}

fn credit_line(line: &contents::CreditLine) -> CreditLine {
    CreditLine {
        id: OrderCreditLineId::new(),
        amount_minor: line.amount_minor,
        reference: line.reference.clone(),
        reference_id: line.reference_id.clone(),
        metadata: line.metadata.clone(),
    }
}

pub(super) fn address(address: &contents::Address) -> Address {
    let address = address.clone();
    Address {
        id: OrderAddressId::new(),
        first_name: address.first_name,
        last_name: address.last_name,
        company: address.company,
        address_1: address.address_1,
        address_2: address.address_2,
        city: address.city,
        postal_code: address.postal_code,
        country_code: address.country_code,
        province: address.province,
        phone: address.phone,
        metadata: address.metadata,
    }
}

/// Returns the bundle instances in a cart. Lines of a bundle that no longer exists belong to none.
fn bundles_of(cart: &Cart, bundles: &[Bundle]) -> Result<Vec<OrderBundle>, OutOfRange> {
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
    let pieces: Vec<Piece<'_>> = lines.iter().filter_map(|line| line.piece()).collect();
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
