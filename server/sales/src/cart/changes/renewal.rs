//! The carts of renewals: computed like a shopper's with current taxes and shipping prices, at the agreed prices, and
//! never stored.

use super::quote::{self, DraftShippingMethodRequest};
use super::{buyer, create, items};
use crate::cart::contents::{Address, Cart, Item, Metadata};
use crate::cart::error::CartError;
use crate::cart::pricing;
use crate::cart::refresh::{self, Taxes};
use crate::catalog;
use crate::customers::{self, Customer};
use crate::database::{Table as _, Tx};
use crate::ids::{CustomerId, RegionId, SalesChannelId, ShippingOptionId, VariantId};
use crate::money::Currency;
use crate::pricing::PriceContext;
use crate::shipping::Audience;

#[derive(Debug, Clone)]
pub struct NewRenewal {
    pub region_id: Option<RegionId>,
    pub sales_channel_id: Option<SalesChannelId>,
    pub currency: Currency,
    pub customer_id: CustomerId,
    pub email: Option<String>,
    pub locale: Option<String>,
    pub shipping_address: Option<Address>,
    pub billing_address: Option<Address>,
    /// At least one.
    pub items: Vec<RenewedItem>,
    pub shipping_option_ids: Vec<ShippingOptionId>,
    pub metadata: Option<Metadata>,
}

/// A quantity of a variant at an agreed price.
#[derive(Debug, Clone)]
pub struct RenewedItem {
    pub variant_id: VariantId,
    pub quantity: i64,
    pub unit_price_minor: i64,
    pub is_tax_inclusive: bool,
}

/// Computes a renewal. Writes nothing. Promotions do not discount it: its prices are agreed to.
///
/// # Errors
/// [`CartError::UnknownVariant`] if an item is no longer sold, [`CartError::OptionNotOffered`] if it cannot be shipped,
/// [`CartError::CountryOutside`].
pub fn renewal(tx: &Tx<'_>, new: NewRenewal) -> Result<Cart, CartError> {
    let (items, options) = (new.items.clone(), new.shipping_option_ids.clone());
    let mut cart = addressed(tx, new)?;
    fill(tx, &mut cart, &items)?;
    let mut cart = refresh::compute(tx, cart, Taxes::Now, Audience::Renewal)?;
    let needs_shipping = cart.lines.iter().any(|line| line.item.requires_shipping);
    if !needs_shipping || options.is_empty() {
        return Ok(cart);
    }
    let option = |id| DraftShippingMethodRequest {
        shipping_option_id: Some(id),
        name: None,
        amount: None,
        data: None,
    };
    let methods = options.into_iter().map(option).collect();
    quote::send(tx, &mut cart, methods, Audience::Renewal)?;
    refresh::compute(tx, cart, Taxes::Now, Audience::Renewal)
}

/// Computes an amount with tax that is due for nothing that is sent, such as the difference of two prices, at the tax rates
/// of a variant. Writes nothing.
pub fn charge(
    tx: &Tx<'_>,
    new: NewRenewal,
    title: String,
    variant_id: &VariantId,
    amount_minor: i64,
) -> Result<Cart, CartError> {
    let mut cart = addressed(tx, new)?;
    let sellable = catalog::sellable(tx, variant_id)?;
    let taxed = sellable.map(|sellable| Item {
        product_id: Some(sellable.product_id),
        product_title: Some(sellable.product_title),
        product_type: sellable.type_value,
        product_type_id: sellable.type_id,
        thumbnail: sellable.thumbnail,
        ..Item::default()
    });
    let item = Item { title, ..taxed.unwrap_or_default() };
    let mut line = items::line_of(tx, &cart, item, 1);
    line.unit_price_minor = amount_minor;
    line.is_tax_inclusive = true;
    line.is_custom_price = true;
    cart.lines.push(line);
    refresh::compute(tx, cart, Taxes::Now, Audience::Renewal)
}

