//! Discounts of a cart.

use rust_decimal::Decimal;

use super::contents::{Cart, Line, LineAdjustment, ShippingMethod};
use super::error::CartError;
use super::pricing::Sellables;
use super::totals;
use crate::database::Tx;
use crate::ids::{CartAdjustmentId, CustomerGroupId, CustomerId};
use crate::money::Currency;
use crate::promotions::allocation::{Allocation, DiscountedItem, Method, Target, allocate};
use crate::promotions::rules::Facts;
use crate::promotions::{self, Applicable};
use crate::proportion::{OutOfRange, sum};

/// Returns the promotions that apply to the cart: by its codes, or automatically. `customer` is the one who is known, with
/// the groups.
pub(super) fn applicable(
    tx: &Tx<'_>,
    cart: &Cart,
    sellables: &Sellables,
    customer: Option<&CustomerId>,
    groups: &[CustomerGroupId],
) -> Result<Vec<Applicable>, CartError> {
    if cart.lines.is_empty() {
        return Ok(Vec::new());
    }
    let subtotal = items_subtotal(cart)?;
    let facts = || cart_facts(cart, subtotal, sellables, customer, groups);
    Ok(promotions::applicable(tx, &cart.promo_codes, cart.currency, facts)?)
}

/// Recomputes all adjustments. Unchanged ones keep their id.
pub(super) fn discount(
    cart: &mut Cart,
    sellables: &Sellables,
    promotions: &[Applicable],
) -> Result<(), CartError> {
    let taken = if promotions.is_empty() {
        Vec::new()
    } else {
        let currency = cart.currency;
        let lines = cart.lines.iter().map(|line| line_target(line, sellables, currency));
        let methods = cart.shipping_methods.iter().map(|method| method_target(method, currency));
        let rules: Vec<Method> =
            promotions.iter().map(|promotion| promotion.method.clone()).collect();
        allocate(
            &rules,
            &lines.collect::<Result<Vec<_>, _>>()?,
            &methods.collect::<Result<Vec<_>, _>>()?,
        )
        .map_err(totals::TotalsError::from)?
    };
    for (index, line) in cart.lines.iter_mut().enumerate() {
        let offer = offer_adjustment(line).map_err(totals::TotalsError::from)?;
        replace(&mut line.adjustments, &taken, DiscountedItem::Line(index), promotions);
        line.adjustments.extend(offer);
    }
    for (index, method) in cart.shipping_methods.iter_mut().enumerate() {
        replace(&mut method.adjustments, &taken, DiscountedItem::ShippingMethod(index), promotions);
    }
    Ok(())
}

fn replace(
    adjustments: &mut Vec<LineAdjustment>,
    taken: &[Allocation],
    place: DiscountedItem,
    promotions: &[Applicable],
) {
    let before = std::mem::take(adjustments);
    let of_bundle = before.iter().filter(|adjustment| adjustment.is_of_bundle()).cloned();
    let of_promotions = taken.iter().filter(|taken| taken.place == place).filter_map(|taken| {
        let promotion = promotions.get(taken.promotion)?;
        let own = Some(&promotion.id);
        let previous = before.iter().find(|old| old.promotion_id.as_ref() == own);
        Some(LineAdjustment {
            id: previous.map_or_else(CartAdjustmentId::new, |old| old.id.clone()),
            promotion_id: Some(promotion.id.clone()),
            code: promotion.code.clone(),
            amount_minor: taken.amount_minor,
            is_tax_inclusive: taken.is_tax_inclusive,
            offer: None,
        })
    });
    *adjustments = of_bundle.chain(of_promotions).collect();
}

/// Returns the subtotal of the items, without tax and before promotions, in minor units.
fn items_subtotal(cart: &Cart) -> Result<i64, CartError> {
    let mut subtotals = Vec::with_capacity(cart.lines.len());
    for line in &cart.lines {
        let amounts = totals::charge(&line.charge_before_promotions())?.amounts;
        subtotals.push(amounts.subtotal.saturating_sub(amounts.discount_subtotal));
    }
    Ok(sum(subtotals).map_err(totals::TotalsError::from)?)
}

