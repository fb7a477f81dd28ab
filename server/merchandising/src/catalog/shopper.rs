//! Where a shopper who asks for prices is: the region, the customer's groups, and the country that taxes.

use super::CatalogError;
use super::queries::places;
use crate::database::Tx;
use crate::ids::{CartId, CustomerId, RegionId};
use crate::pricing::{PriceContext, PricingError};

/// What a request says of the place of the shopper.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PriceContextRequest {
    pub region_id: Option<RegionId>,
    /// The cart, whose region counts where none is named.
    pub cart_id: Option<CartId>,
    /// Two letters in lower case: the country that taxes, and whose region counts where none is named.
    pub country: Option<String>,
    /// The province that taxes.
    pub province: Option<String>,
    /// Who is logged in.
    pub customer_id: Option<CustomerId>,
}

impl PriceContextRequest {
    /// Whether the request says where the shopper is.
    pub(crate) fn is_somewhere(&self) -> bool {
        self.region_id.is_some() || self.cart_id.is_some() || self.country.is_some()
    }
}

/// Where a shopper is, as prices and taxes need it.
#[derive(Debug, Clone)]
pub struct ShopperContext {
    /// What prices depend on.
    pub context: PriceContext,
    /// The country that taxes.
    pub country: Option<String>,
    /// Its province.
    pub province: Option<String>,
}

/// Finds out where the shopper is. Two statements.
pub(crate) fn resolve(
    tx: &Tx<'_>,
    sent: &PriceContextRequest,
) -> Result<ShopperContext, CatalogError> {
    let PriceContextRequest { region_id, cart_id, country, province, customer_id } = sent;
    let found = places::region(tx, region_id.as_ref(), cart_id.as_ref(), country.as_deref())?;
    let Some((found, currency)) = found else {
        let error = match region_id {
            Some(id) => PricingError::unknown_region(id.as_str()),
            None => PricingError::Invalid(
                "Missing required pricing context to calculate prices - region_id".to_owned(),
            ),
        };
        return Err(error.into());
    };
    let groups = places::groups(tx, customer_id.as_ref(), cart_id.as_ref())?;
    let context =
        PriceContext { customer_group_ids: groups, ..PriceContext::new(currency, Some(found)) };
    Ok(ShopperContext { context, country: country.clone(), province: province.clone() })
}
