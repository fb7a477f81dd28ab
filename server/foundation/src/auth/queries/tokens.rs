//! Queries for issued tokens.

use rusqlite::named_params;

use crate::auth::actor::ActorType;
use crate::auth::credentials::TokenKind;
use crate::auth::secret::SecretDigest;
use crate::clock::Timestamp;
use crate::database::{self, Tx};
use crate::ids::{IdentityId, PartnerId};

/// Limit: tokens of one identity; the oldest are deleted.
const MAX_TOKENS: u32 = 100;

#[derive(Debug)]
pub(crate) struct NewToken<'a> {
    pub(crate) digest: SecretDigest,
    pub(crate) kind: TokenKind,
    pub(crate) actor_type: ActorType,
    /// The identity; none for a token that is never looked up.
    pub(crate) identity_id: Option<&'a IdentityId>,
    pub(crate) expires_at: Timestamp,
}

pub(crate) fn insert_token(tx: &Tx<'_>, token: &NewToken<'_>) -> Result<(), database::Error> {
    tx.insert("token", named_params! {
        ":hash": token.digest, ":kind": token.kind, ":actor_type": token.actor_type,
        ":identity_id": token.identity_id, ":created_at": tx.now(), ":expires_at": token.expires_at,
    })
}

/// Deletes all but the newest tokens of an identity.
pub(crate) fn delete_oldest_tokens(tx: &Tx<'_>, id: &IdentityId) -> Result<(), database::Error> {
    let sql = "delete from token where hash in (select hash from token where identity_id = :id and kind <> 'reset'
                                                 order by created_at desc limit -1 offset :kept)";
    tx.sql(sql).run(named_params! { ":id": id, ":kept": MAX_TOKENS })
}

/// Returns whether a reset token of an identity was issued after an instant.
pub(crate) fn has_reset_since(
    tx: &Tx<'_>,
    id: &IdentityId,
    instant: Timestamp,
) -> Result<bool, database::Error> {
    let sql =
        "select 1 from token where identity_id = :id and kind = 'reset' and created_at > :instant";
    tx.sql(sql).exists(named_params! { ":id": id, ":instant": instant })
}

pub(crate) fn delete_token(tx: &Tx<'_>, digest: SecretDigest) -> Result<(), database::Error> {
    tx.sql("delete from token where hash = :digest").run(named_params! { ":digest": digest })
}

pub(crate) fn delete_tokens_of(tx: &Tx<'_>, id: &IdentityId) -> Result<(), database::Error> {
    tx.sql("delete from token where identity_id = :id").run(named_params! { ":id": id })
}

pub(crate) fn has_reset_token(tx: &Tx<'_>, id: &IdentityId) -> Result<bool, database::Error> {
    let sql =
        "select 1 from token where identity_id = :id and kind = 'reset' and expires_at > :now";
    tx.sql(sql).exists(named_params! { ":id": id, ":now": tx.now() })
}

/// Deletes expired tokens and returns how many.
pub(crate) fn delete_ended_tokens(tx: &Tx<'_>) -> Result<usize, database::Error> {
    let sql = "delete from token where expires_at <= :now";
    tx.sql(sql).execute(named_params! { ":now": tx.now() })
}

pub(crate) fn insert_partner_token(
    tx: &Tx<'_>,
    digest: SecretDigest,
    id: &PartnerId,
    expires_at: Timestamp,
) -> Result<(), database::Error> {
    tx.insert(
        "token",
        named_params! {
            ":hash": digest, ":kind": TokenKind::Partner, ":actor_type": ActorType::Partner, ":actor_id": id,
            ":created_at": tx.now(), ":expires_at": expires_at,
        },
    )
}

pub(crate) fn delete_partner_tokens(tx: &Tx<'_>, id: &PartnerId) -> Result<(), database::Error> {
    tx.sql("delete from token where kind = 'partner' and actor_id = :id")
        .run(named_params! { ":id": id })
}
