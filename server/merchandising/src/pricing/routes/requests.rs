//! Request bodies of prices.

use std::collections::BTreeMap;

use crate::http::{Text, request};
use crate::ids::PriceId;
use crate::money::{Currency, Major};
use crate::pricing::{NewPrice, PriceCondition, PricingError};

/// A price.
#[request]
#[derive(Clone)]
#[schema(example = json!({ "currency_code": "usd", "amount": 12.99 }))]
pub(crate) struct PriceRequest {
    /// The existing price to replace, keeping its id; absent for a new one.
    id: Option<PriceId>,
    currency_code: Currency,
    /// In major units, with at most the currency's decimal places.
    amount: Major,
    #[schema(minimum = 1)]
    min_quantity: Option<i64>,
    /// The highest quantity, inclusive.
    #[schema(minimum = 1)]
    max_quantity: Option<i64>,
    /// The display name.
    title: Option<Text>,
    /// The required value by attribute: `region_id` or `customer.groups.id`.
    rules: Option<BTreeMap<Text, Text>>,
}

impl PriceRequest {
    pub(crate) fn into_new(self) -> Result<NewPrice, PricingError> {
        Ok(NewPrice {
            id: self.id,
            currency: self.currency_code,
            amount_minor: self.amount.minor(self.currency_code)?,
            min_quantity: self.min_quantity,
            max_quantity: self.max_quantity,
            title: self.title.map(String::from),
            conditions: conditions(self.rules),
        })
    }
}

/// Returns the conditions that attributes have these values.
pub(super) fn conditions(rules: Option<BTreeMap<Text, Text>>) -> Vec<PriceCondition> {
    let rules = rules.unwrap_or_default().into_iter();
    rules.map(|(attribute, value)| PriceCondition::equal(attribute.as_str(), value)).collect()
}

pub(crate) fn into_new(prices: Vec<PriceRequest>) -> Result<Vec<NewPrice>, PricingError> {
    prices.into_iter().map(PriceRequest::into_new).collect()
}
