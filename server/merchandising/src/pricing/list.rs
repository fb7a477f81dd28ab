//! Price lists: prices that undercut or replace the ordinary ones, for some time or for some customers.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::choice::ListKind;
use super::price::MAX_LIST_PRICES;
use super::queries::prices;
use super::replace::{self, CUSTOMER_GROUP, PriceInsert, REGION};
use super::{NewPrice, PriceRow, PricingError};
use crate::clock::Timestamp;
use crate::database::{Record, Table, Tx, Word};
use crate::http::{Resource, Selection, ToSchema};
use crate::ids::{
    self, ById, CustomerGroupId, PriceId, PriceListId, PriceSetId, RegionId, VariantId,
};
use crate::metadata::Metadata;
use crate::money::{Amount, Currency};
use crate::resource::View;

/// A price list.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[record(table = "price_list l")]
#[record(list(plural = "price_lists", usual, search = ["l.title", "l.description"], limit = 50))]
#[resource(name = "price list")]
pub(super) struct PriceList {
    pub(super) id: PriceListId,
    #[schema(example = "Summer sale")]
    #[column(filter, order)]
    pub(super) title: String,
    pub(super) description: String,
    #[column(filter, order)]
    pub(super) status: ListStatus,
    #[serde(rename = "type")]
    #[column(filter, order)]
    pub(super) kind: ListKind,
    #[column(filter, order)]
    pub(super) starts_at: Option<Timestamp>,
    /// The end of its validity, exclusive.
    #[column(filter, order)]
    pub(super) ends_at: Option<Timestamp>,
    /// The rules: the context must match any of the values of each attribute.
    #[column(skip)]
    pub(super) rules: BTreeMap<String, Vec<String>>,
    #[field(extra)]
    pub(super) metadata: Metadata,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Always null: deleted lists are never returned.
    pub(super) deleted_at: Option<Timestamp>,
    #[field(relation)]
    pub(super) prices: Vec<ListPrice>,
}

/// The status of a price list.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "lowercase")]
#[schema(as = PriceListStatus)]
pub(super) enum ListStatus {
    /// Not in use yet.
    Draft,
    /// In use between its start and its end.
    Active,
}

/// A price of a list.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "price")]
pub(super) struct ListPrice {
    pub(super) id: PriceId,
    variant_id: Option<VariantId>,
    /// The price set of the variant.
    #[field(extra)]
    price_set_id: PriceSetId,
    currency_code: Currency,
    /// In major units.
    #[schema(example = 9.99)]
    amount: Amount,
    min_quantity: Option<i64>,
    /// The highest quantity, inclusive.
    max_quantity: Option<i64>,
    /// The required value of each attribute.
    rules: BTreeMap<String, String>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl ListPrice {
    fn new(price: PriceRow, variant_id: Option<VariantId>) -> Self {
        let rules = price.conditions.into_iter();
        Self {
            id: price.id,
            variant_id,
            price_set_id: price.price_set_id,
            currency_code: price.currency,
            amount: price.currency.amount(price.amount_minor),
            min_quantity: price.min_quantity,
            max_quantity: price.max_quantity,
            rules: rules.map(|condition| (condition.attribute, condition.value)).collect(),
            created_at: price.created_at,
            updated_at: price.updated_at,
        }
    }
}

impl View for PriceList {
    type Row = Self;
    type Error = PricingError;

