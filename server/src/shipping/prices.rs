//! What an option costs: its prices, and which of them applies. Pure.

use std::collections::BTreeMap;

use super::conditions::Operator;
use crate::ids::{PriceId, RegionId};
use crate::money::Currency;
use crate::pricing::choice::{self, Candidate, Context, Preference, PriceRule, REGION};

/// The attribute of rules that look at what the items cost, in major units.
pub(super) const ITEM_TOTAL: &str = "item_total";

/// A price that is to be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewPrice {
    /// What is paid in.
    pub(crate) currency: Currency,
    /// In minor units.
    pub(crate) amount_minor: i64,
    /// When it applies; always without any.
    pub(crate) rules: Vec<NewPriceRule>,
}

impl NewPrice {
    /// A price that applies always.
    pub(crate) fn flat(currency: Currency, amount_minor: i64) -> Self {
        Self { currency, amount_minor, rules: Vec::new() }
    }
}

/// A condition of a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewPriceRule {
    /// `region_id`, or `item_total` in major units.
    pub(crate) attribute: String,
    /// How it is compared; a region is only equal.
    pub(crate) operator: Operator,
    /// With what.
    pub(crate) value: String,
}

/// A price of an option as it is kept.
#[derive(Debug, Clone)]
pub(super) struct Price {
    /// Its id.
    pub(super) id: PriceId,
    /// What it is and when it applies.
    pub(super) price: NewPrice,
}

/// The price that applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Chosen {
    /// Its id.
    pub(super) price_id: String,
    /// In minor units.
    pub(super) amount_minor: i64,
    /// Whether tax is inside.
    pub(super) is_tax_inclusive: bool,
}

/// For whom a price is looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Buyer<'a> {
    /// What is paid in.
    pub(super) currency: Currency,
    /// The region.
    pub(super) region_id: Option<&'a RegionId>,
    /// What the items cost, in major units.
    pub(super) item_total: &'a str,
}

/// The price that applies, if one does: the one with most conditions.
pub(super) fn choose(
    prices: &[Price],
    buyer: Buyer<'_>,
    preferences: &[Preference],
) -> Option<Chosen> {
    // Whether a condition on the items holds is decided here; the choice then counts it like any other.
    const HOLDS: &str = "holds";
    let candidates: Vec<Candidate> = prices
        .iter()
        .map(|Price { id, price }| {
            let rules = price.rules.iter().map(|rule| {
                let is_total = rule.attribute == ITEM_TOTAL;
                let values = std::slice::from_ref(&rule.value);
                let value = if is_total && rule.operator.holds(buyer.item_total, values) {
                    HOLDS.to_owned()
                } else {
                    rule.value.clone()
                };
                PriceRule { attribute: rule.attribute.clone(), values: vec![value] }
            });
            Candidate {
                id: id.to_string(),
                amount_minor: price.amount_minor,
                currency: price.currency.to_string(),
                min_quantity: None,
                max_quantity: None,
                rules: rules.collect(),
                list: None,
            }
        })
        .collect();
    let mut attributes = BTreeMap::from([(ITEM_TOTAL.to_owned(), vec![HOLDS.to_owned()])]);
    if let Some(region_id) = buyer.region_id {
        attributes.insert(REGION.to_owned(), vec![region_id.to_string()]);
    }
    let currency = buyer.currency.to_string();
    let context = Context { currency, attributes, quantity: 1, now_ms: 0 };
    let chosen = choice::choose(&candidates, &context)?.calculated;
    Some(Chosen {
        price_id: chosen.id.clone(),
        amount_minor: chosen.amount_minor,
        is_tax_inclusive: choice::is_tax_inclusive(chosen, preferences),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(amount_minor: i64, rules: &[(&str, Operator, &str)]) -> Price {
        let currency = Currency::from_code("gbp").unwrap();
        let rules = rules.iter().map(|(attribute, operator, value)| NewPriceRule {
            attribute: (*attribute).to_owned(),
            operator: *operator,
            value: (*value).to_owned(),
        });
        Price {
            id: PriceId::new(),
            price: NewPrice { currency, amount_minor, rules: rules.collect() },
        }
    }

    #[test]
    fn the_price_with_most_conditions_that_hold_applies() {
        let region = RegionId::new();
        let prices = [
            price(500, &[]),
            price(0, &[(ITEM_TOTAL, Operator::Gte, "100")]),
            price(400, &[(REGION, Operator::Eq, region.as_str())]),
        ];
        let currency = Currency::from_code("gbp").unwrap();
        let amount = |region_id, item_total, code: &str| {
            let currency = Currency::from_code(code).unwrap();
            let buyer = Buyer { currency, region_id, item_total };
            choose(&prices, buyer, &[]).map(|chosen| chosen.amount_minor)
        };
        assert_eq!(amount(None, "99.99", "gbp"), Some(500));
        assert_eq!(amount(None, "100", "gbp"), Some(0));
        assert_eq!(amount(Some(&region), "20", "gbp"), Some(400));
        assert_eq!(amount(Some(&RegionId::new()), "20", "gbp"), Some(500));
        assert_eq!(amount(None, "100", "eur"), None);
        let preferences =
            [Preference::Currency { code: currency.to_string(), is_tax_inclusive: true }];
        let buyer = Buyer { currency, region_id: None, item_total: "1" };
        assert!(choose(&prices, buyer, &preferences).is_some_and(|chosen| chosen.is_tax_inclusive));
    }
}
