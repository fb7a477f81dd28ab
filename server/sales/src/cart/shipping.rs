//! Shipping of carts: the options offered and the prices of the chosen methods.

use super::contents::Cart;
use super::error::CartError;
use super::pricing::Sellables;
use crate::database::Tx;
use crate::ids::{CustomerGroupId, ShippingProfileId};
use crate::shipping::{self, Audience, ShippingContext};

/// Returns the inputs of the shipping rules; none while the cart has no country or no sales channel.
pub(super) fn context(
    cart: &Cart,
    audience: Audience,
    sellables: &Sellables,
    groups: &[CustomerGroupId],
) -> Option<ShippingContext> {
    let address = cart.shipping_address.as_ref()?;
    let items = cart.lines.iter().filter(|line| line.item.requires_shipping);
    Some(ShippingContext {
        audience,
        is_return: false,
        country: address.country_code.clone()?,
        province: address.province.clone(),
        city: address.city.clone(),
        postal_code: address.postal_code.clone(),
        currency: cart.currency,
        region_id: cart.region_id.clone(),
        customer_group_ids: groups.to_vec(),
        profile_ids: profile_ids(cart, sellables),
        item_total_minor: cart.totals.items.total,
        sales_channel_id: cart.sales_channel_id.clone()?,
        items: items
            .filter_map(|line| Some((line.item.variant_id.clone()?, line.quantity)))
            .collect(),
    })
}

/// Returns the distinct shipping profiles of the lines that need shipping.
pub(super) fn profile_ids(cart: &Cart, sellables: &Sellables) -> Vec<ShippingProfileId> {
    let lines = cart.lines.iter().filter(|line| line.item.requires_shipping);
    let mut ids: Vec<_> = lines
        .filter_map(|line| {
            sellables.get(line.item.variant_id.as_ref()?)?.shipping_profile_id.clone()
        })
        .collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Updates the price of each method from its option. Methods whose options are no longer offered are removed. Prices
/// set by an administrator stay.
pub(super) fn price_methods(
    tx: &Tx<'_>,
    cart: &mut Cart,
    audience: Audience,
    sellables: &Sellables,
    groups: &[CustomerGroupId],
) -> Result<(), CartError> {
    let Some(context) = context(cart, audience, sellables, groups) else {
        cart.shipping_methods.retain(|method| method.is_custom_amount);
        return Ok(());
    };
    let offers = shipping::options(tx, &context)?;
    cart.shipping_methods.retain_mut(|method| {
        if method.is_custom_amount {
            return true;
        }
        let offer =
            offers.iter().find(|offer| Some(&offer.id) == method.shipping_option_id.as_ref());
        let Some(offer) = offer else { return false };
        method.name.clone_from(&offer.name);
        method.amount_minor = offer.amount_minor;
        method.is_tax_inclusive = offer.is_tax_inclusive;
        true
    });
    Ok(())
}
