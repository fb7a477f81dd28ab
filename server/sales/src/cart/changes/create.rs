//! Creates carts.

use super::address::{AddressInput, AddressRequest};
use super::items::{self, AddLineItemRequest};
use super::{buyer, codes};
use crate::auth::{Email, Shop};
use crate::cart::contents::Cart;
use crate::cart::error::CartError;
use crate::cart::lines::{LineError, MAX_LINES};
use crate::cart::queries;
use crate::cart::refresh::{self, Taxes};
use crate::cart::totals::CartTotals;
use crate::database::Tx;
use crate::events;
use crate::http::{Text, request};
use crate::ids::{CartId, RegionId, SalesChannelId};
use crate::metadata::MetadataPatch;
use crate::money::Currency;
use crate::regions::{self, Region};

/// A cart to create.
#[request]
#[derive(Default)]
#[schema(example = json!({
    "region_id": "reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "email": "ada@example.com",
    "items": [{ "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 2 }],
}))]
pub(crate) struct CreateCartRequest {
    /// Defaults to the store's default region.
    region_id: Option<RegionId>,
    /// Must be the region's currency. Without `region_id`, a region with this currency is chosen.
    currency_code: Option<Currency>,
    /// Required if the publishable key has several channels.
    sales_channel_id: Option<SalesChannelId>,
    email: Option<Email>,
    /// An address, or the id of one from the customer's address book.
    #[schema(value_type = Option<AddressRequest>)]
    shipping_address: Option<AddressInput>,
    /// An address, or the id of one from the customer's address book.
    #[schema(value_type = Option<AddressRequest>)]
    billing_address: Option<AddressInput>,
    #[serde(default)]
    items: Vec<AddLineItemRequest>,
    #[serde(default)]
    promo_codes: Vec<Text<100>>,
    #[schema(example = "en-GB")]
    locale: Option<Text<35>>,
    #[serde(default)]
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Option<MetadataPatch>,
}

/// Creates a cart for a storefront.
///
/// # Errors
/// [`CartError::ChannelNeeded`] if the key has several channels and the request names none.
pub(crate) fn create(tx: &Tx<'_>, shop: &Shop, new: CreateCartRequest) -> Result<Cart, CartError> {
    if new.items.len() > MAX_LINES {
        return Err(LineError::CartFull.into());
    }
    let region = region(tx, new.region_id.as_ref(), new.currency_code)?;
    let mut cart = Cart {
        region_id: region.as_ref().map(|region| region.id.clone()),
        sales_channel_id: Some(channel(shop, new.sales_channel_id)?),
        locale: new.locale.map(String::from),
        metadata: new.metadata.unwrap_or_default().apply(None)?,
        ..empty(tx, currency(tx, region.as_ref(), new.currency_code)?)
    };
    if let Some(customer_id) = &shop.customer_id {
        buyer::set_customer(tx, &mut cart, customer_id)?;
    }
    if let Some(email) = &new.email {
        buyer::set_email(tx, &mut cart, email)?;
    }
    if let Some(address) = new.billing_address {
        buyer::bill_to(tx, &mut cart, address.into_change()?)?;
    }
    match new.shipping_address {
        Some(address) => buyer::ship_to(tx, &mut cart, address.into_change()?)?,
        None => buyer::fill_country(tx, &mut cart)?,
    }
    queries::insert_cart(tx, &cart)?;
    events::record(tx, "cart.created", &serde_json::json!({ "id": cart.id }))?;
    if new.items.is_empty() && new.promo_codes.is_empty() {
        return Ok(cart);
    }
    let before = cart.clone();
    items::add(tx, &mut cart, new.items)?;
    codes::add(tx, &mut cart, new.promo_codes.into_iter().map(String::from).collect())?;
    refresh::save(tx, &before, cart, Taxes::AsTheRegionSays)
}

/// Returns an empty cart without a customer or a region.
pub(crate) fn empty(tx: &Tx<'_>, currency: Currency) -> Cart {
    Cart {
        id: CartId::new(),
        region_id: None,
        sales_channel_id: None,
        customer_id: None,
        has_account: false,
        currency,
        email: None,
        locale: None,
        shipping_address: None,
        billing_address: None,
        promo_codes: Vec::new(),
        completed_at: None,
        is_being_completed: false,
        metadata: None,
        created_at: tx.now(),
        updated_at: tx.now(),
        lines: Vec::new(),
        shipping_methods: Vec::new(),
        credit_lines: Vec::new(),
        totals: CartTotals::default(),
    }
}

fn region(
    tx: &Tx<'_>,
    id: Option<&RegionId>,
    currency: Option<Currency>,
) -> Result<Option<Region>, CartError> {
    match id {
        Some(id) => Ok(Some(regions::find(tx, id)?)),
        None => Ok(regions::default_region(tx, currency)?),
    }
}

/// Returns the named channel if the key has it, or else the key's only channel.
fn channel(shop: &Shop, named: Option<SalesChannelId>) -> Result<SalesChannelId, CartError> {
    match (named, shop.sales_channel_ids.as_slice()) {
        (Some(named), channels) if channels.contains(&named) => Ok(named),
        (Some(named), _) => Err(CartError::ForeignChannel { id: named }),
        (None, [only]) => Ok(only.clone()),
        (None, _) => Err(CartError::ChannelNeeded),
    }
}

fn currency(
    tx: &Tx<'_>,
    region: Option<&Region>,
    named: Option<Currency>,
) -> Result<Currency, CartError> {
    match (region.map(|region| region.currency), named) {
        (Some(of_region), Some(named)) if of_region != named => {
            Err(CartError::OtherCurrency { named, of_region })
        }
        (Some(currency), _) | (None, Some(currency)) => Ok(currency),
        (None, None) => regions::default_currency(tx)?.ok_or(CartError::RegionNeeded),
    }
}
