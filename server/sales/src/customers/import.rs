//! Imported customers and groups.

use super::address::Address;
use super::customer::Customer;
use super::error::CustomerError;
use super::group::CustomerGroup;
use super::queries;
use crate::auth::Email;
use crate::database::{Table as _, Tx};
use crate::ids::{CustomerAddressId, CustomerId};

#[derive(Debug, Clone)]
pub struct ImportedCustomer {
    pub id: CustomerId,
    pub address_id: CustomerAddressId,
    pub email: Email,
    /// Whether the customer has an account; it has no password, so they must reset it.
    pub has_account: bool,
    pub company: Option<String>,
    pub first_name: String,
    pub last_name: String,
    pub street: String,
    pub city: Option<String>,
    pub postal_code: Option<String>,
    /// The two-letter country code.
    pub country: Option<String>,
}

/// Writes a customer at the transaction's time, without an event. Only customers with an account get an address book.
pub fn import(tx: &Tx<'_>, imported: ImportedCustomer) -> Result<(), CustomerError> {
    let at = tx.now();
    let (first_name, last_name) = (Some(imported.first_name), Some(imported.last_name));
    let customer = Customer {
        id: imported.id.clone(),
        company_name: imported.company.clone(),
        first_name: first_name.clone(),
        last_name: last_name.clone(),
        ..Customer::new(imported.email, imported.has_account, None, at)
    };
    customer.insert(tx)?;
    if !imported.has_account {
        return Ok(());
    }
    let address = Address {
        id: imported.address_id,
        is_default_shipping: true,
        is_default_billing: true,
        company: imported.company,
        first_name,
        last_name,
        address_1: Some(imported.street),
        city: imported.city,
        country_code: imported.country,
        postal_code: imported.postal_code,
        ..Address::new(imported.id, at)
    };
    Ok(address.insert(tx)?)
}

/// Writes a group, without an event.
pub fn import_group(tx: &Tx<'_>, name: &str, members: &[CustomerId]) -> Result<(), CustomerError> {
    let group = CustomerGroup::new(name.to_owned(), None, tx.now());
    group.insert(tx)?;
    queries::MEMBERS.add(tx, &[&group.id], members)?;
    Ok(())
}
