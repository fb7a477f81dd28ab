//! Snapshots of variants on the lines of a cart, and their prices.

use super::contents::{Cart, Item, Line};
use super::error::CartError;
use crate::catalog::Sellable;
use crate::customers;
use crate::database::Tx;
use crate::ids::{ById, CustomerGroupId, CustomerId, PriceSetId};
use crate::plans::{self, Plan, PlanError};
use crate::pricing::{self, PriceContext};
use crate::shipping::Audience;

/// The variants of a cart by id.
pub(super) type Sellables = ById<Sellable>;

/// Returns the customer of a cart on whom prices and promotions may depend: an account, or whom the staff names. Not a
/// guest otherwise, because anybody can type the e-mail address that makes a guest the customer of a cart.
pub(super) fn eligible_customer(cart: &Cart, audience: Audience) -> Option<&CustomerId> {
    let is_known = cart.has_account || audience == Audience::Staff;
    cart.customer_id.as_ref().filter(|_| is_known)
}

/// Returns the groups of the [`eligible_customer`].
pub(super) fn group_ids(
    tx: &Tx<'_>,
    cart: &Cart,
    audience: Audience,
) -> Result<Vec<CustomerGroupId>, CartError> {
    match eligible_customer(cart, audience) {
        Some(id) => Ok(customers::group_ids(tx, id)?),
        None => Ok(Vec::new()),
    }
}

/// Updates each line's price for its quantity and plan, and its variant's snapshot. Prices set by hand stay. A line
/// whose plan is no longer offered for its product loses it.
pub(super) fn price_lines(
    tx: &Tx<'_>,
    cart: &mut Cart,
    sellables: &Sellables,
    groups: &[CustomerGroupId],
) -> Result<(), CartError> {
    let context = PriceContext {
        currency: cart.currency,
        region_id: cart.region_id.clone(),
        customer_group_ids: groups.to_vec(),
        item_total_minor: None,
    };
    let mut charged: Vec<(&mut Line, &Sellable)> = cart
        .lines
        .iter_mut()
        .filter_map(|line| {
            let sellable = sellables.get(line.item.variant_id.as_ref()?)?;
            Some((line, sellable))
        })
        .collect();
    let quantities: Vec<(PriceSetId, i64)> = charged
        .iter()
        .map(|(line, sellable)| (sellable.price_set_id.clone(), line.quantity))
        .collect();
    let prices = pricing::calculate(tx, &context, &quantities)?;
    let plans = plans_of(tx, charged.iter().filter_map(|(line, _)| line.plan_id.as_ref()))?;
    for ((line, sellable), price) in charged.iter_mut().zip(prices) {
        line.item = item(sellable);
        if line.is_custom_price {
            continue;
        }
        let no_price = || CartError::NoPrice { variant_id: sellable.variant_id.clone() };
        let price = price.ok_or_else(no_price)?;
        let (amount, original) = (price.calculated.amount_minor, price.original.amount_minor);
        let plan = line.plan_id.as_ref().and_then(|id| plans.get(id));
        let plan = plan.filter(|plan| plan.offers(&sellable.product_id));
        line.plan_id = plan.map(|plan| plan.id.clone());
        let unit_price_minor = match plan {
            Some(plan) => plan.price(amount, context.currency).map_err(PlanError::from)?,
            None => amount,
        };
        line.unit_price_minor = unit_price_minor;
        line.compare_at_unit_price_minor =
            Some(original.max(amount)).filter(|original| *original > unit_price_minor);
        line.is_tax_inclusive = price.calculated.is_tax_inclusive;
    }
    Ok(())
}

/// Returns the current plans of lines by their ids; without a plan no statement runs.
pub(super) fn plans_of(
    tx: &Tx<'_>,
    ids: impl Iterator<Item: AsRef<str>>,
) -> Result<ById<Plan>, CartError> {
    let mut ids = ids.peekable();
    if ids.peek().is_none() {
        return Ok(ById::default());
    }
    let found = plans::with_ids(tx, ids).map_err(PlanError::from)?;
    Ok(found.into_iter().map(|plan| (plan.id.clone(), plan)).collect())
}

/// Returns the snapshot of a variant.
pub(super) fn item(sellable: &Sellable) -> Item {
    Item {
        variant_id: Some(sellable.variant_id.clone()),
        product_id: Some(sellable.product_id.clone()),
        title: sellable.product_title.clone(),
        subtitle: Some(sellable.variant_title.clone()),
        thumbnail: sellable.thumbnail.clone(),
        is_discountable: sellable.discountable,
        is_giftcard: sellable.is_giftcard,
        requires_shipping: sellable.requires_shipping,
        product_title: Some(sellable.product_title.clone()),
        product_description: sellable.product_description.clone(),
        product_subtitle: sellable.product_subtitle.clone(),
        product_handle: Some(sellable.product_handle.clone()),
        product_type: sellable.type_value.clone(),
        product_type_id: sellable.type_id.clone(),
        product_collection: sellable.collection_title.clone(),
        variant_title: Some(sellable.variant_title.clone()),
        variant_sku: sellable.sku.clone(),
        variant_barcode: sellable.barcode.clone(),
    }
}
