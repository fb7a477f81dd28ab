//! Who asks for prices, where and for how much.

use crate::ids::{CustomerGroupId, RegionId};
use crate::money::Currency;

/// What a price may depend on besides the quantity and the instant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceContext {
    /// Only prices in it apply.
    pub currency: Currency,
    /// The shopper's region.
    pub region_id: Option<RegionId>,
    /// The groups that the shopper is in.
    pub customer_group_ids: Vec<CustomerGroupId>,
    /// The items of the cart in minor units, for prices of shipping options.
    pub item_total_minor: Option<i64>,
}

impl PriceContext {
    /// A currency, and perhaps a region, for anybody.
    pub fn new(currency: Currency, region_id: Option<RegionId>) -> Self {
        Self { currency, region_id, customer_group_ids: Vec::new(), item_total_minor: None }
    }
}
