//! The customer of a cart.

use crate::auth::Email;
use crate::cart::contents::Cart;
use crate::cart::error::CartError;
use crate::customers;
use crate::database::Tx;
use crate::ids::CustomerId;

/// Gives the cart an e-mail address. A cart of an account keeps its customer; any other gets the guest of the address.
pub(in crate::cart) fn write_to(
    tx: &Tx<'_>,
    cart: &mut Cart,
    email: &Email,
) -> Result<(), CartError> {
    cart.email = Some(email.to_string());
    if !cart.has_account {
        cart.customer_id = Some(customers::guest(tx, email)?);
    }
    Ok(())
}

/// Takes the e-mail address away, and with it the guest.
pub(in crate::cart) fn forget(cart: &mut Cart) {
    cart.email = None;
    if !cart.has_account {
        cart.customer_id = None;
    }
}

/// Gives the cart to an account, with its address.
pub(in crate::cart) fn give_to(
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
