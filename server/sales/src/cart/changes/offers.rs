//! Offers at a special price: computing the price, and adding an accepted one to a cart.

use super::{create, items};
use crate::cart::contents::{Address, Cart, Line, LineAdjustment};
use crate::cart::error::CartError;
use crate::cart::offers::OfferTerms;
use crate::cart::refresh::{self, Taxes};
use crate::cart::{load, pricing};
use crate::catalog;
use crate::database::{Missing, Tx};
use crate::ids::{
    CartAdjustmentId, CartId, CartLineId, CustomerId, RegionId, SalesChannelId, VariantId,
};
use crate::money::Currency;
use crate::shipping::Audience;

/// The code of the adjustment on the line of an offer.
const CODE: &str = "FLOW";

/// Where and to whom an offer is made.
#[derive(Debug, Clone)]
pub struct OfferPlace {
    pub region_id: Option<RegionId>,
    pub sales_channel_id: Option<SalesChannelId>,
    pub currency: Currency,
    pub customer_id: Option<CustomerId>,
    pub email: Option<String>,
    pub locale: Option<String>,
    pub shipping_address: Option<Address>,
    pub billing_address: Option<Address>,
}

impl OfferPlace {
    pub fn of(cart: &Cart) -> Self {
        Self {
            region_id: cart.region_id.clone(),
            sales_channel_id: cart.sales_channel_id.clone(),
            currency: cart.currency,
            customer_id: cart.customer_id.clone(),
            email: cart.email.clone(),
            locale: cart.locale.clone(),
            shipping_address: cart.shipping_address.clone(),
            billing_address: cart.billing_address.clone(),
        }
    }
}

/// Computes the cart of one offer, with taxes and without shipping, whether or not it is in stock. Writes nothing.
pub fn price_offer(
    tx: &Tx<'_>,
    place: OfferPlace,
    variant_id: &VariantId,
    terms: OfferTerms,
) -> Result<Cart, CartError> {
    let mut cart = Cart {
        region_id: place.region_id,
        sales_channel_id: place.sales_channel_id,
        customer_id: place.customer_id,
        email: place.email,
        locale: place.locale,
        shipping_address: place.shipping_address,
        billing_address: place.billing_address,
        ..create::empty(tx, place.currency)
    };
    add(tx, &mut cart, variant_id, terms)?;
    refresh::compute(tx, cart, Taxes::AsTheRegionSays, Audience::Shopper)
}

/// Adds an accepted offer to an open cart; returns its line.
///
/// # Errors
/// [`CartError::NoPrice`] if the cart is not in the currency of the offer; [`CartError::Completed`],
/// [`CartError::BeingCompleted`], [`CartError::Inventory`], and those of [`price_offer`].
pub fn add_offer(
    tx: &Tx<'_>,
    cart_id: &CartId,
    variant_id: &VariantId,
    terms: OfferTerms,
    currency: Currency,
) -> Result<Line, CartError> {
    let before = load::open(load(tx, cart_id)?)?;
    if before.currency != currency {
        return Err(CartError::NoPrice { variant_id: variant_id.clone() });
    }
    let mut cart = before.clone();
    let line_id = add(tx, &mut cart, variant_id, terms)?;
    items::check_stock(tx, &cart, std::slice::from_ref(variant_id))?;
    let cart = refresh::save(tx, &before, cart, Taxes::AsTheRegionSays)?;
    let line = cart.lines.into_iter().find(|line| line.id == line_id);
    Ok(line.ok_or_else(|| Missing::new("Line item", &line_id))?)
}

fn add(
    tx: &Tx<'_>,
    cart: &mut Cart,
    variant_id: &VariantId,
    terms: OfferTerms,
) -> Result<CartLineId, CartError> {
    let found = catalog::sellable(tx, variant_id)?;
    let sellable = items::buyable(cart, found.as_ref(), variant_id)?;
    let mut line = items::line_of(tx, cart, pricing::item(sellable), terms.quantity);
    let id = line.id.clone();
    line.adjustments.push(LineAdjustment {
        id: CartAdjustmentId::new(),
        promotion_id: None,
        code: CODE.to_owned(),
        amount_minor: 0,
        is_tax_inclusive: false,
        offer: Some(terms),
    });
    cart.push(line)?;
    Ok(id)
}
