//! The context of a price.

use crate::ids::{CustomerGroupId, RegionId};
use crate::money::Currency;

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
