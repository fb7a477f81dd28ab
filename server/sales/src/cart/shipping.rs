//! Shipping of carts: the options offered, the choice of one, and the prices of the chosen methods.

use super::contents::{Cart, Metadata, ShippingMethod};
use super::error::CartError;
use super::pricing::{self, Sellables};
use super::totals::ChargeTotals;
use crate::catalog;
use crate::database::Tx;
use crate::ids::{CartShippingMethodId, CustomerGroupId, ShippingOptionId, ShippingProfileId};
use crate::shipping::{self, Audience, Offer, ShippingContext, ShippingError};

/// Returns the shipping options offered for the cart, or for its way back, oldest first, with all their prices.
pub(crate) fn offers(
    tx: &Tx<'_>,
    cart: &Cart,
    audience: Audience,
    is_return: bool,
) -> Result<Vec<Offer>, CartError> {
    let sellables = catalog::sellables_by_id(tx, &cart.variant_ids())?;
    let groups = pricing::group_ids(tx, cart, audience)?;
    match context(cart, audience, &sellables, &groups) {
        Some(context) => {
            let mut offers = shipping::options(tx, &ShippingContext { is_return, ..context })?;
            shipping::attach_prices(tx, &mut offers)?;
            Ok(offers)
        }
        None => Ok(Vec::new()),
    }
}

/// Returns one of the [`offers`] to shoppers.
pub(crate) fn offer(tx: &Tx<'_>, cart: &Cart, id: &ShippingOptionId) -> Result<Offer, CartError> {
    let sellables = catalog::sellables_by_id(tx, &cart.variant_ids())?;
    let groups = pricing::group_ids(tx, cart, Audience::Shopper)?;
    let context =
        context(cart, Audience::Shopper, &sellables, &groups).ok_or(CartError::OptionNotOffered)?;
    shipping::option(tx, id, &context).map_err(|error| {
        if matches!(error, ShippingError::NotFound { .. }) {
            CartError::OptionNotOffered
        } else {
            error.into()
        }
    })
}

/// Chooses an option. It replaces the method chosen for the same shipping profile.
pub(crate) fn choose(
    tx: &Tx<'_>,
    cart: &mut Cart,
    id: &ShippingOptionId,
    data: Option<Metadata>,
) -> Result<(), CartError> {
    let offer = offer(tx, cart, id)?;
    cart.shipping_methods
        .retain(|method| method.shipping_profile_id.as_ref() != Some(&offer.shipping_profile_id));
    cart.shipping_methods.push(ShippingMethod {
        id: CartShippingMethodId::new(),
        shipping_option_id: Some(offer.id),
        shipping_profile_id: Some(offer.shipping_profile_id),
        name: offer.name,
        amount_minor: offer.amount_minor,
        is_custom_amount: false,
        is_tax_inclusive: offer.is_tax_inclusive,
        data,
        tax_lines: Vec::new(),
        adjustments: Vec::new(),
        metadata: None,
        created_at: tx.now(),
        updated_at: tx.now(),
        totals: ChargeTotals::default(),
    });
    Ok(())
}

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
