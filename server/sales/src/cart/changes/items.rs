//! Adds, changes and removes the lines of a cart.

use std::collections::BTreeMap;

use crate::cart::contents::{Cart, Item, Line};
use crate::cart::error::CartError;
use crate::cart::lines;
use crate::cart::pricing;
use crate::catalog::{self, Sellable};
use crate::database::{Missing, Tx};
use crate::http::{Refusal, request};
use crate::ids::{CartLineId, SubscriptionPlanId, VariantId};
use crate::inventory;
use crate::metadata::MetadataPatch;

/// A variant to add to a cart.
#[request]
#[schema(example = json!({ "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 1 }))]
pub(crate) struct AddLineItemRequest {
    pub(crate) variant_id: VariantId,
    /// At least one.
    #[schema(minimum = 1, maximum = 9999)]
    pub(crate) quantity: i64,
    // The client's own data; lines with different data do not merge.
    pub(crate) metadata: Option<MetadataPatch>,
}

/// Adds variants: to the line with the same variant and data, or as new lines.
pub(crate) fn add(
    tx: &Tx<'_>,
    cart: &mut Cart,
    items: Vec<AddLineItemRequest>,
) -> Result<(), CartError> {
    let ids: Vec<_> = items.iter().map(|item| item.variant_id.clone()).collect();
    let sellables = catalog::sellables_by_id(tx, &ids)?;
    for AddLineItemRequest { variant_id, quantity, metadata } in items {
        let metadata = metadata.unwrap_or_default().apply(None)?;
        let sellable = buyable(cart, sellables.get(&variant_id), &variant_id)?;
        let quantity = lines::checked(quantity, 1)?;
        let merges = |line: &&mut Line| line.merges(&variant_id, metadata.as_ref());
        if let Some(line) = cart.lines.iter_mut().find(merges) {
            line.quantity = lines::checked(line.quantity.saturating_add(quantity), 1)?;
        } else {
            let line = line_of(tx, cart, pricing::item(sellable), quantity);
            cart.push(Line { metadata, ..line })?;
        }
    }
    check_stock(tx, cart, &ids)
}

/// Sets the quantity of a line and merges its data; a quantity of zero removes the line.
pub(crate) fn change(
    tx: &Tx<'_>,
    cart: &mut Cart,
    id: &CartLineId,
    quantity: Option<i64>,
    metadata: Option<MetadataPatch>,
) -> Result<(), CartError> {
    let unknown = || Missing::new("Line item", id);
    let line = cart.lines.iter_mut().find(|line| line.id == *id).ok_or_else(unknown)?;
    if let Some(metadata) = metadata {
        line.metadata = metadata.apply(line.metadata.take())?;
    }
    let Some(quantity) = quantity else { return Ok(()) };
    let quantity = lines::checked(quantity, 0)?;
    if quantity == 0 {
        return remove(cart, id);
    }
    let is_raised = quantity > line.quantity;
    line.quantity = quantity;
    let variant_id = line.item.variant_id.clone();
    match variant_id.filter(|_| is_raised) {
        Some(variant_id) => check_stock(tx, cart, &[variant_id]),
        None => Ok(()),
    }
}

pub(crate) fn remove(cart: &mut Cart, id: &CartLineId) -> Result<(), CartError> {
    if !cart.lines.iter().any(|line| line.id == *id) {
        return Err(Missing::new("Line item", id).into());
    }
    cart.lines.retain(|line| line.id != *id);
    Ok(())
}

/// A line, and the plan to set; none removes it.
pub(crate) type PlanChoice = (CartLineId, Option<SubscriptionPlanId>);

/// Sets and removes the plans of lines, all or none; the refresh sets their prices.
///
/// # Errors
/// [`CartError::PlanNotOffered`] for a plan that the line's product does not have.
pub(crate) fn set_plans(
    tx: &Tx<'_>,
    cart: &mut Cart,
    choices: &[PlanChoice],
) -> Result<(), CartError> {
    let plans = pricing::plans_of(tx, choices.iter().filter_map(|(_, plan_id)| plan_id.as_ref()))?;
    for (index, (id, plan_id)) in choices.iter().enumerate() {
        if choices.iter().take(index).any(|(other, _)| other == id) {
            return Err(Refusal::invalid(format!("`items` names {id} twice")).into());
        }
        let line = cart.lines.iter_mut().find(|line| line.id == *id);
        let line = line.ok_or_else(|| Missing::new("Line item", id))?;
        if let Some(plan_id) = plan_id {
            let product_id = line.item.product_id.as_ref();
            let plan = plans.get(plan_id);
            let is_offered = product_id.zip(plan).is_some_and(|(id, plan)| plan.offers(id));
            if !is_offered {
                let (id, plan_id) = (id.clone(), plan_id.clone());
                return Err(CartError::PlanNotOffered { id, plan_id });
            }
        }
        line.plan_id.clone_from(plan_id);
    }
    Ok(())
}

/// Returns the variant if it is sold in the cart's channel.
pub(crate) fn buyable<'a>(
    cart: &Cart,
    sellable: Option<&'a Sellable>,
    variant_id: &VariantId,
) -> Result<&'a Sellable, CartError> {
    let channel = cart.sales_channel_id.as_ref();
    sellable
        .filter(|sellable| channel.is_none_or(|channel| sellable.is_sold_in(channel)))
        .ok_or_else(|| CartError::UnknownVariant { variant_id: variant_id.clone() })
}

/// Returns a line for any item, placed after the existing lines and not priced yet.
pub(crate) fn line_of(tx: &Tx<'_>, cart: &Cart, item: Item, quantity: i64) -> Line {
    let last = cart.lines.iter().map(|line| line.position).max();
    let position = last.map_or(0, |position| position.saturating_add(1));
    Line::new(CartLineId::new(), position, item, quantity, tx.now())
}

/// Checks that the stock covers all of the cart's lines of these variants, together with those that share an item with
/// them. Stock is reserved only at completion.
pub(crate) fn check_stock(tx: &Tx<'_>, cart: &Cart, ids: &[VariantId]) -> Result<(), CartError> {
    let Some(channel) = cart.sales_channel_id.as_ref().filter(|_| !ids.is_empty()) else {
        return Ok(());
    };
    let mut quantities: BTreeMap<&VariantId, i64> = BTreeMap::new();
    for line in &cart.lines {
        if let Some(id) = &line.item.variant_id {
            let pieces = quantities.entry(id).or_insert(0);
            *pieces = pieces.saturating_add(line.quantity);
        }
    }
    let quantities: Vec<_> =
        quantities.into_iter().map(|(id, pieces)| (id.clone(), pieces)).collect();
    Ok(inventory::check_changed(tx, &quantities, ids, channel)?)
}
