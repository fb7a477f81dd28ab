//! What products are related to: for all products of a page, given as a JSON array of ids, by one statement each.

use std::sync::Arc;

use rusqlite::{Row, named_params};

use crate::catalog::view::{Category, Image, OptionValue, ProductOption, SoldIn, Tag};
use crate::database::{Error, Tx};
use crate::ids::ProductId;

const OPTIONS: &str = "select o.id, o.title, o.product_id, o.metadata, o.created_at, o.updated_at,
            v.id, v.value, v.rank, v.metadata, v.created_at, v.updated_at
       from product_option o
       left join product_option_value v on v.option_id = o.id";

/// The options of products with their values, by rank.
pub(in crate::catalog) fn options(
    tx: &Tx<'_>,
    product_ids: &str,
) -> Result<Vec<ProductOption>, Error> {
    let sql = format!(
        "{OPTIONS} where o.product_id in (select value from json_each(:ids))
          order by o.product_id, o.rank, o.id, v.rank, v.id"
    );
    read_options(tx, &sql, product_ids)
}

/// Options of these ids with their values, by id.
pub(in crate::catalog) fn options_by_ids(
    tx: &Tx<'_>,
    ids: &str,
) -> Result<Vec<ProductOption>, Error> {
    let sql = format!(
        "{OPTIONS} where o.id in (select value from json_each(:ids)) order by o.id, v.rank, v.id"
    );
    read_options(tx, &sql, ids)
}

fn read_options(tx: &Tx<'_>, sql: &str, ids: &str) -> Result<Vec<ProductOption>, Error> {
    let mut statement = tx.prepare_cached(sql)?;
    let mut options: Vec<ProductOption> = Vec::new();
    let mut rows = statement.query(named_params! { ":ids": ids })?;
    while let Some(row) = rows.next()? {
        let is_same = options.last().is_some_and(|last| {
            row.get_ref(0).is_ok_and(|id| id.as_str().is_ok_and(|id| id == last.id.as_str()))
        });
        if !is_same {
            options.push(read_option(row)?);
        }
        if let Some(last) = options.last_mut()
            && let Some(id) = row.get(6)?
        {
            last.values.push(OptionValue {
                id,
                value: text(row, 7)?,
                rank: row.get(8)?,
                metadata: row.get(9)?,
                option_id: last.id.clone(),
                created_at: row.get(10)?,
                updated_at: row.get(11)?,
                deleted_at: None,
            });
        }
    }
    Ok(options)
}

fn read_option(row: &Row<'_>) -> rusqlite::Result<ProductOption> {
    Ok(ProductOption {
        id: row.get(0)?,
        title: text(row, 1)?,
        product_id: row.get(2)?,
        is_exclusive: true,
        metadata: row.get(3)?,
        created_at: row.get(4)?,
        updated_at: row.get(5)?,
        deleted_at: None,
        values: Vec::new(),
    })
}

fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<Arc<str>> {
    Ok(Arc::from(row.get_ref(column)?.as_str()?))
}

/// The images of products, by rank.
pub(in crate::catalog) fn images(
    tx: &Tx<'_>,
    product_ids: &str,
) -> Result<Vec<(ProductId, Image)>, Error> {
    let mut statement = tx.prepare_cached(
        "select product_id, id, url, rank, metadata, created_at, updated_at
           from product_image
          where product_id in (select value from json_each(:ids))
          order by product_id, rank, id",
    )?;
    let rows = statement.query_map(named_params! { ":ids": product_ids }, |row| {
        let image = Image {
            id: row.get(1)?,
            url: row.get(2)?,
            rank: row.get(3)?,
            metadata: row.get(4)?,
            created_at: row.get(5)?,
            updated_at: row.get(6)?,
            deleted_at: None,
        };
        Ok((row.get(0)?, image))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The tags of products, by name.
pub(in crate::catalog) fn tags(
    tx: &Tx<'_>,
    product_ids: &str,
) -> Result<Vec<(ProductId, Tag)>, Error> {
    let mut statement = tx.prepare_cached(
        "select link.product_id, tag.id, tag.value, tag.metadata, tag.created_at, tag.updated_at
           from product_tag_product link
           join product_tag tag on tag.id = link.product_tag_id
          where link.product_id in (select value from json_each(:ids)) and tag.deleted_at is null
          order by link.product_id, tag.value",
    )?;
    let rows = statement.query_map(named_params! { ":ids": product_ids }, |row| {
        let tag = Tag {
            id: row.get(1)?,
            value: row.get(2)?,
            metadata: row.get(3)?,
            created_at: row.get(4)?,
            updated_at: row.get(5)?,
            deleted_at: None,
        };
        Ok((row.get(0)?, tag))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Which categories a page of products shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::catalog) enum Shown {
    /// All.
    All,
    /// Those that are active and not internal.
    ToShoppers,
}

/// The categories of products, by rank.
pub(in crate::catalog) fn categories(
    tx: &Tx<'_>,
    product_ids: &str,
    shown: Shown,
) -> Result<Vec<(ProductId, Category)>, Error> {
    let mut statement = tx.prepare_cached(
        "select c.id, c.name, c.description, c.handle, c.is_active, c.is_internal, c.rank, c.external_id,
                c.parent_category_id, c.created_at, c.updated_at, c.metadata, link.product_id
           from product_category_product link
           join product_category c on c.id = link.product_category_id
          where link.product_id in (select value from json_each(:ids)) and c.deleted_at is null
            and (:all or (c.is_active = 1 and c.is_internal = 0))
          order by link.product_id, c.rank, c.id",
    )?;
    let all = shown == Shown::All;
    let rows = statement.query_map(named_params! { ":ids": product_ids, ":all": all }, |row| {
        Ok((row.get(12)?, super::categories::read(row)?))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The channels that products are sold in, by name.
pub(in crate::catalog) fn channels(
    tx: &Tx<'_>,
    product_ids: &str,
) -> Result<Vec<(ProductId, SoldIn)>, Error> {
    let mut statement = tx.prepare_cached(
        "select link.product_id, sc.id, sc.name, sc.description, sc.is_disabled, sc.metadata, sc.created_at,
                sc.updated_at
           from product_sales_channel link
           join sales_channel sc on sc.id = link.sales_channel_id
          where link.product_id in (select value from json_each(:ids)) and sc.deleted_at is null
          order by link.product_id, sc.name, sc.id",
    )?;
    let rows = statement.query_map(named_params! { ":ids": product_ids }, |row| {
        let channel = SoldIn {
            id: row.get(1)?,
            name: row.get(2)?,
            description: row.get(3)?,
            is_disabled: row.get(4)?,
            metadata: row.get(5)?,
            created_at: row.get(6)?,
            updated_at: row.get(7)?,
            deleted_at: None,
        };
        Ok((row.get(0)?, channel))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
