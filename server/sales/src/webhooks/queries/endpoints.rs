//! Statements on endpoints.

use rusqlite::named_params;

use crate::database::{Error, Record as _, Tx};
use crate::ids::UserId;
use crate::webhooks::outbound::endpoint::WebhookEndpoint;

/// Returns the endpoints that are switched on.
pub(crate) fn active(tx: &Tx<'_>) -> Result<Vec<WebhookEndpoint>, Error> {
    WebhookEndpoint::select(tx, "where e.is_active = 1 order by e.id", [])
}

pub(crate) fn count(tx: &Tx<'_>) -> Result<u32, Error> {
    tx.sql("select count(*) from webhook_endpoint").one([], |row| row.get(0))
}

/// Returns the administrators who may switch an endpoint on.
pub(crate) fn administrators(tx: &Tx<'_>) -> Result<Vec<UserId>, Error> {
    tx.sql("select id from user where role = 'admin' and deleted_at is null order by id")
        .all([], |row| row.get(0))
}

/// Returns the e-mail address of an administrator who is still one.
pub(crate) fn email_of(tx: &Tx<'_>, user: &UserId) -> Result<Option<String>, Error> {
    tx.sql("select email from user where id = :id and role = 'admin' and deleted_at is null")
        .first(named_params! { ":id": user }, |row| row.get(0))
}
