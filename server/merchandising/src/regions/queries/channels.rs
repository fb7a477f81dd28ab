//! The SQL of sales channels.

use rusqlite::{OptionalExtension, Row, named_params};

use crate::database::listing::{Column, Kind, ListQuery, Listing};
use crate::database::{Error, Tx};
use crate::ids::{self, ProductId, SalesChannelId};
use crate::regions::SalesChannel;

/// What the list of sales channels can be asked for.
pub(in crate::regions) static CHANNELS: Listing = Listing {
    plural: "sales_channels",
    table: "sales_channel c",
    id: "c.id",
    columns: &[
        Column::new("id", "c.id", Kind::Id),
        Column::new("name", "c.name", Kind::Text),
        Column::filter("description", "c.description", Kind::Text),
        Column::filter("is_disabled", "c.is_disabled", Kind::Boolean),
        Column::new("created_at", "c.created_at", Kind::Time),
        Column::new("updated_at", "c.updated_at", Kind::Time),
    ],
    search: &["c.name", "c.description"],
    default_limit: 20,
    default_order: "id",
    extra: &[],
};

/// What [`read`] reads.
const COLUMNS: &str =
    "c.id, c.name, c.description, c.is_disabled, c.metadata, c.created_at, c.updated_at";

fn read(row: &Row<'_>) -> rusqlite::Result<SalesChannel> {
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

/// A page of the list, and how many there are.
pub(in crate::regions) fn page(
    tx: &Tx<'_>,
    query: ListQuery,
) -> Result<(Vec<SalesChannel>, u64), Error> {
    let query = query.narrow("c.deleted_at is null", []);
    Ok((query.page(tx, COLUMNS, read)?, query.count(tx)?))
}

/// The first of the ids that is no product.
pub(in crate::regions) fn missing_product(
    tx: &Tx<'_>,
    products: &[ProductId],
) -> Result<Option<ProductId>, Error> {
    let id = tx
        .prepare_cached(
            "select value from json_each(:products) sent
              where not exists (select 1 from product p where p.id = sent.value and p.deleted_at is null)
              limit 1",
        )?
        .query_row(
            named_params! { ":products": ids::list(products.iter().map(ProductId::as_str)) },
            |row| row.get(0),
        )
        .optional()?;
    Ok(id)
}

pub(in crate::regions) fn add_products(
    tx: &Tx<'_>,
    channel: &SalesChannelId,
    products: &[ProductId],
) -> Result<(), Error> {
    tx.prepare_cached(
        "insert or ignore into product_sales_channel (sales_channel_id, product_id)
         select :channel, value from json_each(:products)",
    )?
    .execute(named_params! {
        ":channel": channel, ":products": ids::list(products.iter().map(ProductId::as_str)),
    })?;
    Ok(())
}

pub(in crate::regions) fn remove_products(
    tx: &Tx<'_>,
    channel: &SalesChannelId,
    products: &[ProductId],
) -> Result<(), Error> {
    tx.prepare_cached(
        "delete from product_sales_channel
          where sales_channel_id = :channel
            and product_id in (select value from json_each(:products))",
    )?
    .execute(named_params! {
        ":channel": channel, ":products": ids::list(products.iter().map(ProductId::as_str)),
    })?;
    Ok(())
}
