//! The price context of a shopper: the region, the customer's groups, and the country whose taxes apply.

use super::CatalogError;
use super::queries::{places, products};
use crate::database::Tx;
use crate::ids::{CartId, CustomerId, ProductId, RegionId, SalesChannelId};
use crate::pricing::{PriceContext, PricingError};

/// The parts of a request that determine the price context.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PriceContextRequest {
    pub region_id: Option<RegionId>,
    /// The cart whose region applies if none is given.
    pub cart_id: Option<CartId>,
    /// The two-letter code, in lower case, of the country whose taxes apply, and whose region applies if none is given.
    pub country: Option<String>,
    /// The province whose taxes apply.
    pub province: Option<String>,
    pub customer_id: Option<CustomerId>,
}

impl PriceContextRequest {
    /// Returns whether the request gives the shopper's location.
    pub(crate) fn is_somewhere(&self) -> bool {
        self.region_id.is_some() || self.cart_id.is_some() || self.country.is_some()
    }
}

/// The resolved price and tax context of a shopper.
#[derive(Debug, Clone)]
pub struct ShopperContext {
    pub context: PriceContext,
    /// The country whose taxes apply.
    pub country: Option<String>,
    /// The province whose taxes apply.
    pub province: Option<String>,
}

/// Checks that a product is published in one of these channels.
///
/// # Errors
/// A [`CatalogError`] that says that it was not found, also if it exists but is not published
/// there.
pub fn require_visible(
    tx: &Tx<'_>,
    id: &ProductId,
    channels: &[SalesChannelId],
) -> Result<(), CatalogError> {
    if products::is_visible(tx, id, channels)? {
        return Ok(());
    }
    Err(CatalogError::missing("Product", id))
}

/// Resolves the context, by two statements at most.
pub fn resolve(tx: &Tx<'_>, sent: &PriceContextRequest) -> Result<ShopperContext, CatalogError> {
    let Some((found, currency)) = places::region(tx, sent)? else {
        let error = match &sent.region_id {
            Some(id) => PricingError::unknown_region(id.as_str()),
            None => PricingError::Invalid(
                "Missing required pricing context to calculate prices - region_id".to_owned(),
            ),
        };
        return Err(error.into());
    };
    // Not those of the cart's customer: anybody can type the e-mail address that makes a guest the customer of a cart.
    let groups = match &sent.customer_id {
        Some(customer) => places::groups(tx, customer)?,
        None => Vec::new(),
    };
    let context =
        PriceContext { customer_group_ids: groups, ..PriceContext::new(currency, Some(found)) };
    Ok(ShopperContext { context, country: sent.country.clone(), province: sent.province.clone() })
}
