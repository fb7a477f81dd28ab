//! Prices as they are given and as they are chosen.

use quotient_foundation::stored_as_word;

use super::choice::ListKind;
use crate::ids::{PriceId, PriceListId, PriceSetId};
use crate::money::Currency;

/// Limit: prices of one set that belong to no price list.
pub(crate) const MAX_PRICES: usize = 200;

/// Limit: prices that are added to a list at once.
pub(crate) const MAX_LIST_PRICES: usize = 5_000;

/// How a condition of a price compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    /// The same.
    Equal,
    /// More.
    Greater,
    /// As much or more.
    GreaterOrEqual,
    /// Less.
    Less,
    /// As much or less.
    LessOrEqual,
}

stored_as_word!(
    Comparison: Equal = "eq", Greater = "gt", GreaterOrEqual = "gte", Less = "lt", LessOrEqual = "lte"
);

impl Comparison {
    /// Whether `left` compares with `right` in this way.
    pub fn holds<T: PartialOrd>(self, left: &T, right: &T) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Greater => left > right,
            Self::GreaterOrEqual => left >= right,
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
        }
    }
}

/// A condition of a price.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PriceCondition {
    /// `region_id`, `customer.groups.id` or `item_total`.
    pub attribute: String,
    /// Anything but equality only for `item_total`.
    pub comparison: Comparison,
    /// An id, or for `item_total` a number in major units.
    pub value: String,
}

impl PriceCondition {
    /// That an attribute has a value.
    pub fn equal(attribute: &str, value: impl Into<String>) -> Self {
        let (attribute, comparison) = (attribute.to_owned(), Comparison::Equal);
        Self { attribute, comparison, value: value.into() }
    }
}

/// A price to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPrice {
    /// The price of the set that this one takes the place of and the id of; none for another.
    pub id: Option<PriceId>,
    pub currency: Currency,
    /// In minor units, not negative.
    pub amount_minor: i64,
    /// Lowest quantity.
    pub min_quantity: Option<i64>,
    /// Highest quantity, included.
    pub max_quantity: Option<i64>,
    /// A name for people.
    pub title: Option<String>,
    /// All must hold.
    pub conditions: Vec<PriceCondition>,
}

impl NewPrice {
    /// A price for everybody and any quantity.
    pub fn plain(currency: Currency, amount_minor: i64) -> Self {
        Self {
            id: None,
            currency,
            amount_minor,
            min_quantity: None,
            max_quantity: None,
            title: None,
            conditions: Vec::new(),
        }
    }
}

/// The price of a set for a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalculatedPrice {
    pub price_set_id: PriceSetId,
    /// The currency of both prices.
    pub currency: Currency,
    /// What is paid.
    pub calculated: ChosenPrice,
    /// What it would be without a sale.
    pub original: ChosenPrice,
}

/// One price that was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenPrice {
    pub id: PriceId,
    /// In minor units.
    pub amount_minor: i64,
    /// The price list it is from.
    pub list: Option<(PriceListId, ListKind)>,
    /// Lowest quantity.
    pub min_quantity: Option<i64>,
    /// Highest quantity, included.
    pub max_quantity: Option<i64>,
    /// Whether tax is included.
    pub is_tax_inclusive: bool,
}
