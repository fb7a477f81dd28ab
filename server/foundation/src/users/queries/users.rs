//! Queries for admins.

use rusqlite::named_params;

use crate::auth::Email;
use crate::database::{Error, Tx};
use crate::ids::UserId;

pub(crate) fn exist(tx: &Tx<'_>) -> Result<bool, Error> {
    tx.sql("select 1 from user where deleted_at is null limit 1").exists([])
}

pub(crate) fn has_email(tx: &Tx<'_>, email: &Email) -> Result<bool, Error> {
    let sql = "select 1 from user where email = :email and deleted_at is null";
    tx.sql(sql).exists(named_params! { ":email": email })
}

/// Returns whether there is another user with the role `admin`.
pub(crate) fn has_other_admin(tx: &Tx<'_>, id: &UserId) -> Result<bool, Error> {
    let sql =
        "select 1 from user where role = 'admin' and deleted_at is null and id <> :id limit 1";
    tx.sql(sql).exists(named_params! { ":id": id })
}
