//! Changes of a cart's customer, region and addresses.

use crate::auth::Email;
use crate::cart::contents::{Address, Cart};
use crate::cart::error::CartError;
use crate::customers;
use crate::database::{Missing, Tx};
use crate::ids::{CustomerAddressId, CustomerId, RegionId};
use crate::regions::{self, Country};

/// Sets the cart's e-mail address. An account's cart keeps its customer; any other cart is linked to the guest with
/// this address.
pub(crate) fn set_email(tx: &Tx<'_>, cart: &mut Cart, email: &Email) -> Result<(), CartError> {
    cart.email = Some(email.to_string());
    if !cart.has_account {
        cart.customer_id = Some(customers::guest(tx, email)?);
    }
    Ok(())
}

/// Clears the e-mail address and unlinks the guest.
pub(crate) fn clear_email(cart: &mut Cart) {
    cart.email = None;
    if !cart.has_account {
        cart.customer_id = None;
    }
}

/// Assigns the cart to an account and sets the account's e-mail address.
pub(crate) fn set_customer(
    tx: &Tx<'_>,
    cart: &mut Cart,
    customer_id: &CustomerId,
) -> Result<(), CartError> {
    let customer = customers::find(tx, customer_id)?;
    cart.email = Some(customer.email.to_string());
    cart.has_account = customer.has_account;
    cart.customer_id = Some(customer.id);
    Ok(())
}

#[derive(Debug, Clone)]
pub(crate) enum AddressChange {
    Set(Box<Address>),
    /// Replaces the address with a copy of one from the customer's address book.
    Copy(CustomerAddressId),
    Clear,
}

/// Sets or clears the shipping address.
pub(crate) fn ship_to(
    tx: &Tx<'_>,
    cart: &mut Cart,
    change: AddressChange,
) -> Result<(), CartError> {
    cart.shipping_address = changed(tx, cart, change)?;
    fill_country(tx, cart)
}

/// Sets or clears the billing address, which may be in any country.
pub(crate) fn bill_to(
    tx: &Tx<'_>,
    cart: &mut Cart,
    change: AddressChange,
) -> Result<(), CartError> {
    cart.billing_address = changed(tx, cart, change)?;
    Ok(())
}

/// Changes fields of the shipping address.
pub(crate) fn amend(
    tx: &Tx<'_>,
    cart: &mut Cart,
    change: impl FnOnce(&mut Address),
) -> Result<(), CartError> {
    let address = cart.shipping_address.get_or_insert_with(Address::empty);
    change(address);
    address.country_code = address.country_code.as_deref().map(country).transpose()?;
    fill_country(tx, cart)
}

/// Moves the cart to another region: adopts its currency and drops addresses, credit and offer amounts that are not valid
/// there.
pub(crate) fn move_to(tx: &Tx<'_>, cart: &mut Cart, region_id: &RegionId) -> Result<(), CartError> {
    let region = regions::find(tx, region_id)?;
    let countries = countries(tx, region_id)?;
    let is_foreign = |address: &Address| {
        address.country_code.as_ref().is_some_and(|code| !countries.contains(&code.as_str()))
    };
    cart.shipping_address = cart.shipping_address.take().filter(|address| !is_foreign(address));
    cart.billing_address = cart.billing_address.take().filter(|address| !is_foreign(address));
    if cart.currency != region.currency {
        cart.credit_lines.clear();
        for line in &mut cart.lines {
            line.is_custom_price = false;
            line.adjustments
                .retain(|one| one.offer.as_ref().is_none_or(|offer| !offer.price.is_amount()));
        }
    }
    cart.currency = region.currency;
    cart.region_id = Some(region.id);
    fill_country(tx, cart)
}

/// Checks that the shipping country is in the cart's region. If the region has only one country, fills it in for an
/// address without a country and for a cart without an address, so that tax is computed at once.
pub(crate) fn fill_country(tx: &Tx<'_>, cart: &mut Cart) -> Result<(), CartError> {
    let Some(region_id) = &cart.region_id else { return Ok(()) };
    let countries = countries(tx, region_id)?;
    let sent_to = cart.shipping_address.as_ref().and_then(|address| address.country_code.clone());
    match (sent_to, countries.as_slice()) {
        (Some(code), known) if !known.is_empty() && !known.contains(&code.as_str()) => {
            Err(CartError::CountryOutside { country: code })
        }
        (None, [only]) => {
            let only = (*only).to_owned();
            match &mut cart.shipping_address {
                Some(address) => address.country_code = Some(only),
                None => cart.shipping_address = Some(Address::of_country(only)),
            }
            Ok(())
        }
        (Some(_) | None, _) => Ok(()),
    }
}

fn countries(tx: &Tx<'_>, region_id: &RegionId) -> Result<Vec<&'static str>, CartError> {
    let mut found = regions::countries_of(tx, std::slice::from_ref(region_id))?;
    let countries = found.remove(region_id).unwrap_or_default();
    Ok(countries.into_iter().map(|country| country.iso_2).collect())
}

fn changed(tx: &Tx<'_>, cart: &Cart, change: AddressChange) -> Result<Option<Address>, CartError> {
    match change {
        AddressChange::Clear => Ok(None),
        AddressChange::Set(mut address) => {
            address.country_code = address.country_code.as_deref().map(country).transpose()?;
            Ok(Some(*address))
        }
        AddressChange::Copy(id) => copy(tx, cart, &id).map(Some),
    }
}

/// Copies an address from the customer's own address book.
fn copy(tx: &Tx<'_>, cart: &Cart, id: &CustomerAddressId) -> Result<Address, CartError> {
    // Invariant: a guest has no address book, and a cart without an account never reveals an address.
    let owner = cart.customer_id.clone().filter(|_| cart.has_account);
    let owner = owner.ok_or_else(|| Missing::new("Address", id))?;
    let saved = customers::find_address(tx, &owner, id)?;
    let mut address = Address::empty();
    crate::assign!(saved => address: first_name, last_name, company, address_1, address_2, city, postal_code, country_code,
                   province, phone);
    Ok(address)
}

fn country(code: &str) -> Result<String, CartError> {
    let known = Country::find(code).map(|country| country.iso_2.to_owned());
    known.ok_or_else(|| CartError::UnknownCountry { country: code.to_owned() })
}
