//! Quotes for draft orders: carts that are computed like a shopper's but never stored.

use super::buyer::{self, AddressChange};
use super::{codes, create, items};
use crate::auth::Email;
use crate::cart::contents::{Cart, Item, Metadata, ShippingMethod};
use crate::cart::error::CartError;
use crate::cart::lines;
use crate::cart::pricing::{self, Sellables};
use crate::cart::refresh::{self, Taxes};
use crate::cart::shipping;
use crate::cart::totals::ChargeTotals;
use crate::catalog;
use crate::database::Tx;
use crate::http::Refusal;
use crate::ids::{
    CartShippingMethodId, CustomerId, RegionId, SalesChannelId, ShippingOptionId, VariantId,
};
use crate::money::{Currency, Major};
use crate::regions;
use crate::shipping::{Audience, Offer};

/// Limit: shipping methods in one quote.
pub(crate) const MAX_METHODS: usize = 20;

/// A draft order to price.
#[derive(Debug)]
pub struct NewQuote {
    /// The region, which determines the currency.
    pub region_id: RegionId,
    /// The region's currency; any other is rejected.
    pub currency: Option<Currency>,
    /// The store's default channel if none is given.
    pub sales_channel_id: Option<SalesChannelId>,
    pub customer_id: Option<CustomerId>,
    pub email: Option<Email>,
    pub shipping_address: Option<AddressChange>,
    pub billing_address: Option<AddressChange>,
    /// At least one.
    pub items: Vec<QuotedItem>,
    pub shipping_methods: Vec<QuotedMethod>,
    pub promo_codes: Vec<String>,
    pub metadata: Option<Metadata>,
}

#[derive(Debug)]
pub struct QuotedItem {
    /// None for a custom item that is not in the catalogue.
    pub variant_id: Option<VariantId>,
    /// The title of a custom item.
    pub title: Option<String>,
    /// At least one.
    pub quantity: i64,
    /// The net price of one piece. For a variant it defaults to the current price.
    pub unit_price: Option<Major>,
    /// Whether a custom item needs shipping.
    pub requires_shipping: bool,
    pub metadata: Option<Metadata>,
}

#[derive(Debug)]
pub struct QuotedMethod {
    /// None for a custom method that is not one of the store's options.
    pub option_id: Option<ShippingOptionId>,
    /// Defaults to the option's name.
    pub name: Option<String>,
    /// The net price; defaults to the option's price.
    pub amount: Option<Major>,
    pub data: Option<Metadata>,
}

/// Computes a draft order, with current prices where none are given. Writes nothing except a guest for an unknown
/// e-mail address.
///
/// # Errors
/// [`CartError::UnknownVariant`], [`CartError::OptionNotOffered`], and those of regions, customers,
/// addresses and promotions.
pub fn quote(tx: &Tx<'_>, new: NewQuote) -> Result<Cart, CartError> {
    if new.items.is_empty() {
        let message = "Field 'items' is required: an order has at least one item";
        return Err(Refusal::invalid(message).into());
    }
    let mut cart = addressed(tx, &new)?;
    fill(tx, &mut cart, new.items)?;
    codes::add(tx, &mut cart, new.promo_codes)?;
    let mut cart = refresh::compute(tx, cart, Taxes::Now, Audience::Staff)?;
    if new.shipping_methods.is_empty() {
        return Ok(cart);
    }
    send(tx, &mut cart, new.shipping_methods, Audience::Staff)?;
    refresh::compute(tx, cart, Taxes::Now, Audience::Staff)
}

/// Returns an empty cart with the buyer and the addresses.
fn addressed(tx: &Tx<'_>, new: &NewQuote) -> Result<Cart, CartError> {
    let region = regions::find(tx, &new.region_id)?;
    if let Some(named) = new.currency.filter(|named| *named != region.currency) {
        return Err(CartError::OtherCurrency { named, of_region: region.currency });
    }
    let channel = match &new.sales_channel_id {
        Some(id) => regions::find_channel(tx, id)?.id,
        None => regions::default_channel(tx)?
            .ok_or_else(|| Refusal::invalid("the store has no sales channel"))?,
    };
    let mut cart = Cart {
        region_id: Some(region.id),
        sales_channel_id: Some(channel),
        metadata: new.metadata.clone(),
        ..create::empty(tx, region.currency)
    };
    match (&new.customer_id, &new.email) {
        (Some(id), email) => {
            buyer::set_customer(tx, &mut cart, id)?;
            cart.email = email.as_ref().map(ToString::to_string).or(cart.email);
        }
        (None, Some(email)) => buyer::set_email(tx, &mut cart, email)?,
        (None, None) => {}
    }
    if let Some(address) = new.billing_address.clone() {
        buyer::bill_to(tx, &mut cart, address)?;
    }
    match new.shipping_address.clone() {
        Some(address) => buyer::ship_to(tx, &mut cart, address)?,
        None => buyer::fill_country(tx, &mut cart)?,
    }
    Ok(cart)
}

