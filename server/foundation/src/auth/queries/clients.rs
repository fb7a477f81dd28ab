//! Queries for tokens of OAuth clients.

use rusqlite::named_params;

use crate::auth::clients::{ClientToken, Scope};
use crate::auth::secret::SecretDigest;
use crate::clock::Timestamp;
use crate::database::{Error, FromRow as _, Stored, Tx};
use crate::ids::OauthClientId;

/// Limit: tokens of one client; the oldest are deleted.
const MAX_TOKENS: u32 = 1_000;

/// Inserts a token, and deletes those beyond the limit.
pub(crate) fn insert_client_token(
    tx: &Tx<'_>,
    client_id: &OauthClientId,
    digest: SecretDigest,
    scopes: &[Scope],
    expires_at: Timestamp,
) -> Result<(), Error> {
    tx.insert(
        "oauth_token",
        named_params! {
            ":hash": digest, ":client_id": client_id, ":scopes": Stored(scopes), ":created_at": tx.now(),
            ":expires_at": expires_at,
        },
    )?;
    tx.sql(
        "delete from oauth_token where hash in (select hash from oauth_token where client_id = :id
                                                  order by expires_at desc limit -1 offset :kept)",
    )
    .run(named_params! { ":id": client_id, ":kept": MAX_TOKENS })
}

pub(crate) fn delete_client_tokens(tx: &Tx<'_>, client_id: &OauthClientId) -> Result<(), Error> {
    tx.sql("delete from oauth_token where client_id = :id").run(named_params! { ":id": client_id })
}

/// Returns the token with a digest, if it has not expired and its client is enabled.
pub(crate) fn client_token(
    tx: &Tx<'_>,
    digest: SecretDigest,
) -> Result<Option<ClientToken>, Error> {
    tx.sql(
        "select t.client_id, t.scopes, c.scopes as client_scopes
           from oauth_token t join oauth_client c on c.id = t.client_id
          where t.hash = :hash and t.expires_at > :now and c.is_enabled",
    )
    .first(named_params! { ":hash": digest, ":now": tx.now() }, ClientToken::from_row)
}

/// Deletes expired tokens; returns how many.
pub(crate) fn delete_ended_client_tokens(tx: &Tx<'_>) -> Result<usize, Error> {
    tx.sql("delete from oauth_token where expires_at <= :now")
        .execute(named_params! { ":now": tx.now() })
}
