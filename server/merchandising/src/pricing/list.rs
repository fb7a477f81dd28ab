//! Price lists: prices that lower the ordinary ones for a while, or take their place, for some customers.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::price::MAX_LIST_PRICES;
use super::queries::{lists, prices};
use super::replace::{self, CUSTOMER_GROUP, Placed, REGION};
use super::{NewPrice, PricingError, StoredPrice};
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::ids::{self, CustomerGroupId, PriceId, PriceListId, PriceSetId, RegionId, VariantId};
use crate::metadata::{Metadata, MetadataPatch};
use crate::sent::Sent;

/// A price list as it is stored.
#[derive(Debug, Clone)]
pub struct PriceListRow {
    /// Its id.
    pub id: PriceListId,
    /// Its title.
    pub title: String,
    /// What it is for.
    pub description: String,
    /// `draft` or `active`.
    pub status: String,
    /// `sale` or `override`.
    pub kind: String,
    /// From when on it counts.
    pub starts_at: Option<Timestamp>,
    /// Until when it counts, that instant excluded.
    pub ends_at: Option<Timestamp>,
    /// The caller's own data.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

/// A price list with its rules and prices.
#[derive(Debug, Clone)]
pub struct LoadedList {
    /// The list.
    pub row: PriceListRow,
    /// For whom: any of the values of each attribute.
    pub rules: BTreeMap<String, Vec<String>>,
    /// Its prices, each with its variant.
    pub prices: Vec<(StoredPrice, Option<VariantId>)>,
}

/// What is to be set of a price list; what is none stays.
#[derive(Debug, Clone, Default)]
pub(crate) struct ListChange {
    /// Its title.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// `draft` or `active`.
    pub status: Option<&'static str>,
    /// `sale` or `override`.
    pub kind: Option<&'static str>,
    /// From when on it counts.
    pub starts_at: Sent<Timestamp>,
    /// Until when it counts.
    pub ends_at: Sent<Timestamp>,
    /// For whom, all of it.
    pub rules: Option<BTreeMap<String, Vec<String>>>,
    /// Merged into the caller's own data.
    pub metadata: MetadataPatch,
}

/// Makes a price list with its prices.
///
/// # Errors
/// A span that ends before it starts, a rule that does not fit, a price that does not hold, a variant that is not there.
pub(crate) fn create_list(
    tx: &Tx<'_>,
    change: ListChange,
    new: &[(VariantId, NewPrice)],
) -> Result<PriceListId, PricingError> {
    let id = PriceListId::new();
    let blank = PriceListRow {
        id: id.clone(),
        title: String::new(),
        description: String::new(),
        status: "draft".to_owned(),
        kind: "sale".to_owned(),
        starts_at: None,
        ends_at: None,
        metadata: Metadata::default(),
        created_at: tx.now(),
        updated_at: tx.now(),
    };
    put(tx, blank, change)?;
    add_prices(tx, &id, new)?;
    Ok(id)
}

/// Changes a price list.
///
/// # Errors
/// A list that is not there, and what [`create_list`] refuses.
pub(crate) fn update_list(
    tx: &Tx<'_>,
    id: &PriceListId,
    change: ListChange,
) -> Result<(), PricingError> {
    let before = find_list(tx, id)?;
    put(tx, before, change)
}

fn put(tx: &Tx<'_>, before: PriceListRow, change: ListChange) -> Result<(), PricingError> {
    let row = PriceListRow {
        title: change.title.unwrap_or(before.title),
        description: change.description.unwrap_or(before.description),
        status: change.status.map_or(before.status, str::to_owned),
        kind: change.kind.map_or(before.kind, str::to_owned),
        starts_at: change.starts_at.unwrap_or(before.starts_at),
        ends_at: change.ends_at.unwrap_or(before.ends_at),
        metadata: change.metadata.merge(&before.metadata)?,
        ..before
    };
    if row.starts_at.zip(row.ends_at).is_some_and(|(start, end)| end <= start) {
        return Err(PricingError::EmptySpan);
    }
    lists::put(tx, &row)?;
    if let Some(rules) = change.rules {
        check_rules(&rules)?;
        let rows: Value = rules
            .into_iter()
            .filter(|(_, values)| !values.is_empty())
            .map(|(attribute, values)| json!([attribute, json!(values).to_string()]))
            .collect();
        lists::clear_rules(tx, &row.id)?;
        lists::add_rules(tx, &row.id, &rows.to_string())?;
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
            return Err(PricingError::UnknownAttribute { attribute: attribute.clone() });
        }
        if let Some(value) = values.iter().find(|value| !fits(value)) {
            let (attribute, value) = (attribute.clone(), value.clone());
            return Err(PricingError::BadValue { attribute, value });
        }
    }
    Ok(())
}

