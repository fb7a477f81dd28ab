//! Queries for the holders of tokens and keys.

use rusqlite::{Row, named_params};

use crate::auth::credentials::{Key, Token, TokenKind};
use crate::auth::secret::SecretDigest;
use crate::clock::Timestamp;
use crate::database::{self, FromRow as _, Tx};
use crate::ids::{ApiKeyId, SalesChannelId};

/// Returns the token with a digest. A token issued at registration has the id of the customer created since; the token
/// of a deleted actor has none.
pub(crate) fn token(tx: &Tx<'_>, digest: SecretDigest) -> Result<Option<Token>, database::Error> {
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

pub(crate) fn key(tx: &Tx<'_>, digest: SecretDigest) -> Result<Option<Key>, database::Error> {
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
pub(crate) fn revocations(tx: &Tx<'_>) -> Result<(i64, Option<Timestamp>), database::Error> {
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

/// Records that a key is used now.
pub(crate) fn note_key_use(tx: &Tx<'_>, id: &ApiKeyId) -> Result<(), database::Error> {
    let sql = "update api_key set last_used_at = :now where id = :id";
    tx.sql(sql).run(named_params! { ":id": id, ":now": tx.now() })
}

crate::stored_as_word!(
    TokenKind: Access = "access", Session = "session", Reset = "reset", Partner = "partner"
);