fn line_target(
    line: &Line,
    sellables: &Sellables,
    currency: Currency,
) -> Result<Target, CartError> {
    let amounts = totals::charge(&line.charge_before_promotions())?.amounts;
    Ok(Target {
        facts: line_facts(Facts::default(), line, sellables, currency),
        quantity: line.quantity,
        subtotal_minor: amounts.subtotal.saturating_sub(amounts.discount_subtotal),
        original_total_minor: amounts.total,
        is_discountable: line.item.is_discountable && !line.is_offer(),
    })
}

fn method_target(method: &ShippingMethod, currency: Currency) -> Result<Target, CartError> {
    let amounts = totals::charge(&method.charge())?.amounts;
    Ok(Target {
        facts: Facts::default()
            .with("name", method.name.clone())
            .with("amount", major(method.amount_minor, currency))
            .with_each("shipping_option_id", &method.shipping_option_id),
        quantity: 1,
        subtotal_minor: amounts.subtotal,
        original_total_minor: amounts.original_total,
        is_discountable: true,
    })
}

fn cart_facts(
    cart: &Cart,
    subtotal_minor: i64,
    sellables: &Sellables,
    customer: Option<&CustomerId>,
    groups: &[CustomerGroupId],
) -> Facts {
    let quantity: i64 = cart.lines.iter().fold(0, |sum, line| sum.saturating_add(line.quantity));
    let address = cart.shipping_address.as_ref();
    let facts = Facts::default()
        .with("currency_code", cart.currency.to_string())
        .with("subtotal", major(subtotal_minor, cart.currency))
        .with("item_subtotal", major(subtotal_minor, cart.currency))
        .with("item_quantity", quantity.to_string())
        .with_each("region_id", &cart.region_id)
        .with_each("region.id", &cart.region_id)
        .with_each("sales_channel_id", &cart.sales_channel_id)
        .with_each("customer.id", customer)
        .with_each("customer_id", customer)
        .with_each("customer.groups.id", groups)
        .with_each("email", &cart.email)
        .with_each(
            "shipping_address.country_code",
            address.and_then(|address| address.country_code.as_ref()),
        )
        .with_each(
            "shipping_address.province",
            address.and_then(|address| address.province.as_ref()),
        );
    cart.lines.iter().fold(facts, |facts, line| line_facts(facts, line, sellables, cart.currency))
}

fn line_facts(facts: Facts, line: &Line, sellables: &Sellables, currency: Currency) -> Facts {
    let facts = facts.with("unit_price", major(line.unit_price_minor, currency));
    let Some(sellable) = line.item.variant_id.as_ref().and_then(|id| sellables.get(id)) else {
        return facts;
    };
    facts
        .with("product.id", sellable.product_id.as_str())
        .with("variant_id", sellable.variant_id.as_str())
        .with_each("product.type_id", &sellable.type_id)
        .with_each("product.collection_id", &sellable.collection_id)
        .with_each("sku", &sellable.sku)
        .with_each("product.categories.id", &sellable.category_ids)
        .with_each("product.tags.id", &sellable.tag_ids)
}

/// Formats an amount as rules write it: a decimal in major units.
fn major(minor: i64, currency: Currency) -> String {
    Decimal::new(minor, currency.digits()).normalize().to_string()
}

/// Returns the adjustment of a line's offer at the line's current price.
fn offer_adjustment(line: &Line) -> Result<Option<LineAdjustment>, OutOfRange> {
    let Some(adjustment) = line.adjustments.iter().find(|one| one.offer.is_some()) else {
        return Ok(None);
    };
    let mut adjustment = adjustment.clone();
    if let Some(terms) = &adjustment.offer {
        adjustment.amount_minor = terms.discount(line.unit_price_minor, line.quantity)?;
    }
    adjustment.is_tax_inclusive = line.is_tax_inclusive;
    Ok(Some(adjustment))
}
