//! Quotes for draft orders: carts that are computed like a shopper's but never stored.

use std::mem::take;

use super::address::{AddressInput, AddressRequest};
use super::{buyer, codes, create, items};
use crate::auth::Email;
use crate::cart::contents::{Cart, Item, ShippingMethod};
use crate::cart::error::CartError;
use crate::cart::lines::{self, LineError};
use crate::cart::pricing::{self, Sellables};
use crate::cart::refresh::{self, Taxes};
use crate::cart::shipping;
use crate::cart::totals::ChargeTotals;
use crate::catalog;
use crate::database::Tx;
use crate::http::{Refusal, Text, request};
use crate::ids::{
    CartShippingMethodId, CustomerId, RegionId, SalesChannelId, ShippingOptionId, VariantId,
};
use crate::metadata::MetadataPatch;
use crate::money::{Currency, Major};
use crate::regions;
use crate::shipping::{Audience, Offer};

/// Limit: shipping methods in one quote.
pub(crate) const MAX_METHODS: usize = 20;

/// An order that an administrator creates for a customer.
#[request]
#[schema(example = json!({
    "region_id": "reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "email": "ada@example.com",
    "items": [
        { "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 2 },
        { "title": "Engraving", "quantity": 1, "unit_price": 5 },
    ],
    "shipping_methods": [{ "name": "Courier", "amount": 12.5 }],
    "shipping_address": { "first_name": "Ada", "last_name": "Lovelace", "address_1": "12 St James's Square",
                          "city": "London", "postal_code": "SW1Y 4JH", "country_code": "gb" },
}))]
pub(crate) struct CreateDraftOrderRequest {
    /// The region, which determines the currency.
    pub(crate) region_id: RegionId,
    /// Must be the region's currency.
    pub(crate) currency_code: Option<Currency>,
    /// Defaults to the store's default channel.
    pub(crate) sales_channel_id: Option<SalesChannelId>,
    pub(crate) customer_id: Option<CustomerId>,
    /// The address of the confirmation; defaults to the customer's address. An address alone links a guest.
    pub(crate) email: Option<Email>,
    /// An address, or the id of one from the customer's address book.
    #[schema(value_type = Option<AddressRequest>)]
    pub(crate) shipping_address: Option<AddressInput>,
    /// An address, or the id of one from the customer's address book.
    #[schema(value_type = Option<AddressRequest>)]
    pub(crate) billing_address: Option<AddressInput>,
    /// The items offered.
    #[schema(min_items = 1, max_items = 200)]
    pub(crate) items: Vec<DraftItemRequest>,
    /// The shipping methods; may be empty.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub(crate) shipping_methods: Vec<DraftShippingMethodRequest>,
    /// Promotion codes. Unknown codes are rejected.
    #[serde(default)]
    #[schema(max_items = 100)]
    pub(crate) promo_codes: Vec<Text<100>>,
    /// Whether to send no e-mails about the order.
    pub(crate) no_notification_order: Option<bool>,
    pub(crate) metadata: Option<MetadataPatch>,
}

/// A quantity of a variant or of a custom item.
#[request]
pub(crate) struct DraftItemRequest {
    /// The variant. It must be sold in the channel.
    pub(crate) variant_id: Option<VariantId>,
    /// The title of a custom item.
    pub(crate) title: Option<Text>,
    /// At least one.
    #[schema(minimum = 1, maximum = 9999)]
    pub(crate) quantity: i64,
    /// The net price of one piece. A variant defaults to its current price; a custom item needs one.
    #[schema(minimum = 0)]
    pub(crate) unit_price: Option<Major>,
    /// Whether a custom item needs shipping, true by default. A variant takes it from its product.
    pub(crate) requires_shipping: Option<bool>,
    pub(crate) metadata: Option<MetadataPatch>,
}

/// One of the store's shipping options, or a custom method with a name and an amount.
#[request]
pub(crate) struct DraftShippingMethodRequest {
    /// An option for the address; it may be one that shoppers are not offered.
    pub(crate) shipping_option_id: Option<ShippingOptionId>,
    /// Defaults to the option's name.
    pub(crate) name: Option<Text>,
    /// The net price; defaults to the option's price.
    #[schema(minimum = 0)]
    pub(crate) amount: Option<Major>,
    /// Data for the carrier.
    pub(crate) data: Option<MetadataPatch>,
}

