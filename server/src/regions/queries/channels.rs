//! The SQL of sales channels.

use rusqlite::{OptionalExtension, Row, named_params};

use crate::database::{Error, Tx};
use crate::ids::SalesChannelId;
use crate::regions::SalesChannel;

/// What [`read`] reads, of a table called `c`.
pub(in crate::regions) const COLUMNS: &str =
    "c.id, c.name, c.description, c.is_disabled, c.metadata, c.created_at, c.updated_at";

pub(in crate::regions) fn read(row: &Row<'_>) -> rusqlite::Result<SalesChannel> {
    Ok(SalesChannel {
        id: row.get(0)?,
        name: row.get(1)?,
        description: row.get(2)?,
        is_disabled: row.get(3)?,
        metadata: row.get(4)?,
        created_at: row.get(5)?,
        updated_at: row.get(6)?,
        deleted_at: None,
    })
}

pub(in crate::regions) fn insert(tx: &Tx<'_>, channel: &SalesChannel) -> Result<(), Error> {
    tx.prepare_cached(
        "insert into sales_channel (id, name, description, is_disabled, metadata, created_at, updated_at)
         values (:id, :name, :description, :is_disabled, :metadata, :created_at, :updated_at)",
    )?
    .execute(named_params! {
        ":id": channel.id, ":name": channel.name, ":description": channel.description,
        ":is_disabled": channel.is_disabled, ":metadata": channel.metadata,
        ":created_at": channel.created_at, ":updated_at": channel.updated_at,
    })?;
    Ok(())
}

pub(in crate::regions) fn update(tx: &Tx<'_>, channel: &SalesChannel) -> Result<(), Error> {
    tx.prepare_cached(
        "update sales_channel
            set name = :name, description = :description, is_disabled = :is_disabled,
                metadata = :metadata, updated_at = :updated_at
          where id = :id",
    )?
    .execute(named_params! {
        ":id": channel.id, ":name": channel.name, ":description": channel.description,
        ":is_disabled": channel.is_disabled, ":metadata": channel.metadata,
        ":updated_at": channel.updated_at,
    })?;
    Ok(())
}

pub(in crate::regions) fn delete(tx: &Tx<'_>, id: &SalesChannelId) -> Result<bool, Error> {
    let count = tx
        .prepare_cached(
            "update sales_channel set deleted_at = :now, updated_at = :now
              where id = :id and deleted_at is null",
        )?
        .execute(named_params! { ":id": id, ":now": tx.now() })?;
    Ok(count > 0)
}

pub(in crate::regions) fn find(
    tx: &Tx<'_>,
    id: &SalesChannelId,
) -> Result<Option<SalesChannel>, Error> {
    let channel = tx
        .prepare_cached(
            "select c.id, c.name, c.description, c.is_disabled, c.metadata, c.created_at, c.updated_at
               from sales_channel c
              where c.id = :id and c.deleted_at is null",
        )?
        .query_row(named_params! { ":id": id }, read)
        .optional()?;
    Ok(channel)
}

/// The oldest channel that is open.
pub(in crate::regions) fn oldest(tx: &Tx<'_>) -> Result<Option<SalesChannelId>, Error> {
    let id = tx
        .prepare_cached(
            "select id from sales_channel
              where deleted_at is null and is_disabled = 0
              order by created_at, id
              limit 1",
        )?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(id)
}

/// How many of the ids are channels that are there.
pub(in crate::regions) fn count_among(tx: &Tx<'_>, list: &str) -> Result<i64, Error> {
    let count = tx
        .prepare_cached(
            "select count(*) from sales_channel
              where id in (select value from json_each(:list)) and deleted_at is null",
        )?
        .query_row(named_params! { ":list": list }, |row| row.get(0))?;
    Ok(count)
}
