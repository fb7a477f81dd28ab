//! Chooses how a cart is shipped.

use crate::cart::contents::{Cart, Metadata, ShippingMethod};
use crate::cart::error::CartError;
use crate::cart::pricing;
use crate::cart::totals::ChargeTotals;
use crate::catalog;
use crate::database::Tx;
use crate::ids::{CartShippingMethodId, ShippingOptionId};
use crate::shipping::{self, Audience, Offer, ShippingError};

/// Returns the shipping options offered for the cart, oldest first, with all their prices.
pub(crate) fn offers(
    tx: &Tx<'_>,
    cart: &Cart,
    audience: Audience,
) -> Result<Vec<Offer>, CartError> {
    let sellables = catalog::sellables_by_id(tx, &cart.variant_ids())?;
    let groups = pricing::group_ids(tx, cart, audience)?;
    match crate::cart::shipping::context(cart, audience, &sellables, &groups) {
        Some(context) => {
            let mut offers = shipping::options(tx, &context)?;
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
    let context = crate::cart::shipping::context(cart, Audience::Shopper, &sellables, &groups)
        .ok_or(CartError::OptionNotOffered)?;
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
