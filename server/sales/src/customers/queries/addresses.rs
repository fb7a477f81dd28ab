//! Statements on address books.

use rusqlite::named_params;

use crate::customers::address::Address;
use crate::database::{Error, Record as _, Tx};
use crate::ids::{self, CustomerId};

/// Returns the addresses of several customers.
pub(crate) fn of_customers(tx: &Tx<'_>, ids: &[CustomerId]) -> Result<Vec<Address>, Error> {
    let rest =
        "where a.customer_id in (select value from json_each(:ids)) order by a.created_at, a.id";
    let ids = ids::list(ids);
    Address::select(tx, rest, named_params! { ":ids": ids })
}

pub(crate) fn count(tx: &Tx<'_>, customer_id: &CustomerId) -> Result<u32, Error> {
    let sql = "select count(*) from customer_address where customer_id = :customer_id";
    tx.sql(sql).one(named_params! { ":customer_id": customer_id }, |row| row.get(0))
}

/// Clears the default flags that this address has from the customer's other addresses.
pub(crate) fn clear_defaults(tx: &Tx<'_>, address: &Address) -> Result<(), Error> {
    let sql = "update customer_address
                  set is_default_shipping = is_default_shipping and not :is_default_shipping,
                      is_default_billing = is_default_billing and not :is_default_billing, updated_at = :now
                where customer_id = :customer_id and id <> :id
                  and (is_default_shipping and :is_default_shipping or is_default_billing and :is_default_billing)";
    tx.sql(sql).run(named_params! {
        ":id": address.id,
        ":customer_id": address.customer_id,
        ":is_default_shipping": address.is_default_shipping,
        ":is_default_billing": address.is_default_billing,
        ":now": tx.now(),
    })
}