fn fill(tx: &Tx<'_>, cart: &mut Cart, quoted: Vec<QuotedItem>) -> Result<(), CartError> {
    let ids: Vec<_> = quoted.iter().filter_map(|item| item.variant_id.clone()).collect();
    let sellables = catalog::sellables_by_id(tx, &ids)?;
    for quoted in quoted {
        let quantity = lines::checked(quoted.quantity, 1)?;
        let item = item(cart, &sellables, &quoted)?;
        let mut line = items::line_of(tx, cart, item, quantity);
        if let Some(price) = quoted.unit_price {
            line.unit_price_minor = price_minor(price, cart.currency)?;
            line.is_custom_price = true;
        }
        line.metadata = quoted.metadata;
        cart.push(line)?;
    }
    Ok(())
}

fn item(cart: &Cart, sellables: &Sellables, quoted: &QuotedItem) -> Result<Item, CartError> {
    match (&quoted.variant_id, &quoted.title) {
        (Some(id), None) => Ok(pricing::item(items::buyable(cart, sellables.get(id), id)?)),
        (None, Some(title)) if quoted.unit_price.is_none() => Err(Refusal::invalid(format!(
            "Field 'unit_price' is required for the item `{title}`, for it is no variant"
        ))
        .into()),
        (None, Some(title)) => Ok(Item {
            title: title.clone(),
            is_discountable: true,
            requires_shipping: quoted.requires_shipping,
            ..Item::default()
        }),
        (None, None) | (Some(_), Some(_)) => {
            Err(Refusal::invalid("an item has either a variant_id or a title").into())
        }
    }
}

fn price_minor(price: Major, currency: Currency) -> Result<i64, CartError> {
    let minor = price.minor(currency)?;
    if minor < 0 { Err(Refusal::invalid("a price is zero or more").into()) } else { Ok(minor) }
}

pub(super) fn send(
    tx: &Tx<'_>,
    cart: &mut Cart,
    quoted: Vec<QuotedMethod>,
    audience: Audience,
) -> Result<(), CartError> {
    if quoted.len() > MAX_METHODS {
        let message = format!("an order has at most {MAX_METHODS} shipping methods");
        return Err(Refusal::invalid(message).into());
    }
    let needs_offers = quoted.iter().any(|method| method.option_id.is_some());
    let offers = if needs_offers { shipping::offers(tx, cart, audience)? } else { Vec::new() };
    for quoted in quoted {
        let method = method(tx, cart, &offers, quoted)?;
        cart.shipping_methods.push(method);
    }
    Ok(())
}

fn method(
    tx: &Tx<'_>,
    cart: &Cart,
    offers: &[Offer],
    quoted: QuotedMethod,
) -> Result<ShippingMethod, CartError> {
    let offer = match &quoted.option_id {
        Some(id) => {
            let offer = offers.iter().find(|offer| offer.id == *id);
            Some(offer.ok_or(CartError::OptionNotOffered)?)
        }
        None => None,
    };
    let named = quoted.amount.map(|amount| price_minor(amount, cart.currency)).transpose()?;
    let of_offer = offer.map(|offer| offer.amount_minor);
    Ok(ShippingMethod {
        id: CartShippingMethodId::new(),
        shipping_option_id: quoted.option_id,
        shipping_profile_id: offer.map(|offer| offer.shipping_profile_id.clone()),
        name: quoted
            .name
            .or_else(|| offer.map(|offer| offer.name.clone()))
            .ok_or_else(unknown_method)?,
        amount_minor: named.or(of_offer).ok_or_else(unknown_method)?,
        is_custom_amount: true,
        is_tax_inclusive: named.is_none() && offer.is_some_and(|offer| offer.is_tax_inclusive),
        data: quoted.data,
        tax_lines: Vec::new(),
        adjustments: Vec::new(),
        metadata: None,
        created_at: tx.now(),
        updated_at: tx.now(),
        totals: ChargeTotals::default(),
    })
}

fn unknown_method() -> Refusal {
    Refusal::invalid("a shipping method has a shipping_option_id, or a name and an amount")
}
