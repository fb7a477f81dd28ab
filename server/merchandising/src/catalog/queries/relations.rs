//! Loads the relations of a page of products, given as a JSON array of ids, by one statement each.

use std::sync::Arc;

use rusqlite::{Row, named_params};

use crate::catalog::ProductRating;
use crate::catalog::view::load::Viewer;
use crate::catalog::view::{Category, Image, OptionValue, ProductOption, Tag};
use crate::database::{Error, Record, Tx};
use crate::ids::ProductId;
use crate::regions::SalesChannel;

const OPTIONS: &str = "select o.id, o.title, o.product_id, o.metadata, o.created_at, o.updated_at,
            v.id, v.value, v.rank, v.metadata, v.created_at, v.updated_at
       from product_option o
       left join product_option_value v on v.option_id = o.id";

/// Returns the options of products with their values, by rank.
pub(crate) fn options(tx: &Tx<'_>, product_ids: &str) -> Result<Vec<ProductOption>, Error> {
    let sql = format!(
        "{OPTIONS} where o.product_id in (select value from json_each(:ids))
          order by o.product_id, o.rank, o.id, v.rank, v.id"
    );
    read_options(tx, &sql, product_ids)
}

/// Returns the options with these ids and their values, by id.
pub(crate) fn options_by_ids(tx: &Tx<'_>, ids: &str) -> Result<Vec<ProductOption>, Error> {
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

/// Returns the images of products, by rank.
pub(crate) fn images(tx: &Tx<'_>, product_ids: &str) -> Result<Vec<(ProductId, Image)>, Error> {
    let from = "product_image m
               where m.product_id in (select value from json_each(:ids))
               order by m.product_id, m.rank, m.id";
    Image::select_by(tx, "m.product_id", from, named_params! { ":ids": product_ids })
}

/// Returns the tags of products, by name.
pub(crate) fn tags(tx: &Tx<'_>, product_ids: &str) -> Result<Vec<(ProductId, Tag)>, Error> {
    let from = "product_tag_product link
                join product_tag g on g.id = link.product_tag_id
               where link.product_id in (select value from json_each(:ids)) and g.deleted_at is null
               order by link.product_id, g.value";
    Tag::select_by(tx, "link.product_id", from, named_params! { ":ids": product_ids })
}

/// Returns the ratings from the approved reviews of products.
pub(crate) fn ratings(
    tx: &Tx<'_>,
    product_ids: &str,
) -> Result<Vec<(ProductId, ProductRating)>, Error> {
    tx.sql(
        "select product_id, rating_sum, review_count from product_rating
          where product_id in (select value from json_each(:ids))",
    )
    .all(named_params! { ":ids": product_ids }, |row| {
        Ok((row.get(0)?, ProductRating::of(row.get(1)?, row.get(2)?)))
    })
}

/// Returns the categories of products that a viewer sees, by rank.
pub(crate) fn categories(
    tx: &Tx<'_>,
    product_ids: &str,
    viewer: &Viewer,
) -> Result<Vec<(ProductId, Category)>, Error> {
    let from = "product_category_product link
                join product_category c on c.id = link.product_category_id
               where link.product_id in (select value from json_each(:ids)) and c.deleted_at is null
                 and (:all or (c.is_active = 1 and c.is_internal = 0))
               order by link.product_id, c.rank, c.id";
    let all = matches!(viewer, Viewer::Admin);
    let parameters = named_params! { ":ids": product_ids, ":all": all };
    Category::select_by(tx, "link.product_id", from, parameters)
}

/// Returns the channels of products, by name.
pub(crate) fn channels(
    tx: &Tx<'_>,
    product_ids: &str,
) -> Result<Vec<(ProductId, SalesChannel)>, Error> {
    let from = "product_sales_channel link
                join sales_channel c on c.id = link.sales_channel_id
               where link.product_id in (select value from json_each(:ids)) and c.deleted_at is null
               order by link.product_id, c.name, c.id";
    SalesChannel::select_by(tx, "link.product_id", from, named_params! { ":ids": product_ids })
}
