//! Statements on customers.

use rusqlite::named_params;

use crate::auth::Email;
use crate::database::{Error, Tx};
use crate::ids::{self, CustomerId};

pub(in crate::customers) fn guest(tx: &Tx<'_>, email: &Email) -> Result<Option<CustomerId>, Error> {
    let sql =
        "select id from customer where email = :email and has_account = 0 and deleted_at is null";
    tx.sql(sql).first(named_params! { ":email": email }, |row| row.get(0))
}

/// Returns the first of these ids that no customer has.
pub(in crate::customers) fn first_unknown(
    tx: &Tx<'_>,
    ids: &[CustomerId],
) -> Result<Option<String>, Error> {
    let sql = "select sent.value from json_each(:ids) sent
                where not exists (select 1 from customer where id = sent.value and deleted_at is null) limit 1";
    tx.sql(sql)
        .first(named_params! { ":ids": ids::list(ids.iter().map(CustomerId::as_str)) }, |row| {
            row.get(0)
        })
}
