//! Queries for tokens, keys and identities.

use std::net::IpAddr;

use rusqlite::{Params, Row, named_params};

use super::actor::ActorType;
use super::clients::{ClientToken, Scope};
use super::credentials::{Key, Token, TokenKind};
use super::email::Email;
use super::identities::Identity;
use super::password::PasswordHash;
use super::secret::SecretDigest;
use crate::clock::Timestamp;
use crate::database::{Error, FromRow as _, Stored, Tx};
use crate::ids::{ApiKeyId, IdentityId, OauthClientId, PartnerId, SalesChannelId};

pub(super) fn identity(tx: &Tx<'_>, id: &IdentityId) -> Result<Option<Identity>, Error> {
    identity_where(tx, "id = :id", named_params! { ":id": id })
}

pub(super) fn identity_by_email(
    tx: &Tx<'_>,
    actor_type: ActorType,
    email: &Email,
) -> Result<Option<Identity>, Error> {
    let parameters = named_params! { ":actor_type": actor_type, ":email": email };
    identity_where(tx, "actor_type = :actor_type and email = :email", parameters)
}

pub(super) fn identity_of(
    tx: &Tx<'_>,
    actor_type: ActorType,
    actor_id: &str,
) -> Result<Option<Identity>, Error> {
    let parameters = named_params! { ":actor_type": actor_type, ":actor_id": actor_id };
    identity_where(tx, "actor_id = :actor_id and actor_type = :actor_type", parameters)
}

fn identity_where(
    tx: &Tx<'_>,
    condition: &str,
    parameters: impl Params,
) -> Result<Option<Identity>, Error> {
    tx.sql(&format!(
        "select id, actor_type, email, password_hash, actor_id from identity where {condition}"
    ))
    .first(parameters, Identity::from_row)
}

pub(super) fn insert_identity(tx: &Tx<'_>, identity: &Identity) -> Result<(), Error> {
    tx.insert(
        "identity",
        named_params! {
            ":id": identity.id, ":actor_type": identity.actor_type, ":email": identity.email,
            ":password_hash": identity.password_hash, ":actor_id": identity.actor_id,
            ":created_at": tx.now(), ":updated_at": tx.now(),
        },
    )
}

/// Links the identity to an actor; returns whether it had none before.
pub(super) fn set_actor(tx: &Tx<'_>, id: &IdentityId, actor_id: &str) -> Result<bool, Error> {
    let sql = "update identity set actor_id = :actor_id, updated_at = :now where id = :id and actor_id is null";
    let changed = tx
        .sql(sql)
        .execute(named_params! { ":id": id, ":actor_id": actor_id, ":now": tx.now() })?;
    Ok(changed == 1)
}

pub(super) fn set_password(tx: &Tx<'_>, id: &IdentityId, hash: &PasswordHash) -> Result<(), Error> {
    let sql = "update identity set password_hash = :hash, updated_at = :now where id = :id";
    tx.sql(sql).run(named_params! { ":id": id, ":hash": hash, ":now": tx.now() })
}

/// Deletes the identity of an address that has no actor.
pub(super) fn delete_unclaimed(
    tx: &Tx<'_>,
    actor_type: ActorType,
    email: &Email,
) -> Result<(), Error> {
    let sql = "delete from identity
                where actor_type = :actor_type and email = :email and actor_id is null";
    tx.sql(sql).run(named_params! { ":actor_type": actor_type, ":email": email })
}

/// Deletes the identities of an actor; their tokens are deleted by cascade.
pub(super) fn delete_identities(
    tx: &Tx<'_>,
    actor_type: ActorType,
    actor_id: &str,
) -> Result<(), Error> {
    let sql = "delete from identity where actor_id = :actor_id and actor_type = :actor_type";
    tx.sql(sql).run(named_params! { ":actor_type": actor_type, ":actor_id": actor_id })
}

/// Limit: addresses of an identity; the oldest are forgotten.
const MAX_ADDRESSES: i64 = 20;

