//! Addresses in requests.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::buyer::AddressChange;
use crate::cart::contents::Address;
use crate::cart::error::CartError;
use crate::http::{OptionalText, Patch, ToSchema};
use crate::ids::CustomerAddressId;
use crate::metadata::MetadataPatch;

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

impl AddressRequest {
    fn into_address(self) -> Result<Address, CartError> {
        let mut address = Address::empty();
        crate::assign!(self => address: first_name, last_name, company, address_1, address_2, city, postal_code,
                       country_code, province, phone);
        address.metadata = self.metadata.unwrap_or_default().apply(None)?;
        Ok(address)
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
pub(crate) fn address_change(
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
