//! Writes prices: their validation, and their place in a set or a list.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::price::MAX_PRICES;
use super::queries::prices;
use super::{Comparison, NewPrice, PriceCondition, PricingError};
use crate::clock::Timestamp;
use crate::database::Word as _;
use crate::database::{Tx, first_missing_of_new};
use crate::ids::{self, ById, CustomerGroupId, PriceId, PriceListId, PriceSetId, RegionId};
use crate::money::Currency;

/// The attribute of the region in conditions.
pub(super) const REGION: &str = super::choice::REGION;
/// The attribute of a customer's groups.
pub(crate) const CUSTOMER_GROUP: &str = "customer.groups.id";
/// The attribute of a cart's item total, in major units.
pub(crate) const ITEM_TOTAL: &str = "item_total";

/// Replaces the prices of a set outside of price lists. A price with the id of an existing one keeps the id and the
/// creation time.
///
/// # Errors
/// A negative price, a tier without quantities, an invalid rule, a region that does not exist, two prices for the same
/// case, or an id that is not in the set.
pub(crate) fn replace_prices(
    tx: &Tx<'_>,
    price_set_id: &PriceSetId,
    new: &[NewPrice],
) -> Result<(), PricingError> {
    replace_prices_of(tx, &[(price_set_id, new)])
}

/// Does the same for several sets, by a fixed number of statements.
pub(crate) fn replace_prices_of(
    tx: &Tx<'_>,
    sets: &[(&PriceSetId, &[NewPrice])],
) -> Result<(), PricingError> {
    for (_, new) in sets {
        check(new)?;
    }
    let set_ids = ids::list(sets.iter().map(|(id, _)| id.as_str()));
    let before = prices::stored_of_sets(tx, &set_ids)?;
    let new = sets.iter().flat_map(|(_, new)| *new);
    check_regions(
        tx,
        new.flat_map(|price| &price.conditions),
        before.iter().flat_map(|price| &price.conditions),
    )?;
    if !before.is_empty() {
        prices::delete_ordinary(tx, &set_ids)?;
    }
    let before = before.into_iter().map(|price| (price.id, (price.price_set_id, price.created_at)));
    let before: ById<(PriceSetId, Timestamp)> = before.collect();
    let mut inserts = Vec::new();
    for (price_set_id, new) in sets {
        for price in *new {
            let (id, created_at) = match &price.id {
                Some(id) => {
                    let existing = before.get(id).filter(|(set_id, _)| set_id == *price_set_id);
                    let (_, created_at) =
                        existing.ok_or_else(|| PricingError::unknown_price(id))?;
                    (id.clone(), *created_at)
                }
                None => (PriceId::new(), tx.now()),
            };
            inserts.push(PriceInsert { id, price_set_id, price_list_id: None, created_at, price });
        }
    }
    write(tx, &inserts)
}

/// A price with the set and the list that it belongs to.
#[derive(Debug)]
pub(super) struct PriceInsert<'a> {
    pub(super) id: PriceId,
    pub(super) price_set_id: &'a PriceSetId,
    /// The price list, if any.
    pub(super) price_list_id: Option<&'a PriceListId>,
    pub(super) created_at: Timestamp,
    pub(super) price: &'a NewPrice,
}

/// Inserts checked prices with their conditions.
pub(super) fn write(tx: &Tx<'_>, inserts: &[PriceInsert<'_>]) -> Result<(), PricingError> {
    let mut rows = Vec::with_capacity(inserts.len());
    let mut conditions = Vec::new();
    for PriceInsert { id, price_set_id, price_list_id, created_at, price } in inserts {
        rows.push(json!([
            id,
            price_set_id,
            price_list_id,
            price.currency,
            price.amount_minor,
            price.min_quantity,
            price.max_quantity,
            price.title,
            created_at.as_millis(),
        ]));
        for PriceCondition { attribute, comparison, value } in &price.conditions {
            conditions.push(json!([id, attribute, comparison.as_str(), value]));
        }
    }
    if !rows.is_empty() {
        prices::insert(tx, &Value::Array(rows).to_string())?;
    }
    if !conditions.is_empty() {
        prices::insert_conditions(tx, &Value::Array(conditions).to_string())?;
    }
    Ok(())
}

/// The case that a price of a set covers: a currency, quantities and conditions.
pub(super) type Case<'a> = (Currency, (Option<i64>, Option<i64>), BTreeSet<&'a PriceCondition>);

pub(super) fn case(
    currency: Currency,
    quantities: (Option<i64>, Option<i64>),
    conditions: &[PriceCondition],
) -> Case<'_> {
    (currency, quantities, conditions.iter().collect())
}

pub(super) fn check(new: &[NewPrice]) -> Result<(), PricingError> {
    if new.len() > MAX_PRICES {
        return Err(PricingError::too_many(MAX_PRICES));
    }
    let mut cases = BTreeSet::new();
    let mut ids_seen = BTreeSet::new();
    for price in new {
        check_one(price)?;
        let quantities = (price.min_quantity, price.max_quantity);
        if !cases.insert(case(price.currency, quantities, &price.conditions)) {
            return Err(PricingError::twice(price.currency));
        }
        if let Some(id) = &price.id
            && !ids_seen.insert(id)
        {
            return Err(PricingError::unknown_price(id));
        }
    }
    Ok(())
}

pub(super) fn check_one(price: &NewPrice) -> Result<(), PricingError> {
    if price.amount_minor < 0 {
        return Err(PricingError::negative());
    }
    let (least, most) = (price.min_quantity, price.max_quantity);
    if least.is_some_and(|least| least < 1) || most.is_some_and(|most| most < least.unwrap_or(1)) {
        return Err(PricingError::Invalid(
            "`min_quantity` must be at least 1 and not above `max_quantity`".to_owned(),
        ));
    }
    let mut seen = BTreeSet::new();
    for condition in &price.conditions {
        check_condition(condition)?;
        if !seen.insert((&condition.attribute, condition.comparison)) {
            return Err(PricingError::twice(price.currency));
        }
    }
    Ok(())
}

fn check_condition(condition: &PriceCondition) -> Result<(), PricingError> {
    let PriceCondition { attribute, comparison, value } = condition;
    let is_equal = *comparison == Comparison::Equal;
    let fits = match attribute.as_str() {
        REGION => is_equal && value.parse::<RegionId>().is_ok(),
        CUSTOMER_GROUP => is_equal && value.parse::<CustomerGroupId>().is_ok(),
        ITEM_TOTAL => value.parse::<Decimal>().is_ok(),
        _ => return Err(PricingError::unknown_attribute(attribute)),
    };
    let bad = || PricingError::bad_value(attribute, value);
    if fits { Ok(()) } else { Err(bad()) }
}

/// Checks that the regions in conditions exist, except those that were there before.
pub(super) fn check_regions<'c>(
    tx: &Tx<'_>,
    conditions: impl Iterator<Item = &'c PriceCondition>,
    before: impl Iterator<Item = &'c PriceCondition>,
) -> Result<(), PricingError> {
    let region =
        |condition: &'c PriceCondition| (condition.attribute == REGION).then_some(&condition.value);
    let regions: Vec<&String> = conditions.filter_map(region).collect();
    if regions.is_empty() {
        return Ok(());
    }
    match first_missing_of_new(tx, "region", regions, before.filter_map(region))? {
        Some(id) => Err(PricingError::unknown_region(&id)),
        None => Ok(()),
    }
}
