//! Statements on customers.

use rusqlite::named_params;

use crate::auth::Email;
use crate::database::{Error, Tx};
use crate::ids::CustomerId;

pub(in crate::customers) fn guest(tx: &Tx<'_>, email: &Email) -> Result<Option<CustomerId>, Error> {
    let sql =
        "select id from customer where email = :email and has_account = 0 and deleted_at is null";
    tx.sql(sql).first(named_params! { ":email": email }, |row| row.get(0))
}
