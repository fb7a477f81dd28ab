//! The addresses in a customer's address book.
//!
//! Invariant: at most one address of a customer is the default for shipping, and at most one for billing.

use serde::{Deserialize, Deserializer, Serialize};

use super::Customer;
use super::error::CustomerError;
use super::queries;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::database::listing::{Kind, ListQuery};
use crate::database::{self, Listable as _, Missing, Record, Table};
use crate::http::{OptionalText, Patch, Resource, ToSchema, request};
use crate::ids::{CustomerAddressId, CustomerId};
use crate::metadata::{Metadata, MetadataPatch};
use crate::regions::Country;

/// Limit: addresses of one customer.
const MAX_ADDRESSES: u32 = 100;

/// An address in a customer's address book.
#[derive(Debug, Clone, Serialize, ToSchema, Record, Resource)]
#[schema(as = CustomerAddress)]
#[record(table = "customer_address a", title = "Address")]
#[record(list(
    plural = "addresses",
    search = ["a.address_name", "a.company", "a.first_name", "a.last_name", "a.address_1", "a.city"],
    order = "created_at",
    limit = 50,
))]
#[resource(name = "address")]
pub struct Address {
    #[column(filter, order)]
    pub id: CustomerAddressId,
    #[column(once)]
    pub customer_id: CustomerId,
    /// The customer's name for it, such as `Home`.
    #[schema(example = "Home")]
    #[column(filter)]
    pub address_name: Option<String>,
    /// Whether orders ship to it by default.
    #[column(filter)]
    pub is_default_shipping: bool,
    /// Whether orders are billed to it by default.
    #[column(filter)]
    pub is_default_billing: bool,
    pub company: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    /// Street and number.
    #[schema(example = "12 St James's Square")]
    pub address_1: Option<String>,
    /// Floor, flat and the like.
    pub address_2: Option<String>,
    #[schema(example = "London")]
    #[column(filter)]
    pub city: Option<String>,
    /// Country code, two letters in lower case.
    #[schema(example = "gb")]
    #[column(filter, name = "country", kind = Kind::LowerCase)]
    pub country_code: Option<String>,
    /// State, province or region.
    pub province: Option<String>,
    #[schema(example = "SW1Y 4JH")]
    #[column(filter)]
    pub postal_code: Option<String>,
    pub phone: Option<String>,
    pub metadata: Metadata,
    #[column(filter, order)]
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// An address, or the fields of one to change.
#[request]
#[schema(example = json!({ "first_name": "Ada", "last_name": "Lovelace", "address_1": "12 St James's Square",
                           "city": "London", "postal_code": "SW1Y 4JH", "country_code": "gb" }))]
#[schema(as = CustomerAddressRequest)]
pub struct AddressRequest {
    /// The customer's name for it.
    address_name: Patch<OptionalText>,
    /// Whether orders ship to it by default; another default is cleared.
    is_default_shipping: Option<bool>,
    /// Whether orders are billed to it by default; another default is cleared.
    is_default_billing: Option<bool>,
    company: Patch<OptionalText>,
    first_name: Patch<OptionalText>,
    last_name: Patch<OptionalText>,
    /// Street and number.
    address_1: Patch<OptionalText>,
    /// Floor, flat and the like.
    address_2: Patch<OptionalText>,
    city: Patch<OptionalText>,
    /// Country code, two letters.
    #[schema(value_type = Option<CountryCode>)]
    country_code: Patch<CountryCode>,
    /// State, province or region.
    province: Patch<OptionalText>,
    postal_code: Patch<OptionalText<32>>,
    phone: Patch<OptionalText<64>>,
    /// Keys to merge; null removes all.
    #[schema(value_type = Option<MetadataPatch>)]
    metadata: Patch<MetadataPatch>,
}

impl Address {
    pub(super) fn new(customer_id: CustomerId, now: Timestamp) -> Self {
        Self {
            id: CustomerAddressId::new(),
            customer_id,
            address_name: None,
            is_default_shipping: false,
            is_default_billing: false,
            company: None,
            first_name: None,
            last_name: None,
            address_1: None,
            address_2: None,
            city: None,
            country_code: None,
            province: None,
            postal_code: None,
            phone: None,
            metadata: Metadata::default(),
            created_at: now,
            updated_at: now,
        }
    }

    fn change(&mut self, request: AddressRequest) -> Result<(), CustomerError> {
        crate::assign!(request => self: address_name, is_default_shipping, is_default_billing, company, first_name,
                       last_name, address_1, address_2, city, province, postal_code, phone);
        if let Some(code) = request.country_code.sent() {
            self.country_code = code.and_then(|CountryCode(code)| code);
        }
        Ok(self.metadata.set(request.metadata)?)
    }
}

/// Returns an address of a customer; another customer's address is not found.
pub fn find_address(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    id: &CustomerAddressId,
) -> Result<Address, CustomerError> {
    let address = Address::find(tx, id)?.filter(|address| address.customer_id == *customer_id);
    Ok(address.ok_or_else(|| Missing::new(Address::TITLE, id))?)
}

/// Returns a page of a customer's addresses and their total number.
pub(super) fn page(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    query: ListQuery,
) -> Result<(Vec<Address>, u64), database::Error> {
    Address::page(tx, query.narrow("a.customer_id = ?", [customer_id.to_string().into()]))
}

pub(super) fn add_address(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    request: AddressRequest,
) -> Result<(), CustomerError> {
    Customer::require::<CustomerError>(tx, customer_id)?;
    if queries::address_count(tx, customer_id)? >= MAX_ADDRESSES {
        return Err(CustomerError::TooManyAddresses { max: MAX_ADDRESSES });
    }
    let mut address = Address::new(customer_id.clone(), tx.now());
    address.change(request)?;
    queries::clear_defaults(tx, &address)?;
    Ok(address.insert(tx)?)
}

pub(super) fn update_address(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    id: &CustomerAddressId,
    request: AddressRequest,
) -> Result<(), CustomerError> {
    let mut address = find_address(tx, customer_id, id)?;
    address.change(request)?;
    queries::clear_defaults(tx, &address)?;
    Ok(address.update(tx)?)
}

pub(super) fn remove_address(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    id: &CustomerAddressId,
) -> Result<(), CustomerError> {
    find_address(tx, customer_id, id)?;
    Address::remove(tx, id)
}

/// A two-letter code, in lower case; blank means none.
#[derive(Debug, ToSchema)]
#[schema(value_type = String, example = "gb", pattern = "^([A-Za-z]{2})?$")]
struct CountryCode(Option<String>);

impl<'de> Deserialize<'de> for CountryCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Some(code) = OptionalText::<2>::deserialize(deserializer)?.into_option() else {
            return Ok(Self(None));
        };
        let known = Country::find(&code).map(|country| country.iso_2.to_owned());
        let unknown = || serde::de::Error::custom(format!("country `{code}` does not exist"));
        known.map(|code| Self(Some(code))).ok_or_else(unknown)
    }
}