/// Records that an identity has logged in from an address.
pub(super) fn note_address(tx: &Tx<'_>, id: &IdentityId, address: IpAddr) -> Result<(), Error> {
    let address = address.to_string();
    tx.put(
        "login_address",
        &["identity_id", "address"],
        &[],
        named_params! {
            ":identity_id": id, ":address": address, ":seen_at": tx.now(),
        },
    )?;
    let sql = "delete from login_address where identity_id = :id and address in
                 (select address from login_address where identity_id = :id
                   order by seen_at desc limit -1 offset :kept)";
    tx.sql(sql).run(named_params! { ":id": id, ":kept": MAX_ADDRESSES })
}

/// Returns whether the identity of an e-mail address has logged in from a network address.
pub(super) fn is_known(
    tx: &Tx<'_>,
    actor_type: ActorType,
    email: &Email,
    address: IpAddr,
) -> Result<bool, Error> {
    let sql = "select 1 from identity i join login_address a on a.identity_id = i.id
                where i.actor_type = :actor_type and i.email = :email and a.address = :address";
    let address = address.to_string();
    tx.sql(sql)
        .exists(named_params! { ":actor_type": actor_type, ":email": email, ":address": address })
}

/// Limit: tokens of one identity; the oldest are deleted.
const MAX_TOKENS: u32 = 100;

pub(super) fn insert_token(
    tx: &Tx<'_>,
    digest: SecretDigest,
    kind: TokenKind,
    identity: &Identity,
    expires_at: Timestamp,
) -> Result<(), Error> {
    tx.insert(
        "token",
        named_params! {
            ":hash": digest, ":kind": kind, ":actor_type": identity.actor_type,
            ":identity_id": identity.id, ":created_at": tx.now(), ":expires_at": expires_at,
        },
    )
}

/// Deletes all but the newest tokens of an identity.
pub(super) fn delete_oldest_tokens(tx: &Tx<'_>, id: &IdentityId) -> Result<(), Error> {
    let sql = "delete from token where hash in (select hash from token where identity_id = :id and kind <> 'reset'
                                                 order by created_at desc limit -1 offset :kept)";
    tx.sql(sql).run(named_params! { ":id": id, ":kept": MAX_TOKENS })
}

/// Returns whether a reset token of an identity was issued after an instant.
pub(super) fn has_reset_since(
    tx: &Tx<'_>,
    id: &IdentityId,
    instant: Timestamp,
) -> Result<bool, Error> {
    let sql =
        "select 1 from token where identity_id = :id and kind = 'reset' and created_at > :instant";
    tx.sql(sql).exists(named_params! { ":id": id, ":instant": instant })
}

pub(super) fn delete_token(tx: &Tx<'_>, digest: SecretDigest) -> Result<(), Error> {
    tx.sql("delete from token where hash = :digest").run(named_params! { ":digest": digest })
}

pub(super) fn delete_tokens_of(tx: &Tx<'_>, id: &IdentityId) -> Result<(), Error> {
    tx.sql("delete from token where identity_id = :id").run(named_params! { ":id": id })
}

pub(super) fn has_reset_token(tx: &Tx<'_>, id: &IdentityId) -> Result<bool, Error> {
    let sql =
        "select 1 from token where identity_id = :id and kind = 'reset' and expires_at > :now";
    tx.sql(sql).exists(named_params! { ":id": id, ":now": tx.now() })
}

/// Deletes expired tokens and returns how many.
pub(super) fn delete_ended_tokens(tx: &Tx<'_>) -> Result<usize, Error> {
    let sql = "delete from token where expires_at <= :now";
    tx.sql(sql).execute(named_params! { ":now": tx.now() })
}

pub(super) fn insert_partner_token(
    tx: &Tx<'_>,
    digest: SecretDigest,
    id: &PartnerId,
    expires_at: Timestamp,
) -> Result<(), Error> {
    tx.insert(
        "token",
        named_params! {
            ":hash": digest, ":kind": TokenKind::Partner, ":actor_type": ActorType::Partner, ":actor_id": id,
            ":created_at": tx.now(), ":expires_at": expires_at,
        },
    )
}

