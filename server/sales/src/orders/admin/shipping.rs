//! Shipping options of orders.

use super::OrderAdminError;
use crate::database::Tx;
use crate::ids::OrderId;
use crate::orders::addition;
use crate::orders::queries::admin as queries;
use crate::shipping::{self, Audience, Offer, ShippingContext};

/// Returns the options for an order's address, with current prices; none without an address or a channel.
pub(super) fn options(tx: &Tx<'_>, id: &OrderId) -> Result<Vec<Offer>, OrderAdminError> {
    let order = addition::placed(tx, id)?;
    let (Some(address), Some(sales_channel_id)) = (order.shipping_address, order.sales_channel_id)
    else {
        return Ok(Vec::new());
    };
    let Some(country) = address.country_code else { return Ok(Vec::new()) };
    let context = ShippingContext {
        audience: Audience::Staff,
        is_return: false,
        country,
        province: address.province,
        city: address.city,
        postal_code: address.postal_code,
        currency: order.currency,
        region_id: order.region_id,
        customer_group_ids: Vec::new(),
        profile_ids: queries::shipping_profiles(tx, id)?,
        item_total_minor: order.totals.items.total,
        sales_channel_id,
        items: Vec::new(),
    };
    let mut offers = shipping::options(tx, &context)?;
    shipping::attach_prices(tx, &mut offers)?;
    Ok(offers)
}