/// Adds prices to a list; one that names an id must have been removed before, and keeps it. A number of statements that does not grow with them.
///
/// # Errors
/// A price that does not hold, or a variant that is not there.
pub(crate) fn add_prices(
    tx: &Tx<'_>,
    id: &PriceListId,
    new: &[(VariantId, NewPrice)],
) -> Result<(), PricingError> {
    if new.len() > MAX_LIST_PRICES {
        return Err(PricingError::TooMany { max: MAX_LIST_PRICES });
    }
    for (_, price) in new {
        replace::check_one(price)?;
    }
    let conditions: Vec<_> = new.iter().flat_map(|(_, price)| &price.conditions).collect();
    replace::check_regions(tx, &conditions)?;
    let variant_ids: BTreeSet<&str> = new.iter().map(|(variant, _)| variant.as_str()).collect();
    let sets: BTreeMap<VariantId, PriceSetId> =
        lists::price_sets(tx, &ids::list(variant_ids))?.into_iter().collect();
    let mut placed = Vec::with_capacity(new.len());
    for (variant_id, price) in new {
        let missing = || PricingError::UnknownVariant(variant_id.clone());
        placed.push(Placed {
            id: price.id.clone().unwrap_or_else(PriceId::new),
            price_set_id: sets.get(variant_id).ok_or_else(missing)?,
            price_list_id: Some(id),
            created_at: tx.now(),
            price,
        });
    }
    replace::write(tx, &placed)
}

/// Removes prices of a list.
///
/// # Errors
/// A price that is not in the list.
pub(crate) fn remove_prices(
    tx: &Tx<'_>,
    id: &PriceListId,
    gone: &BTreeSet<PriceId>,
) -> Result<(), PricingError> {
    let price_ids = ids::list(gone.iter().map(PriceId::as_str));
    if lists::count_prices(tx, id, &price_ids)? != gone.len() {
        let first = gone.first().cloned();
        return first.map_or(Ok(()), |price| Err(PricingError::UnknownPrice(price)));
    }
    Ok(lists::delete_prices(tx, id, &price_ids)?)
}

/// Deletes a price list softly; its prices count no more.
///
/// # Errors
/// A list that is not there.
pub(crate) fn delete_list(tx: &Tx<'_>, id: &PriceListId) -> Result<(), PricingError> {
    find_list(tx, id)?;
    Ok(lists::delete(tx, id)?)
}

/// A price list that is there.
///
/// # Errors
/// [`PricingError::NoList`].
pub(crate) fn find_list(tx: &Tx<'_>, id: &PriceListId) -> Result<PriceListRow, PricingError> {
    lists::find(tx, id)?.ok_or_else(|| PricingError::NoList(id.clone()))
}

/// Adds rules and prices to price lists. Three statements.
pub fn load(tx: &Tx<'_>, rows: Vec<PriceListRow>) -> Result<Vec<LoadedList>, PricingError> {
    let list_ids: Vec<PriceListId> = rows.iter().map(|row| row.id.clone()).collect();
    let mut rules: BTreeMap<PriceListId, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for (id, attribute, values) in prices::list_rules(tx, &list_ids)? {
        let values = serde_json::from_str(&values).unwrap_or_default();
        rules.entry(id).or_default().insert(attribute, values);
    }
    let found = prices::stored_of_lists(tx, &ids::list(list_ids.iter().map(PriceListId::as_str)))?;
    let sets: BTreeSet<&str> = found.iter().map(|price| price.price_set_id.as_str()).collect();
    let variants: BTreeMap<PriceSetId, VariantId> =
        lists::variants_of(tx, &ids::list(sets))?.into_iter().collect();
    let mut priced: BTreeMap<PriceListId, Vec<_>> = BTreeMap::new();
    for price in found {
        let variant = variants.get(&price.price_set_id).cloned();
        if let Some(id) = price.price_list_id.clone() {
            priced.entry(id).or_default().push((price, variant));
        }
    }
    let loaded = |row: PriceListRow| LoadedList {
        rules: rules.remove(&row.id).unwrap_or_default(),
        prices: priced.remove(&row.id).unwrap_or_default(),
        row,
    };
    Ok(rows.into_iter().map(loaded).collect())
}
