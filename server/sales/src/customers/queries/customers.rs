//! Statements on customers.

use rusqlite::named_params;

use crate::auth::Email;
use crate::database::{Error, Tx};
use crate::ids::{CustomerId, SubscriptionId};

pub(crate) fn guest(tx: &Tx<'_>, email: &Email) -> Result<Option<CustomerId>, Error> {
    let sql =
        "select id from customer where email = :email and has_account = 0 and deleted_at is null";
    tx.sql(sql).first(named_params! { ":email": email }, |row| row.get(0))
}

/// Returns a subscription of a customer that has not ended.
pub fn subscription(tx: &Tx<'_>, id: &CustomerId) -> Result<Option<SubscriptionId>, Error> {
    tx.sql("select id from subscription where customer_id = :customer and ended_at is null limit 1")
        .first(named_params! { ":customer": id }, |row| row.get(0))
}
