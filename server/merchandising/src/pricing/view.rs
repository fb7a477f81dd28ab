//! The view of a calculated price for shoppers.

use serde::Serialize;

use super::price::{CalculatedPrice, ChosenPrice};
use crate::database::Word;
use crate::http::{Resource, ToSchema};
use crate::ids::{PriceId, PriceListId, PriceSetId};
use crate::money::{Amount, Currency};

/// A price in the request's context. The four amounts with and without tax are present for variants if a country is
/// given.
#[derive(Debug, Clone, Serialize, ToSchema, Resource)]
#[resource(name = "calculated price")]
#[expect(clippy::struct_excessive_bools, reason = "the fields are those of the API")]
pub struct PriceView {
    /// The price set that it was chosen from.
    pub id: PriceSetId,
    /// Whether it comes from a price list.
    pub(crate) is_calculated_price_price_list: bool,
    /// Whether it includes tax.
    pub is_calculated_price_tax_inclusive: bool,
    /// The price to pay.
    #[schema(example = 12.99)]
    pub calculated_amount: Amount,
    /// Whether the original price comes from a price list.
    pub(crate) is_original_price_price_list: bool,
    /// Whether the original price includes tax.
    pub(crate) is_original_price_tax_inclusive: bool,
    /// The price without a sale.
    #[schema(example = 15.99)]
    pub original_amount: Amount,
    /// The currency of all amounts.
    pub currency_code: Currency,
    /// The source of the price to pay.
    pub calculated_price: PriceSource,
    /// The source of the price without a sale.
    pub original_price: PriceSource,
    /// The price to pay, with tax.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calculated_amount_with_tax: Option<Amount>,
    /// The price to pay, without tax.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) calculated_amount_without_tax: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) original_amount_with_tax: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) original_amount_without_tax: Option<Amount>,
}

/// The source of a price.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PriceSource {
    pub id: PriceId,
    /// The price list, if any.
    pub price_list_id: Option<PriceListId>,
    /// `sale` or `override`.
    #[schema(example = "sale")]
    pub(crate) price_list_type: Option<&'static str>,
    pub min_quantity: Option<i64>,
    /// The highest quantity, inclusive.
    pub max_quantity: Option<i64>,
}

impl From<CalculatedPrice> for PriceView {
    fn from(price: CalculatedPrice) -> Self {
        let CalculatedPrice { price_set_id, currency, calculated, original } = price;
        Self {
            id: price_set_id,
            is_calculated_price_price_list: calculated.list.is_some(),
            is_calculated_price_tax_inclusive: calculated.is_tax_inclusive,
            calculated_amount: currency.amount(calculated.amount_minor),
            is_original_price_price_list: original.list.is_some(),
            is_original_price_tax_inclusive: original.is_tax_inclusive,
            original_amount: currency.amount(original.amount_minor),
            currency_code: currency,
            calculated_price: calculated.into(),
            original_price: original.into(),
            calculated_amount_with_tax: None,
            calculated_amount_without_tax: None,
            original_amount_with_tax: None,
            original_amount_without_tax: None,
        }
    }
}

impl From<ChosenPrice> for PriceSource {
    fn from(price: ChosenPrice) -> Self {
        let (price_list_id, kind) = price.list.unzip();
        Self {
            id: price.id,
            price_list_id,
            price_list_type: kind.map(Word::as_str),
            min_quantity: price.min_quantity,
            max_quantity: price.max_quantity,
        }
    }
}
