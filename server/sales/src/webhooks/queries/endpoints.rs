//! Statements on endpoints.

use crate::database::{Error, Record as _, Tx};
use crate::webhooks::outbound::endpoint::WebhookEndpoint;

/// Returns the endpoints that are switched on.
pub(in crate::webhooks) fn active(tx: &Tx<'_>) -> Result<Vec<WebhookEndpoint>, Error> {
    WebhookEndpoint::select(tx, "where e.is_active = 1 order by e.id", [])
}

/// Returns the number of endpoints.
pub(in crate::webhooks) fn count(tx: &Tx<'_>) -> Result<u32, Error> {
    tx.sql("select count(*) from webhook_endpoint").one([], |row| row.get(0))
}
