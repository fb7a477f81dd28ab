//! Prices as they are sent.

use std::collections::BTreeMap;

use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::Text;
use crate::ids::PriceId;
use crate::money::{Currency, Major};
use crate::pricing::{NewPrice, PriceCondition, PricingError};

/// A price.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "currency_code": "usd", "amount": 12.99 }))]
pub(crate) struct PriceRequest {
    /// The price to keep the id of; none for another.
    id: Option<PriceId>,
    currency_code: Currency,
    /// In major units, with no more digits than the currency has.
    amount: Major,
    /// Lowest quantity.
    #[schema(minimum = 1)]
    min_quantity: Option<i64>,
    /// Highest quantity, included.
    #[schema(minimum = 1)]
    max_quantity: Option<i64>,
    /// A name for people.
    title: Option<Text>,
    /// What must be so, by attribute: `region_id` or `customer.groups.id`.
    #[serde(default)]
    rules: Option<BTreeMap<Text, Text>>,
}

impl PriceRequest {
    /// A price for so many pieces, from the first number to the second.
    pub(super) fn new(
        currency_code: Currency,
        amount: Major,
        (min_quantity, max_quantity): (Option<i64>, Option<i64>),
        rules: Option<BTreeMap<Text, Text>>,
    ) -> Self {
        Self { id: None, currency_code, amount, min_quantity, max_quantity, title: None, rules }
    }

    /// The price to be written.
    pub(crate) fn into_new(self) -> Result<NewPrice, PricingError> {
        let rules = self.rules.unwrap_or_default().into_iter();
        Ok(NewPrice {
            id: self.id,
            currency: self.currency_code,
            amount_minor: self.amount.minor(self.currency_code)?,
            min_quantity: self.min_quantity,
            max_quantity: self.max_quantity,
            title: self.title.map(String::from),
            conditions: rules
                .map(|(attribute, value)| PriceCondition::equal(attribute.as_str(), value))
                .collect(),
        })
    }
}

/// The prices to be written.
pub(crate) fn into_new(prices: Vec<PriceRequest>) -> Result<Vec<NewPrice>, PricingError> {
    prices.into_iter().map(PriceRequest::into_new).collect()
}
