//! Addresses of a customer's book.
//!
//! Invariant: of a customer's addresses at most one is the default for shipping and one for billing.

use serde::Serialize;
use utoipa::ToSchema;

use super::customer::{set, set_metadata};
use super::error::CustomerError;
use super::queries::addresses as queries;
use crate::clock::Timestamp;
use crate::database::Tx;
use crate::http::Patch;
use crate::ids::{CustomerAddressId, CustomerId};
use crate::metadata::{Metadata, MetadataPatch};

/// Limit: addresses of one customer.
const MAX_ADDRESSES: u32 = 100;

/// An address of a customer's book.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = CustomerAddress)]
pub struct Address {
    /// Its id.
    pub id: CustomerAddressId,
    /// Whose it is.
    pub customer_id: CustomerId,
    /// What the customer calls it, as `Home`.
    #[schema(example = "Home")]
    pub address_name: Option<String>,
    /// Whether goods go there unless another address is named.
    pub is_default_shipping: bool,
    /// Whether bills go there unless another address is named.
    pub is_default_billing: bool,
    /// The company.
    pub company: Option<String>,
    /// The first name.
    pub first_name: Option<String>,
    /// The last name.
    pub last_name: Option<String>,
    /// Street and number.
    #[schema(example = "12 St James's Square")]
    pub address_1: Option<String>,
    /// Floor, flat and the like.
    pub address_2: Option<String>,
    /// The city.
    #[schema(example = "London")]
    pub city: Option<String>,
    /// The country, two letters in lower case.
    #[schema(example = "gb")]
    pub country_code: Option<String>,
    /// The state, province or region.
    pub province: Option<String>,
    /// The postal code.
    #[schema(example = "SW1Y 4JH")]
    pub postal_code: Option<String>,
    /// The telephone number.
    pub phone: Option<String>,
    /// What the store keeps with it.
    pub metadata: Metadata,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

/// What is said of an address; what is absent stays as it is.
#[derive(Debug, Clone, Default)]
pub struct AddressChange {
    /// What the customer calls it.
    pub address_name: Patch<Option<String>>,
    /// Whether goods go there.
    pub is_default_shipping: Option<bool>,
    /// Whether bills go there.
    pub is_default_billing: Option<bool>,
    pub company: Patch<Option<String>>,
    pub first_name: Patch<Option<String>>,
    pub last_name: Patch<Option<String>>,
    /// Street and number.
    pub address_1: Patch<Option<String>>,
    /// Floor, flat and the like.
    pub address_2: Patch<Option<String>>,
    pub city: Patch<Option<String>>,
    /// The country, two letters in lower case.
    pub country_code: Patch<Option<String>>,
    /// The state, province or region.
    pub province: Patch<Option<String>>,
    pub postal_code: Patch<Option<String>>,
    pub phone: Patch<Option<String>>,
    /// Keys to merge; null empties it.
    pub metadata: Patch<MetadataPatch>,
}

impl Address {
    fn new(customer_id: CustomerId, now: Timestamp) -> Self {
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

    fn change(&mut self, change: AddressChange) -> Result<(), CustomerError> {
        let AddressChange {
            address_name,
            is_default_shipping,
            is_default_billing,
            company,
            first_name,
            last_name,
            address_1,
            address_2,
            city,
            country_code,
            province,
            postal_code,
            phone,
            metadata,
        } = change;
        self.is_default_shipping = is_default_shipping.unwrap_or(self.is_default_shipping);
        self.is_default_billing = is_default_billing.unwrap_or(self.is_default_billing);
        for (field, sent) in [
            (&mut self.address_name, address_name),
            (&mut self.company, company),
            (&mut self.first_name, first_name),
            (&mut self.last_name, last_name),
            (&mut self.address_1, address_1),
            (&mut self.address_2, address_2),
            (&mut self.city, city),
            (&mut self.country_code, country_code),
            (&mut self.province, province),
            (&mut self.postal_code, postal_code),
            (&mut self.phone, phone),
        ] {
            set(field, sent);
        }
        set_metadata(&mut self.metadata, metadata)
    }
}

/// An address of a customer's; another's is not found.
pub fn find_address(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    id: &CustomerAddressId,
) -> Result<Address, CustomerError> {
    queries::find(tx, customer_id, id)?.ok_or_else(|| CustomerError::not_found("Address", id))
}

/// Adds an address to a customer's book.
///
/// # Errors
/// [`CustomerError::NotFound`] without such a customer; [`CustomerError::TooManyAddresses`].
pub(crate) fn add_address(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    change: AddressChange,
) -> Result<Address, CustomerError> {
    super::customer::find(tx, customer_id)?;
    if queries::count(tx, customer_id)? >= MAX_ADDRESSES {
        return Err(CustomerError::TooManyAddresses { max: MAX_ADDRESSES });
    }
    let mut address = Address::new(customer_id.clone(), tx.now());
    address.change(change)?;
    queries::clear_defaults(tx, &address)?;
    queries::insert(tx, &address)?;
    Ok(address)
}

/// Changes an address of a customer's.
pub(crate) fn update_address(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    id: &CustomerAddressId,
    change: AddressChange,
) -> Result<Address, CustomerError> {
    let mut address = find_address(tx, customer_id, id)?;
    address.change(change)?;
    address.updated_at = tx.now();
    queries::clear_defaults(tx, &address)?;
    queries::update(tx, &address)?;
    Ok(address)
}

/// Removes an address from a customer's book.
pub(crate) fn remove_address(
    tx: &Tx<'_>,
    customer_id: &CustomerId,
    id: &CustomerAddressId,
) -> Result<(), CustomerError> {
    find_address(tx, customer_id, id)?;
    queries::delete(tx, id)?;
    Ok(())
}
