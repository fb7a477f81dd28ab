//! Which of a variant's prices applies, and what it would be without a sale.

use std::collections::BTreeMap;

use quotient_foundation::stored_as_word;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Limit: prices of one variant that are looked at.
pub(crate) const MAX_CANDIDATES: usize = 1_000;

/// Whether a price list lowers prices or replaces them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = PriceListType)]
pub enum ListKind {
    /// Applies only when it is not above the ordinary price, which stays the original one.
    Sale,
    /// Applies always, and is the original price as well.
    Override,
}

stored_as_word!(ListKind: Sale = "sale", Override = "override");

/// A condition on the shopper or the region: the context must have one of the values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PriceRule {
    /// Such as `region_id` or `customer.groups.id`.
    pub attribute: String,
    /// Any of which will do.
    pub values: Vec<String>,
}

/// The price list a price belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListTerms {
    pub id: String,
    /// Sale or override.
    pub kind: ListKind,
    /// Whether it is switched on.
    pub is_active: bool,
    /// From when, in milliseconds since 1970; none for always.
    pub starts_at_ms: Option<i64>,
    /// Until when, that instant excluded, in milliseconds since 1970; none for ever.
    pub ends_at_ms: Option<i64>,
    /// For whom.
    pub rules: Vec<PriceRule>,
}

/// A price that may apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// Its id, by which equal prices are told apart.
    pub id: String,
    /// In minor units.
    pub amount_minor: i64,
    /// Its currency, lower case.
    pub currency: String,
    /// Lowest quantity.
    pub min_quantity: Option<i64>,
    /// Highest quantity, included.
    pub max_quantity: Option<i64>,
    /// For whom and where.
    pub rules: Vec<PriceRule>,
    /// The list it belongs to; none for an ordinary price.
    pub list: Option<ListTerms>,
}

/// Who asks, where and for how many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Context {
    /// Lower case.
    pub currency: String,
    /// Values by attribute: `region_id`, `customer.groups.id`.
    pub attributes: BTreeMap<String, Vec<String>>,
    /// How many pieces; one where nobody says.
    pub quantity: i64,
    /// The instant, in milliseconds since 1970.
    pub now_ms: i64,
}

/// The price to pay, and the price without a sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Choice<'a> {
    /// What is paid.
    pub calculated: &'a Candidate,
    /// What it is compared with.
    pub original: &'a Candidate,
}

/// Whether amounts of a region or a currency include tax.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Preference {
    /// Prices with a rule for this region.
    Region {
        id: String,
        /// Whether tax is included.
        is_tax_inclusive: bool,
    },
    /// Other prices in this currency.
    Currency {
        /// Lower case.
        code: String,
        /// Whether tax is included.
        is_tax_inclusive: bool,
    },
}

/// The attribute under which a context and a rule name the region.
pub(crate) const REGION: &str = "region_id";

/// Chooses among `candidates`, or none when none applies.
///
/// An ordinary price wins by most rules, then by the tier that starts highest, then by the lowest
/// amount. The lowest price of an override list replaces it; the lowest price of a sale applies when
/// it is not above it. Equal prices go by id, so the order of the candidates does not matter.
pub(crate) fn choose<'a>(candidates: &'a [Candidate], context: &Context) -> Option<Choice<'a>> {
    let applying =
        || candidates.iter().take(MAX_CANDIDATES).filter(|candidate| applies(candidate, context));
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

/// Whether a chosen price includes tax: its region's preference if it is a region's price, else its
/// currency's, else no.
pub(crate) fn is_tax_inclusive(price: &Candidate, preferences: &[Preference]) -> bool {
    let of_region = |region: &str| {
        preferences.iter().find_map(|preference| match preference {
            Preference::Region { id, is_tax_inclusive } if id == region => Some(*is_tax_inclusive),
            Preference::Region { .. } | Preference::Currency { .. } => None,
        })
    };
    let of_currency = || {
        preferences.iter().find_map(|preference| match preference {
            Preference::Currency { code, is_tax_inclusive } if *code == price.currency => {
                Some(*is_tax_inclusive)
            }
            Preference::Region { .. } | Preference::Currency { .. } => None,
        })
    };
    let regions = price.rules.iter().filter(|rule| rule.attribute == REGION);
    regions
        .flat_map(|rule| &rule.values)
        .find_map(|region| of_region(region))
        .or_else(of_currency)
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
        && list.starts_at_ms.is_none_or(|start| context.now_ms >= start)
        && list.ends_at_ms.is_none_or(|end| context.now_ms < end)
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
