//! The customer of a cart.

use crate::auth::Email;
use crate::cart::contents::Cart;
use crate::cart::error::CartError;
use crate::customers;
use crate::database::Tx;
use crate::ids::CustomerId;

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
