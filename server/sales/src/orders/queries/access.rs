//! Statements for who may see an order.

use rusqlite::named_params;

use crate::auth::SecretDigest;
use crate::database::{self, Tx};
use crate::ids::{CustomerId, OrderId};

/// Stores the digest of the token that shows an order to its guest.
pub fn grant(tx: &Tx<'_>, id: &OrderId, token: SecretDigest) -> Result<(), database::Error> {
    tx.sql("update orders set token_digest = :token where id = :id")
        .run(named_params! { ":token": token, ":id": id })
}

/// Returns whether an order was placed with this token.
pub fn is_granted(tx: &Tx<'_>, id: &OrderId, token: SecretDigest) -> Result<bool, database::Error> {
    tx.sql("select 1 from orders where id = :id and token_digest = :token")
        .exists(named_params! { ":token": token, ":id": id })
}

/// Returns whether a customer has an account, rather than being a guest.
pub(crate) fn has_account(tx: &Tx<'_>, id: &CustomerId) -> Result<bool, database::Error> {
    let found = tx
        .sql("select has_account from customer where id = :id")
        .first(named_params! { ":id": id }, |row| row.get(0))?;
    Ok(found.unwrap_or(false))
}
