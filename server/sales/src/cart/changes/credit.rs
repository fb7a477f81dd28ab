//! Store credit that will pay a part of a cart.

use crate::cart::contents::{Cart, CreditLine};
use crate::cart::error::CartError;
use crate::credit::{self, CreditError, STORE_CREDIT};
use crate::database::Tx;
use crate::ids::CartCreditLineId;
use crate::money::Major;

/// Applies the store credit of the cart's customer, by default the whole balance; an amount of zero removes it. The
/// refresh limits it to the total at present. Nothing is debited before the completion.
pub(crate) fn apply(tx: &Tx<'_>, cart: &mut Cart, amount: Option<Major>) -> Result<(), CartError> {
    // A guest has only given an e-mail address, which may be anybody's.
    let customer = cart.customer_id.as_ref().filter(|_| cart.has_account);
    let customer = customer.ok_or(CartError::NoAccount)?;
    let account = credit::of_customer(tx, customer, cart.currency)?;
    let balance_minor = account.as_ref().map_or(0, |account| account.balance_minor);
    let amount_minor = match amount {
        Some(amount) => amount.minor(cart.currency)?,
        None => balance_minor,
    };
    if amount_minor < 0 {
        return Err(CreditError::NotPositive.into());
    }
    if amount_minor > balance_minor || (balance_minor == 0 && amount.is_none()) {
        return Err(CreditError::InsufficientBalance {
            requested: cart.currency.amount(amount_minor),
            balance: cart.currency.amount(balance_minor),
        }
        .into());
    }
    let old = cart.credit_lines.first();
    let (id, created_at) =
        old.map_or((CartCreditLineId::new(), tx.now()), |line| (line.id.clone(), line.created_at));
    remove(cart);
    if let Some(account) = account.filter(|_| amount_minor > 0) {
        cart.credit_lines.push(CreditLine {
            id,
            amount_minor,
            requested_minor: amount.map(|_| amount_minor),
            reference: STORE_CREDIT.to_owned(),
            reference_id: account.id.to_string(),
            metadata: None,
            created_at,
            updated_at: tx.now(),
        });
    }
    Ok(())
}

pub(crate) fn remove(cart: &mut Cart) {
    cart.credit_lines.clear();
}