/// Returns an empty cart with the buyer and the addresses.
fn addressed(tx: &Tx<'_>, new: NewRenewal) -> Result<Cart, CartError> {
    let mut cart = Cart {
        region_id: new.region_id,
        sales_channel_id: new.sales_channel_id,
        locale: new.locale,
        metadata: new.metadata,
        ..create::empty(tx, new.currency)
    };
    buyer::set_customer(tx, &mut cart, &new.customer_id)?;
    cart.email = new.email.or(cart.email);
    cart.shipping_address = new.shipping_address;
    cart.billing_address = new.billing_address;
    buyer::fill_country(tx, &mut cart)?;
    Ok(cart)
}

fn fill(tx: &Tx<'_>, cart: &mut Cart, renewed: &[RenewedItem]) -> Result<(), CartError> {
    let ids: Vec<_> = renewed.iter().map(|item| item.variant_id.clone()).collect();
    let sellables = catalog::sellables_by_id(tx, &ids)?;
    for item in renewed {
        let sellable = items::buyable(cart, sellables.get(&item.variant_id), &item.variant_id)?;
        let mut line = items::line_of(tx, cart, pricing::item(sellable), item.quantity);
        line.unit_price_minor = item.unit_price_minor;
        line.is_tax_inclusive = item.is_tax_inclusive;
        line.is_custom_price = true;
        cart.lines.push(line);
    }
    Ok(())
}

#[derive(Debug, Clone)]
pub struct TodaysPrice {
    pub sellable: catalog::Sellable,
    /// For one piece.
    pub unit_price_minor: i64,
    pub is_tax_inclusive: bool,
}

/// A quantity of a variant to price, with its buyer.
#[derive(Debug, Clone)]
pub struct PriceRequest<'a> {
    pub region_id: Option<RegionId>,
    pub sales_channel_id: Option<&'a SalesChannelId>,
    pub currency: Currency,
    pub customer_id: &'a CustomerId,
    pub variant_id: &'a VariantId,
    pub quantity: i64,
}

/// Returns the price of a quantity of a variant that is sold in a channel and in stock.
pub fn price_today(tx: &Tx<'_>, request: PriceRequest<'_>) -> Result<TodaysPrice, CartError> {
    let PriceRequest { region_id, currency, customer_id, variant_id, quantity, .. } = request;
    let unknown = || CartError::UnknownVariant { variant_id: variant_id.clone() };
    let sellable = catalog::sellable(tx, variant_id)?.ok_or_else(unknown)?;
    if let Some(channel) = request.sales_channel_id {
        if !sellable.is_sold_in(channel) {
            return Err(unknown());
        }
        crate::inventory::check(tx, &[(variant_id.clone(), quantity)], channel)?;
    }
    // The groups of a guest do not count: nobody proved that the address is theirs.
    let has_account = Customer::find(tx, customer_id)?.is_some_and(|found| found.has_account);
    let customer_group_ids =
        if has_account { customers::group_ids(tx, customer_id)? } else { Vec::new() };
    let context = PriceContext { currency, region_id, customer_group_ids, item_total_minor: None };
    let sets = [(sellable.price_set_id.clone(), quantity)];
    let price = crate::pricing::calculate(tx, &context, &sets)?.pop().flatten();
    let price = price.ok_or_else(|| CartError::NoPrice { variant_id: variant_id.clone() })?;
    Ok(TodaysPrice {
        sellable,
        unit_price_minor: price.calculated.amount_minor,
        is_tax_inclusive: price.calculated.is_tax_inclusive,
    })
}

/// Returns an address of a request for a customer, checked against the countries of a region.
pub(crate) fn address_for(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    region_id: Option<RegionId>,
    currency: Currency,
    change: buyer::AddressChange,
) -> Result<Option<Address>, CartError> {
    let mut cart = Cart { region_id, ..create::empty(tx, currency) };
    buyer::set_customer(tx, &mut cart, customer_id)?;
    buyer::ship_to(tx, &mut cart, change)?;
    Ok(cart.shipping_address)
}
