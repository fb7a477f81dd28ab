//! Calculates the prices of several price sets for one context, by a fixed number of statements.

use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;

use super::choice::{
    Candidate, Context, ListTerms, Preference, PriceRule, REGION, choose, is_tax_inclusive,
};
use super::queries::prices;
use super::replace::{CUSTOMER_GROUP, ITEM_TOTAL};
use super::{CalculatedPrice, ChosenPrice, PriceCondition, PriceContext, PriceRow, PricingError};
use crate::database::Tx;
use crate::ids::{self, ById, CustomerGroupId, PriceListId, PriceSetId, RegionId};

/// The attribute value that represents a fulfilled condition on the item total, so that it counts as a matching rule.
const HOLDS: &str = "holds";

/// Returns the price of each set for its quantity, in the order of `quantities`; none if no price applies. Two
/// statements, or three if a price list is involved.
pub fn calculate(
    tx: &Tx<'_>,
    context: &PriceContext,
    quantities: &[(PriceSetId, i64)],
) -> Result<Vec<Option<CalculatedPrice>>, PricingError> {
    let ids: BTreeSet<&str> = quantities.iter().map(|(id, _)| id.as_str()).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let prices = prices::candidates(tx, &ids::list(ids), context.currency)?;
    let list_ids: BTreeSet<&PriceListId> =
        prices.iter().filter_map(|price| price.price_list_id.as_ref()).collect();
    let lists =
        if list_ids.is_empty() { ById::default() } else { prices::list_terms(tx, list_ids)? };
    let mut sets = ById::default();
    for price in prices {
        let set_id = price.price_set_id.clone();
        if let Some(candidate) = candidate(price, context, &lists) {
            sets.push(set_id, candidate);
        }
    }
    let preferences = prices::preferences(tx, context.currency, context.region_id.as_ref())?;
    let mut choosing = Context {
        currency: context.currency,
        attributes: attributes(context),
        quantity: 1,
        now: tx.now(),
    };
    let mut calculated = Vec::with_capacity(quantities.len());
    for (price_set_id, quantity) in quantities {
        choosing.quantity = *quantity;
        let choice = choose(sets.group(price_set_id), &choosing);
        calculated.push(choice.map(|choice| CalculatedPrice {
            price_set_id: price_set_id.clone(),
            currency: context.currency,
            calculated: chosen(choice.calculated, &preferences),
            original: chosen(choice.original, &preferences),
        }));
    }
    Ok(calculated)
}

fn chosen(candidate: &Candidate, preferences: &[Preference]) -> ChosenPrice {
    ChosenPrice {
        id: candidate.id.clone(),
        amount_minor: candidate.amount_minor,
        list: candidate.list.as_ref().map(|list| (list.id.clone(), list.kind)),
        min_quantity: candidate.min_quantity,
        max_quantity: candidate.max_quantity,
        is_tax_inclusive: is_tax_inclusive(candidate, preferences),
    }
}

/// Returns the candidate of a price; none if a condition on the item total does not hold.
fn candidate(
    price: PriceRow,
    context: &PriceContext,
    lists: &ById<ListTerms>,
) -> Option<Candidate> {
    let list = match price.price_list_id {
        Some(id) => Some(lists.get(id)?.clone()),
        None => None,
    };
    let rules = price.conditions.into_iter().map(|condition| rule(condition, context));
    Some(Candidate {
        id: price.id,
        amount_minor: price.amount_minor,
        currency: price.currency,
        min_quantity: price.min_quantity,
        max_quantity: price.max_quantity,
        rules: rules.collect::<Option<_>>()?,
        list,
    })
}

fn rule(condition: PriceCondition, context: &PriceContext) -> Option<PriceRule> {
    let PriceCondition { attribute, comparison, mut value } = condition;
    if attribute == ITEM_TOTAL {
        let total = Decimal::new(context.item_total_minor?, context.currency.digits());
        if !comparison.holds(&total, &value.parse().ok()?) {
            return None;
        }
        HOLDS.clone_into(&mut value);
    }
    Some(PriceRule { attribute, values: vec![value] })
}

fn attributes(context: &PriceContext) -> BTreeMap<String, Vec<String>> {
    let groups = context.customer_group_ids.iter().map(CustomerGroupId::to_string).collect();
    BTreeMap::from([
        (REGION.to_owned(), context.region_id.iter().map(RegionId::to_string).collect()),
        (CUSTOMER_GROUP.to_owned(), groups),
        (ITEM_TOTAL.to_owned(), vec![HOLDS.to_owned()]),
    ])
}
