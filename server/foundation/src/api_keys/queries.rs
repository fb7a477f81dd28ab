//! API keys in the database.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension as _, Row, named_params};

use super::key::{ApiKey, LinkedChannel};
use crate::auth::SecretDigest;
use crate::clock::Timestamp;
use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{self, ApiKeyId, SalesChannelId};

/// What admins can ask of the list.
pub(super) static API_KEYS: Listing = Listing {
    plural: "api_keys",
    table: "api_key k",
    id: "k.id",
    columns: &[
        Column::new("id", "k.id", Kind::Id),
        Column::new("title", "k.title", Kind::Text),
        Column::new("created_at", "k.created_at", Kind::Time),
        Column::new("updated_at", "k.updated_at", Kind::Time),
        Column::new("revoked_at", "k.revoked_at", Kind::Time),
        Column::new("last_used_at", "k.last_used_at", Kind::Time),
        Column::filter("type", "k.type", Kind::Word(&["publishable", "secret"])),
        Column::filter("created_by", "k.created_by", Kind::Id),
    ],
    search: &["k.title", "k.redacted"],
    default_limit: 20,
    default_order: "-created_at",
    extra: &[],
};

const COLUMNS: &str = "k.id, k.title, coalesce(k.token, k.redacted), k.redacted, k.type, k.last_used_at, \
                       coalesce(k.created_by, ''), k.revoked_by, k.revoked_at, k.created_at, k.updated_at";

fn read(row: &Row<'_>) -> rusqlite::Result<ApiKey> {
    Ok(ApiKey {
        id: row.get(0)?,
        title: row.get(1)?,
        token: row.get(2)?,
        redacted: row.get(3)?,
        kind: row.get(4)?,
        last_used_at: row.get(5)?,
        created_by: row.get(6)?,
        revoked_by: row.get(7)?,
        revoked_at: row.get(8)?,
        created_at: row.get(9)?,
        updated_at: row.get(10)?,
        sales_channels: Vec::new(),
    })
}

/// A page of keys, and how many there are.
pub(super) fn page(tx: &Tx<'_>, query: ListQuery) -> Result<(Vec<ApiKey>, u64), Error> {
    let query = query.narrow("k.deleted_at is null", []);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

pub(super) fn find(tx: &Tx<'_>, id: &ApiKeyId) -> Result<Option<ApiKey>, Error> {
    let sql = format!("select {COLUMNS} from api_key k where k.id = :id and k.deleted_at is null");
    Ok(tx.prepare_cached(&sql)?.query_row(named_params! { ":id": id }, read).optional()?)
}

/// Loads the channels of keys.
pub(super) fn attach_channels(tx: &Tx<'_>, keys: &mut [ApiKey]) -> Result<(), Error> {
    let sql = "select link.api_key_id, channel.id, channel.name from api_key_sales_channel link
                 join sales_channel channel on channel.id = link.sales_channel_id
                where link.api_key_id in (select value from json_each(:ids)) and channel.deleted_at is null
                order by channel.name, channel.id";
    let mut statement = tx.prepare_cached(sql)?;
    let key_ids = ids::list(keys.iter().map(|key| key.id.as_str()));
    let mut rows = statement.query(named_params! { ":ids": key_ids })?;
    let mut places: BTreeMap<ApiKeyId, &mut ApiKey> =
        keys.iter_mut().map(|key| (key.id.clone(), key)).collect();
    while let Some(row) = rows.next()? {
        if let Some(key) = places.get_mut(&row.get::<_, ApiKeyId>(0)?) {
            key.sales_channels.push(LinkedChannel { id: row.get(1)?, name: row.get(2)? });
        }
    }
    Ok(())
}

/// Keeps of a secret key only its digest.
pub(super) fn insert(tx: &Tx<'_>, key: &ApiKey, digest: SecretDigest) -> Result<(), Error> {
    let sql = "insert into api_key (id, type, title, token_hash, token, redacted, created_by, created_at, updated_at)
               values (:id, :type, :title, :digest, iif(:type = 'publishable', :token, null), :redacted, :created_by,
                       :created_at, :created_at)";
    tx.prepare_cached(sql)?.execute(named_params! {
        ":id": key.id,
        ":type": key.kind,
        ":title": key.title,
        ":digest": digest,
        ":token": key.token,
        ":redacted": key.redacted,
        ":created_by": key.created_by,
        ":created_at": key.created_at,
    })?;
    Ok(())
}

pub(super) fn set_title(tx: &Tx<'_>, id: &ApiKeyId, title: &str) -> Result<(), Error> {
    let sql = "update api_key set title = :title, updated_at = :now where id = :id";
    tx.prepare_cached(sql)?
        .execute(named_params! { ":id": id, ":title": title, ":now": tx.now() })?;
    Ok(())
}

pub(super) fn set_revoked(
    tx: &Tx<'_>,
    id: &ApiKeyId,
    revoked_by: &str,
    at: Timestamp,
) -> Result<(), Error> {
    let sql = "update api_key set revoked_by = :revoked_by, revoked_at = :at, updated_at = :now where id = :id";
    tx.prepare_cached(sql)?.execute(
        named_params! { ":id": id, ":revoked_by": revoked_by, ":at": at, ":now": tx.now() },
    )?;
    Ok(())
}

pub(super) fn delete(tx: &Tx<'_>, id: &ApiKeyId) -> Result<(), Error> {
    let sql = "update api_key set deleted_at = :now, updated_at = :now where id = :id";
    tx.prepare_cached(sql)?.execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(())
}

/// The first of these that is no sales channel.
pub(super) fn first_unknown_channel(
    tx: &Tx<'_>,
    channels: &[SalesChannelId],
) -> Result<Option<SalesChannelId>, Error> {
    let sql = "select sent.value from json_each(:channels) sent
                where not exists (select 1 from sales_channel where id = sent.value and deleted_at is null) limit 1";
    let channels = ids::list(channels.iter().map(SalesChannelId::as_str));
    let mut statement = tx.prepare_cached(sql)?;
    let parameters = named_params! { ":channels": channels };
    Ok(statement.query_row(parameters, |row| row.get(0)).optional()?)
}

pub(super) fn link(tx: &Tx<'_>, id: &ApiKeyId, channels: &[SalesChannelId]) -> Result<(), Error> {
    let sql = "insert or ignore into api_key_sales_channel (api_key_id, sales_channel_id)
               select :id, value from json_each(:channels)";
    let channels = ids::list(channels.iter().map(SalesChannelId::as_str));
    tx.prepare_cached(sql)?.execute(named_params! { ":id": id, ":channels": channels })?;
    Ok(())
}

pub(super) fn unlink(tx: &Tx<'_>, id: &ApiKeyId, channels: &[SalesChannelId]) -> Result<(), Error> {
    let sql = "delete from api_key_sales_channel
                where api_key_id = :id and sales_channel_id in (select value from json_each(:channels))";
    let channels = ids::list(channels.iter().map(SalesChannelId::as_str));
    tx.prepare_cached(sql)?.execute(named_params! { ":id": id, ":channels": channels })?;
    Ok(())
}
