//! Prices to store, the context of a price, and chosen prices.

use super::choice::ListKind;
use crate::ids::{CustomerGroupId, PriceId, PriceListId, PriceSetId, RegionId};
use crate::money::Currency;
use crate::stored_as_word;

/// Limit: prices of one set outside of price lists.
pub(crate) const MAX_PRICES: usize = 200;

/// Limit: prices added to a list at once.
pub(crate) const MAX_LIST_PRICES: usize = 5_000;

/// The comparison of a price condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    Equal,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

stored_as_word!(
    Comparison: Equal = "eq", Greater = "gt", GreaterOrEqual = "gte", Less = "lt", LessOrEqual = "lte"
);

impl Comparison {
    /// Returns whether the comparison of `left` with `right` holds.
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

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PriceCondition {
    /// `region_id`, `customer.groups.id` or `item_total`.
    pub attribute: String,
    /// Other comparisons than equality are for `item_total` only.
    pub comparison: Comparison,
    /// An id, or a number in major units for `item_total`.
    pub value: String,
}

impl PriceCondition {
    /// Returns the condition that an attribute equals a value.
    pub fn equal(attribute: &str, value: impl Into<String>) -> Self {
        let (attribute, comparison) = (attribute.to_owned(), Comparison::Equal);
        Self { attribute, comparison, value: value.into() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPrice {
    /// The price of the set that this one replaces, keeping its id; none for a new one.
    pub id: Option<PriceId>,
    pub currency: Currency,
    /// In minor units, not negative.
    pub amount_minor: i64,
    pub min_quantity: Option<i64>,
    /// The highest quantity, inclusive.
    pub max_quantity: Option<i64>,
    /// The display name.
    pub title: Option<String>,
    /// The conditions, which must all hold.
    pub conditions: Vec<PriceCondition>,
}

impl NewPrice {
    /// Returns a price without conditions, for any quantity.
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

/// The inputs of a price besides the quantity and the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceContext {
    /// The currency; prices in other currencies do not apply.
    pub currency: Currency,
    /// The shopper's region.
    pub region_id: Option<RegionId>,
    /// The shopper's groups.
    pub customer_group_ids: Vec<CustomerGroupId>,
    /// The total of the cart's items in minor units, for prices of shipping options.
    pub item_total_minor: Option<i64>,
}

impl PriceContext {
    /// Returns a context without customer groups.
    pub fn new(currency: Currency, region_id: Option<RegionId>) -> Self {
        Self { currency, region_id, customer_group_ids: Vec::new(), item_total_minor: None }
    }
}

/// The price of a set for a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalculatedPrice {
    pub price_set_id: PriceSetId,
    /// The currency of both prices.
    pub currency: Currency,
    /// The price to pay.
    pub calculated: ChosenPrice,
    /// The price without a sale.
    pub original: ChosenPrice,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenPrice {
    pub id: PriceId,
    /// In minor units.
    pub amount_minor: i64,
    /// The price list that it comes from.
    pub list: Option<(PriceListId, ListKind)>,
    pub min_quantity: Option<i64>,
    /// The highest quantity, inclusive.
    pub max_quantity: Option<i64>,
    /// Whether it includes tax.
    pub is_tax_inclusive: bool,
}