/// Computes a draft order, with current prices where none are given. Writes nothing except a guest for an unknown
/// e-mail address.
///
/// # Errors
/// [`CartError::UnknownVariant`], [`CartError::OptionNotOffered`], and those of regions, customers,
/// addresses and promotions.
pub(crate) fn quote(tx: &Tx<'_>, mut new: CreateDraftOrderRequest) -> Result<Cart, CartError> {
    if new.items.is_empty() {
        let message = "Field 'items' is required: an order has at least one item";
        return Err(Refusal::invalid(message).into());
    }
    let (items, methods) = (take(&mut new.items), take(&mut new.shipping_methods));
    let codes = take(&mut new.promo_codes).into_iter().map(String::from).collect();
    let mut cart = addressed(tx, new)?;
    fill(tx, &mut cart, items)?;
    codes::add(tx, &mut cart, codes)?;
    let mut cart = refresh::compute(tx, cart, Taxes::Now, Audience::Staff)?;
    if methods.is_empty() {
        return Ok(cart);
    }
    send(tx, &mut cart, methods, Audience::Staff)?;
    refresh::compute(tx, cart, Taxes::Now, Audience::Staff)
}

/// Returns an empty cart with the buyer and the addresses.
fn addressed(tx: &Tx<'_>, new: CreateDraftOrderRequest) -> Result<Cart, CartError> {
    let region = regions::find(tx, &new.region_id)?;
    if let Some(named) = new.currency_code.filter(|named| *named != region.currency) {
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
        metadata: new.metadata.unwrap_or_default().apply(None)?,
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
    if let Some(address) = new.billing_address {
        buyer::bill_to(tx, &mut cart, address.into_change()?)?;
    }
    match new.shipping_address {
        Some(address) => buyer::ship_to(tx, &mut cart, address.into_change()?)?,
        None => buyer::fill_country(tx, &mut cart)?,
    }
    Ok(cart)
}

fn fill(tx: &Tx<'_>, cart: &mut Cart, quoted: Vec<DraftItemRequest>) -> Result<(), CartError> {
    if quoted.len() > lines::MAX_LINES {
        return Err(LineError::CartFull.into());
    }
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
        line.metadata = quoted.metadata.unwrap_or_default().apply(None)?;
        cart.push(line)?;
    }
    Ok(())
}

fn item(cart: &Cart, sellables: &Sellables, quoted: &DraftItemRequest) -> Result<Item, CartError> {
    match (&quoted.variant_id, &quoted.title) {
        (Some(id), None) => Ok(pricing::item(items::buyable(cart, sellables.get(id), id)?)),
        (None, Some(title)) if quoted.unit_price.is_none() => Err(Refusal::invalid(format!(
            "Field 'unit_price' is required for the item `{}`, for it is no variant",
            title.as_str()
        ))
        .into()),
        (None, Some(title)) => Ok(Item {
            title: title.as_str().to_owned(),
            is_discountable: true,
            requires_shipping: quoted.requires_shipping.unwrap_or(true),
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
    quoted: Vec<DraftShippingMethodRequest>,
    audience: Audience,
) -> Result<(), CartError> {
    if quoted.len() > MAX_METHODS {
        let message = format!("an order has at most {MAX_METHODS} shipping methods");
        return Err(Refusal::invalid(message).into());
    }
    let needs_offers = quoted.iter().any(|method| method.shipping_option_id.is_some());
    let offers =
        if needs_offers { shipping::offers(tx, cart, audience, false)? } else { Vec::new() };
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
    quoted: DraftShippingMethodRequest,
) -> Result<ShippingMethod, CartError> {
    let offer = match &quoted.shipping_option_id {
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
        shipping_option_id: quoted.shipping_option_id,
        shipping_profile_id: offer.map(|offer| offer.shipping_profile_id.clone()),
        name: quoted
            .name
            .map(String::from)
            .or_else(|| offer.map(|offer| offer.name.clone()))
            .ok_or_else(unknown_method)?,
        amount_minor: named.or(of_offer).ok_or_else(unknown_method)?,
        is_custom_amount: true,
        is_tax_inclusive: named.is_none() && offer.is_some_and(|offer| offer.is_tax_inclusive),
        data: quoted.data.unwrap_or_default().apply(None)?,
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