pub(super) fn delete_partner_tokens(tx: &Tx<'_>, id: &PartnerId) -> Result<(), Error> {
    tx.sql("delete from token where kind = 'partner' and actor_id = :id")
        .run(named_params! { ":id": id })
}

/// Returns the token with a digest. A token issued at registration has the id of the customer created since; the token
/// of a deleted actor has none.
pub(super) fn token(tx: &Tx<'_>, digest: SecretDigest) -> Result<Option<Token>, Error> {
    let sql = "select token.kind, token.actor_type,
                      case token.actor_type when 'user' then user.id when 'customer' then customer.id
                                            else token.actor_id end as actor_id,
                      token.identity_id, user.role, token.expires_at
                 from token
                 left join identity on identity.id = token.identity_id
                 left join user on token.actor_type = 'user' and user.deleted_at is null
                                   and user.id = coalesce(token.actor_id, identity.actor_id)
                 left join customer on token.actor_type = 'customer' and customer.deleted_at is null
                                       and customer.id = coalesce(token.actor_id, identity.actor_id)
                where token.hash = :digest";
    tx.sql(sql).first(named_params! { ":digest": digest }, Token::from_row)
}

pub(super) fn key(tx: &Tx<'_>, digest: SecretDigest) -> Result<Option<Key>, Error> {
    let sql = "select api_key.id, api_key.type = 'secret', api_key.revoked_at, api_key.last_used_at,
                      (select group_concat(link.sales_channel_id, ' ' order by link.sales_channel_id)
                         from api_key_sales_channel link
                         join sales_channel on sales_channel.id = link.sales_channel_id
                        where link.api_key_id = api_key.id and sales_channel.is_disabled = 0
                          and sales_channel.deleted_at is null)
                 from api_key where token_hash = :digest and deleted_at is null";
    tx.sql(sql).first(named_params! { ":digest": digest }, read_key)
}

/// Returns the number of revoked keys and the time of the last revocation; it changes with every revocation.
pub(super) fn revocations(tx: &Tx<'_>) -> Result<(i64, Option<Timestamp>), Error> {
    let sql = "select count(revoked_at), max(revoked_at) from api_key";
    tx.sql(sql).one([], |row| Ok((row.get(0)?, row.get(1)?)))
}

fn read_key(row: &Row<'_>) -> rusqlite::Result<Key> {
    let channels: Option<String> = row.get(4)?;
    let channels = channels.unwrap_or_default();
    let sales_channel_ids: Vec<SalesChannelId> =
        channels.split_whitespace().filter_map(|id| id.parse().ok()).collect();
    Ok(Key {
        id: row.get(0)?,
        is_secret: row.get(1)?,
        revoked_at: row.get(2)?,
        last_used_at: row.get(3)?,
        sales_channel_ids,
    })
}

pub(super) fn note_key_use(tx: &Tx<'_>, id: &ApiKeyId) -> Result<(), Error> {
    let sql = "update api_key set last_used_at = :now where id = :id";
    tx.sql(sql).run(named_params! { ":id": id, ":now": tx.now() })
}

/// Limit: tokens of one client; the oldest are deleted.
const MAX_CLIENT_TOKENS: u32 = 1_000;

/// Inserts a token, and deletes those beyond the limit.
pub(super) fn insert_client_token(
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
    .run(named_params! { ":id": client_id, ":kept": MAX_CLIENT_TOKENS })
}

pub(super) fn delete_client_tokens(tx: &Tx<'_>, client_id: &OauthClientId) -> Result<(), Error> {
    tx.sql("delete from oauth_token where client_id = :id").run(named_params! { ":id": client_id })
}

/// Returns the token with a digest, if it has not expired and its client is enabled.
pub(super) fn client_token(
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
pub(super) fn delete_ended_client_tokens(tx: &Tx<'_>) -> Result<usize, Error> {
    tx.sql("delete from oauth_token where expires_at <= :now")
        .execute(named_params! { ":now": tx.now() })
}
