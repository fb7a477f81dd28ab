//! Chooses the price of a variant that applies, and the price without a sale.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::database::{FromRow, Word};
use crate::http::ToSchema;
use crate::ids::{PriceId, PriceListId};
use crate::money::Currency;

/// Whether a price list lowers prices or replaces them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Word)]
#[serde(rename_all = "lowercase")]
#[schema(as = PriceListType)]
pub enum ListKind {
    /// Applies only if it is not above the ordinary price, which stays the original one.
    Sale,
    /// Always applies, and is the original price as well.
    Override,
}

/// A condition on the shopper or the region: the context must have one of the values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PriceRule {
    /// The attribute, such as `region_id` or `customer.groups.id`.
    pub attribute: String,
    /// The matching values.
    pub values: Vec<String>,
}

/// The price list a price belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListTerms {
    pub id: PriceListId,
    /// A sale or an override.
    pub kind: ListKind,
    pub is_active: bool,
    pub starts_at: Option<Timestamp>,
    /// The end, exclusive.
    pub ends_at: Option<Timestamp>,
    /// The rules that the context must match.
    pub rules: Vec<PriceRule>,
}

/// A price that may apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The id, which breaks ties between equal prices.
    pub id: PriceId,
    /// In minor units.
    pub amount_minor: i64,
    pub currency: Currency,
    pub min_quantity: Option<i64>,
    /// The highest quantity, inclusive.
    pub max_quantity: Option<i64>,
    /// The rules that the context must match.
    pub rules: Vec<PriceRule>,
    /// The price list; none for an ordinary price.
    pub list: Option<ListTerms>,
}

/// The context of a choice: the shopper, the region and the quantity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Context {
    pub currency: Currency,
    /// Values by attribute: `region_id`, `customer.groups.id`.
    pub attributes: BTreeMap<String, Vec<String>>,
    /// The number of pieces; one by default.
    pub quantity: i64,
    pub now: Timestamp,
}

/// The price to pay, and the price without a sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Choice<'a> {
    /// The price to pay.
    pub calculated: &'a Candidate,
    /// The price without a sale.
    pub original: &'a Candidate,
}

/// Whether prices with a rule for a region, or other prices in a currency, include tax.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub(crate) struct Preference {
    /// `region_id` or `currency_code`.
    pub attribute: String,
    /// The region or the currency.
    pub value: String,
    pub is_tax_inclusive: bool,
}

/// The attribute of the region in contexts and rules.
pub(crate) const REGION: &str = "region_id";

/// Chooses among `candidates`; returns none if none applies.
///
/// The ordinary price with the most rules wins, then the tier that starts highest, then the lowest amount. The lowest
/// price of an override list replaces it; the lowest price of a sale applies if it is not above it. Ties go by id, so
/// the order of the candidates does not matter.
pub(crate) fn choose<'a>(candidates: &'a [Candidate], context: &Context) -> Option<Choice<'a>> {
    let applying = || candidates.iter().filter(|candidate| applies(candidate, context));
    let cheapest = |kind: ListKind| {
        applying()
            .filter(|candidate| candidate.list.as_ref().is_some_and(|list| list.kind == kind))
            .min_by(|left, right| by_amount(left, right))
    };
    if let Some(replacement) = cheapest(ListKind::Override) {
        return Some(Choice { calculated: replacement, original: replacement });
    }
    let ordinary = applying().filter(|candidate| candidate.list.is_none()).min_by(|left, right| {
        let by_rules = right.rules.len().cmp(&left.rules.len());
        let by_tier = right.min_quantity.cmp(&left.min_quantity);
        by_rules.then(by_tier).then_with(|| by_amount(left, right))
    });
    match (ordinary, cheapest(ListKind::Sale)) {
        (Some(original), Some(sale)) if sale.amount_minor <= original.amount_minor => {
            Some(Choice { calculated: sale, original })
        }
        (Some(only), Some(_) | None) | (None, Some(only)) => {
            Some(Choice { calculated: only, original: only })
        }
        (None, None) => None,
    }
}

/// Returns whether a chosen price includes tax: for a region's price by the region's preference, otherwise by the
/// currency's; false without a preference.
pub(crate) fn is_tax_inclusive(price: &Candidate, preferences: &[Preference]) -> bool {
    let preferred = |attribute: &str, value: &str| {
        let is_for = |one: &&Preference| one.attribute == attribute && one.value == value;
        preferences.iter().find(is_for).map(|preference| preference.is_tax_inclusive)
    };
    let regions = price.rules.iter().filter(|rule| rule.attribute == REGION);
    regions
        .flat_map(|rule| &rule.values)
        .find_map(|region| preferred(REGION, region))
        .or_else(|| preferred("currency_code", &price.currency.to_string()))
        .unwrap_or(false)
}

fn by_amount(left: &Candidate, right: &Candidate) -> std::cmp::Ordering {
    left.amount_minor.cmp(&right.amount_minor).then_with(|| left.id.cmp(&right.id))
}

fn applies(candidate: &Candidate, context: &Context) -> bool {
    candidate.currency == context.currency
        && candidate.min_quantity.is_none_or(|least| context.quantity >= least)
        && candidate.max_quantity.is_none_or(|most| context.quantity <= most)
        && candidate.rules.iter().all(|rule| holds(rule, context))
        && candidate.list.as_ref().is_none_or(|list| is_open(list, context))
}

fn is_open(list: &ListTerms, context: &Context) -> bool {
    list.is_active
        && list.starts_at.is_none_or(|start| context.now >= start)
        && list.ends_at.is_none_or(|end| context.now < end)
        && list.rules.iter().all(|rule| holds(rule, context))
}

fn holds(rule: &PriceRule, context: &Context) -> bool {
    context
        .attributes
        .get(&rule.attribute)
        .is_some_and(|present| present.iter().any(|value| rule.values.contains(value)))
}

#[cfg(test)]
mod tests;