    fn attach(tx: &Tx<'_>, views: &mut [Self], selection: &Selection) -> Result<(), PricingError> {
        let ids: Vec<PriceListId> = views.iter().map(|view| view.id.clone()).collect();
        if selection.wants("rules") {
            let mut rules: ById<Vec<_>> = ById::default();
            for (id, attribute, values) in prices::list_rules(tx, &ids)? {
                let values: Vec<String> = serde_json::from_str(&values).unwrap_or_default();
                rules.push(id, (attribute, values));
            }
            for view in &mut *views {
                view.rules = rules.take(&view.id).into_iter().collect();
            }
        }
        if selection.wants("prices") {
            let found = prices::stored_of_lists(tx, &ids::list(&ids))?;
            let sets: BTreeSet<&str> =
                found.iter().map(|price| price.price_set_id.as_str()).collect();
            let variants: ById<VariantId> =
                prices::variants_of(tx, &ids::list(sets))?.into_iter().collect();
            let mut prices = ById::default();
            for price in found {
                let variant_id = variants.get(&price.price_set_id).cloned();
                let Some(id) = price.price_list_id.clone() else { continue };
                prices.push(id, ListPrice::new(price, variant_id));
            }
            for view in views {
                view.prices = prices.take(&view.id);
            }
        }
        Ok(())
    }
}

/// Creates or updates a price list, and its rules if given. It must not end before it starts.
pub(super) fn put(
    tx: &Tx<'_>,
    list: &PriceList,
    rules: Option<BTreeMap<String, Vec<String>>>,
) -> Result<(), PricingError> {
    if list.starts_at.zip(list.ends_at).is_some_and(|(start, end)| end <= start) {
        let sentence = "`ends_at` must be after `starts_at`".to_owned();
        return Err(PricingError::Invalid(sentence));
    }
    list.put(tx)?;
    if let Some(rules) = rules {
        check_rules(&rules)?;
        let rows: Value = rules
            .into_iter()
            .filter(|(_, values)| !values.is_empty())
            .map(|(attribute, values)| json!([attribute, json!(values).to_string()]))
            .collect();
        prices::clear_list_rules(tx, &list.id)?;
        prices::add_list_rules(tx, &list.id, &rows.to_string())?;
    }
    Ok(())
}

fn check_rules(rules: &BTreeMap<String, Vec<String>>) -> Result<(), PricingError> {
    for (attribute, values) in rules {
        let fits = |value: &&String| match attribute.as_str() {
            CUSTOMER_GROUP => value.parse::<CustomerGroupId>().is_ok(),
            REGION => value.parse::<RegionId>().is_ok(),
            _ => false,
        };
        if attribute != CUSTOMER_GROUP && attribute != REGION {
            return Err(PricingError::unknown_attribute(attribute));
        }
        if let Some(value) = values.iter().find(|value| !fits(value)) {
            return Err(PricingError::bad_value(attribute, value));
        }
    }
    Ok(())
}

/// Replaces prices of a list by others, by a fixed number of statements. A price with the id of a replaced one keeps the id
/// and the creation time.
pub(super) fn replace_prices(
    tx: &Tx<'_>,
    id: &PriceListId,
    replaced: &BTreeSet<PriceId>,
    new: &[(VariantId, NewPrice)],
) -> Result<(), PricingError> {
    if new.len() > MAX_LIST_PRICES {
        return Err(PricingError::too_many(MAX_LIST_PRICES));
    }
    for (_, price) in new {
        replace::check_one(price)?;
    }
    let stored = prices::stored_of_lists(tx, &ids::list([id]))?;
    replace::check_regions(
        tx,
        new.iter().flat_map(|(_, price)| &price.conditions),
        stored.iter().flat_map(|price| &price.conditions),
    )?;
    let (before, kept): (Vec<_>, Vec<_>) =
        stored.into_iter().partition(|price| replaced.contains(&price.id));
    if let Some(first) = replaced.first().filter(|_| before.len() != replaced.len()) {
        return Err(PricingError::unknown_price(first));
    }
    prices::delete(tx, &ids::list(replaced))?;
    let before: ById<Timestamp> =
        before.into_iter().map(|price| (price.id, price.created_at)).collect();
    let variant_ids: BTreeSet<&str> = new.iter().map(|(variant, _)| variant.as_str()).collect();
    let sets: ById<PriceSetId> =
        prices::price_sets(tx, &ids::list(variant_ids))?.into_iter().collect();
    let mut inserts = Vec::with_capacity(new.len());
    for (variant_id, price) in new {
        let missing =
            || PricingError::Invalid(format!("the variant `{variant_id}` does not exist"));
        let price_id = price.id.clone().unwrap_or_else(PriceId::new);
        inserts.push(PriceInsert {
            created_at: before.get(&price_id).copied().unwrap_or_else(|| tx.now()),
            id: price_id,
            price_set_id: sets.get(variant_id).ok_or_else(missing)?,
            price_list_id: Some(id),
            price,
        });
    }
    check_cases(&kept, &inserts)?;
    replace::write(tx, &inserts)
}

/// Rejects two prices of a list for the same case, since one of them would never apply.
fn check_cases(kept: &[PriceRow], inserts: &[PriceInsert<'_>]) -> Result<(), PricingError> {
    let mut cases: BTreeSet<_> = kept
        .iter()
        .map(|price| {
            let quantities = (price.min_quantity, price.max_quantity);
            (&price.price_set_id, replace::case(price.currency, quantities, &price.conditions))
        })
        .collect();
    for PriceInsert { price_set_id, price, .. } in inserts {
        let quantities = (price.min_quantity, price.max_quantity);
        let case = replace::case(price.currency, quantities, &price.conditions);
        if !cases.insert((*price_set_id, case)) {
            return Err(PricingError::twice(price.currency));
        }
    }
    Ok(())
}

/// Returns the ids of prices to replace or delete, each of which must occur once.
pub(super) fn named_once(ids: &[PriceId]) -> Result<BTreeSet<PriceId>, PricingError> {
    let mut named = BTreeSet::new();
    match ids.iter().find(|id| !named.insert((*id).clone())) {
        Some(id) => Err(PricingError::Invalid(format!("the price `{id}` is there twice"))),
        None => Ok(named),
    }
}
