//! The SQL of store credit.

use rusqlite::named_params;

use super::account::Account;
use crate::database::{self, Record as _, Tx};
use crate::ids::CustomerId;
use crate::money::Currency;

/// Returns the account of a customer in a currency.
pub fn of_customer(
    tx: &Tx<'_>,
    customer: &CustomerId,
    currency: Currency,
) -> Result<Option<Account>, database::Error> {
    let rest = "where a.customer_id = :customer and a.currency = :currency";
    Account::select_one(tx, rest, named_params! { ":customer": customer, ":currency": currency })
}

pub(super) fn by_code(tx: &Tx<'_>, code: &str) -> Result<Option<Account>, database::Error> {
    Account::select_one(tx, "where a.code = :code", named_params! { ":code": code })
}
