//! Request bodies of carts.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::auth::Email;
use crate::cart::changes::buyer::AddressChange;
use crate::cart::changes::create::NewCart;
use crate::cart::changes::items::NewItem;
use crate::cart::contents::Address;
use crate::cart::error::CartError;
use crate::cart::lines::MAX_LINES;
use crate::http::OptionalText;
use crate::http::{Patch, Text, ToSchema, request};
use crate::ids::{CustomerAddressId, RegionId, SalesChannelId, VariantId};
use crate::metadata::MetadataPatch;
use crate::money::Currency;

/// A cart to create.
#[request]
#[schema(example = json!({
    "region_id": "reg_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "email": "ada@example.com",
    "items": [{ "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 2 }],
}))]
pub(super) struct CreateCartRequest {
    /// Defaults to the store's default region.
    region_id: Option<RegionId>,
    /// Must be the region's currency.
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

impl CreateCartRequest {
    pub(super) fn into_cart(self) -> Result<NewCart, CartError> {
        let items = self.items.into_iter().map(AddLineItemRequest::into_item);
        let items: Vec<_> = items.collect::<Result<_, _>>()?;
        if items.len() > MAX_LINES {
            return Err(crate::cart::lines::LineError::CartFull.into());
        }
        Ok(NewCart {
            region_id: self.region_id,
            currency: self.currency_code,
            sales_channel_id: self.sales_channel_id,
            email: self.email,
            shipping_address: self.shipping_address.map(AddressInput::into_change).transpose()?,
            billing_address: self.billing_address.map(AddressInput::into_change).transpose()?,
            items,
            promo_codes: self.promo_codes.into_iter().map(String::from).collect(),
            locale: self.locale.map(String::from),
            metadata: self.metadata.unwrap_or_default().apply(None)?,
        })
    }
}

/// The fields of a cart to change.
#[request]
#[schema(example = json!({
    "email": "ada@example.com",
    "shipping_address": { "first_name": "Ada", "last_name": "Lovelace", "address_1": "12 St James's Square",
                          "city": "London", "postal_code": "SW1Y 4JH", "country_code": "gb" },
}))]
pub(super) struct UpdateCartRequest {
    pub(super) region_id: Option<RegionId>,
    pub(super) sales_channel_id: Option<SalesChannelId>,
    #[schema(value_type = Option<Email>)]
    pub(super) email: Patch<Email>,
    /// An address, the id of one from the customer's address book, or null to remove it.
    #[schema(value_type = Option<AddressRequest>)]
    pub(super) shipping_address: Patch<AddressInput>,
    /// An address, the id of one from the customer's address book, or null to remove it.
    #[schema(value_type = Option<AddressRequest>)]
    pub(super) billing_address: Patch<AddressInput>,
    /// Replaces all promotion codes of the cart.
    pub(super) promo_codes: Option<Vec<Text<100>>>,
    #[schema(example = "en-GB")]
    pub(super) locale: Patch<Text<35>>,
    pub(super) metadata: Option<MetadataPatch>,
}

/// An address. Its country must belong to the cart's region.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CartAddressRequest)]
pub(crate) struct AddressRequest {
    first_name: Option<OptionalText>,
    last_name: Option<OptionalText>,
    company: Option<OptionalText>,
    address_1: Option<OptionalText>,
    address_2: Option<OptionalText>,
    city: Option<OptionalText>,
    postal_code: Option<OptionalText<32>>,
    /// Two-letter code.
    #[schema(example = "gb")]
    country_code: Option<OptionalText<2>>,
    province: Option<OptionalText>,
    phone: Option<OptionalText<64>>,
    metadata: Option<MetadataPatch>,
}

/// The fields of the shipping address to change.
#[request]
#[schema(example = json!({ "city": "London", "postal_code": "SW1Y 4JH" }))]
pub(super) struct BatchUpdateRequest {
    first_name: Option<OptionalText>,
    last_name: Option<OptionalText>,
    address_1: Option<OptionalText>,
    address_2: Option<OptionalText>,
    city: Option<OptionalText>,
    /// Two-letter code.
    #[schema(example = "gb")]
    country_code: Option<OptionalText<2>>,
    province: Option<OptionalText>,
    postal_code: Option<OptionalText<32>>,
    phone: Option<OptionalText<64>>,
}

impl AddressRequest {
    fn into_address(self) -> Result<Address, CartError> {
        let mut address = Address::empty();
        crate::assign!(self => address: first_name, last_name, company, address_1, address_2, city, postal_code,
                       country_code, province, phone);
        address.metadata = self.metadata.unwrap_or_default().apply(None)?;
        Ok(address)
    }
}

impl BatchUpdateRequest {
    pub(super) fn into_address(self) -> Address {
        let mut address = Address::empty();
        crate::assign!(self => address: first_name, last_name, address_1, address_2, city, country_code, province,
                       postal_code, phone);
        address
    }
}

/// An address, or the id of one from the customer's address book.
#[derive(Debug)]
pub(crate) enum AddressInput {
    Id(CustomerAddressId),
    Address(Box<AddressRequest>),
}

impl AddressInput {
    pub(crate) fn into_change(self) -> Result<AddressChange, CartError> {
        Ok(match self {
            Self::Id(id) => AddressChange::Copy(id),
            Self::Address(address) => AddressChange::Set(Box::new(address.into_address()?)),
        })
    }
}

/// Converts an address field of an update to a change; none if the field is absent.
pub(super) fn address_change(
    sent: Patch<AddressInput>,
) -> Result<Option<AddressChange>, CartError> {
    match sent {
        Patch::Absent => Ok(None),
        Patch::Null => Ok(Some(AddressChange::Clear)),
        Patch::Value(address) => address.into_change().map(Some),
    }
}

impl<'de> Deserialize<'de> for AddressInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AddressVisitor)
    }
}

/// Deserializes an address or an id, so that errors name the invalid field of the address.
struct AddressVisitor;

impl<'de> Visitor<'de> for AddressVisitor {
    type Value = AddressInput;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an address or the id of one")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<AddressInput, E> {
        text.parse().map(AddressInput::Id).map_err(E::custom)
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<AddressInput, M::Error> {
        let address = AddressRequest::deserialize(MapAccessDeserializer::new(map))?;
        Ok(AddressInput::Address(Box::new(address)))
    }
}

/// A variant to add to a cart.
#[request]
#[schema(example = json!({ "variant_id": "variant_01JD2Q8Z5M6T3W9XKCV4B7N0RE", "quantity": 1 }))]
pub(super) struct AddLineItemRequest {
    variant_id: VariantId,
    /// At least one.
    #[schema(minimum = 1, maximum = 9999)]
    quantity: i64,
    metadata: Option<MetadataPatch>,
}

impl AddLineItemRequest {
    pub(super) fn into_item(self) -> Result<NewItem, CartError> {
        let metadata = self.metadata.unwrap_or_default().apply(None)?;
        Ok(NewItem { variant_id: self.variant_id, quantity: self.quantity, metadata })
    }
}

/// The fields of a line to change.
#[request]
#[schema(example = json!({ "quantity": 3 }))]
pub(super) struct UpdateLineItemRequest {
    /// Zero removes the line.
    #[schema(minimum = 0, maximum = 9999)]
    pub(super) quantity: Option<i64>,
    pub(super) metadata: Option<MetadataPatch>,
}
