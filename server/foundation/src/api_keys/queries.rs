//! Queries for API keys.

use rusqlite::named_params;

use super::key::{ApiKey, LinkedChannel};
use crate::auth::SecretDigest;
use crate::clock::Timestamp;
use crate::database::{Error, Link, Record, Tx};
use crate::ids::{self, ApiKeyId, ById};

/// The sales channels of keys.
pub(super) const CHANNELS: Link =
    Link::new("api_key_sales_channel", "api_key_id", "sales_channel_id");

pub(super) fn attach_channels(tx: &Tx<'_>, keys: &mut [ApiKey]) -> Result<(), Error> {
    let from = "api_key_sales_channel link
                join sales_channel c on c.id = link.sales_channel_id
               where link.api_key_id in (select value from json_each(:ids)) and c.deleted_at is null
               order by c.name, c.id";
    let ids = ids::list(keys.iter().map(|key| key.id.as_str()));
    let linked =
        LinkedChannel::select_by(tx, "link.api_key_id", from, named_params! { ":ids": ids })?;
    let mut channels = ById::grouped::<ApiKeyId>(linked);
    for key in keys {
        key.sales_channels = channels.take(&key.id);
    }
    Ok(())
}

/// Inserts a key; of a secret key only the digest is stored.
pub(super) fn insert(tx: &Tx<'_>, key: &ApiKey, digest: SecretDigest) -> Result<(), Error> {
    let sql = "insert into api_key (id, type, title, token_hash, token, redacted, created_by, created_at, updated_at)
               values (:id, :type, :title, :digest, iif(:type = 'publishable', :token, null), :redacted, :created_by,
                       :created_at, :created_at)";
    tx.sql(sql).run(named_params! {
        ":id": key.id,
        ":type": key.kind,
        ":title": key.title,
        ":digest": digest,
        ":token": key.token,
        ":redacted": key.redacted,
        ":created_by": key.created_by,
        ":created_at": key.created_at,
    })
}

pub(super) fn set_title(tx: &Tx<'_>, id: &ApiKeyId, title: &str) -> Result<(), Error> {
    let sql = "update api_key set title = :title, updated_at = :now where id = :id";
    tx.sql(sql).run(named_params! { ":id": id, ":title": title, ":now": tx.now() })
}

pub(super) fn set_revoked(
    tx: &Tx<'_>,
    id: &ApiKeyId,
    revoked_by: &str,
    at: Timestamp,
) -> Result<(), Error> {
    let sql = "update api_key set revoked_by = :revoked_by, revoked_at = :at, updated_at = :now where id = :id";
    tx.sql(sql)
        .run(named_params! { ":id": id, ":revoked_by": revoked_by, ":at": at, ":now": tx.now() })
}
