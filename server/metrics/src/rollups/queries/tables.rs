//! Queries for rollup tables, their pages and dirty buckets, and the numbers of keys.

use std::ops::Range;

use rusqlite::named_params;
use serde::Serialize;

use super::page_addresses;
pub(crate) use super::page_addresses::PageAddress;
use super::pending::forget_pending;
use crate::clock::Timestamp;
use crate::database::{Error, FromRow, Tx};
use crate::http::ToSchema;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableRow {
    pub seq: i64,
    pub name: String,
    pub(crate) layout: String,
    /// The first bucket built so far.
    pub built_from: i32,
    /// The earliest and latest instant of any past or present row, in microseconds.
    pub extent: Option<(i64, i64)>,
    /// The decimal places by definition, as JSON.
    pub(crate) scales: String,
}

#[derive(Debug, Clone)]
pub(crate) struct PageRow {
    pub bucket: i32,
    pub page: i64,
    pub body: Vec<u8>,
}

/// Drops all buckets and pending deltas; tables are built again from their rows.
pub(crate) fn forget_rollups(tx: &Tx<'_>) -> Result<(), Error> {
    tx.sql("delete from metric_rollup_page").run([])?;
    tx.sql("delete from metric_rollup_dirty").run([])?;
    forget_pending(tx)?;
    tx.sql("update metric_rollup_table set built_from = :none, first_at = null, last_at = null")
        .run(named_params! { ":none": i32::MAX })
}

pub(crate) fn tables(tx: &Tx<'_>) -> Result<Vec<TableRow>, Error> {
    tx.sql("select seq, name, layout, built_from, first_at, last_at, scales from metric_rollup_table order by seq")
        .all([], |row| {
            let ends: (Option<i64>, Option<i64>) = (row.get(4)?, row.get(5)?);
            Ok(TableRow {
                seq: row.get(0)?,
                name: row.get(1)?,
                layout: row.get(2)?,
                built_from: row.get(3)?,
                extent: ends.0.zip(ends.1),
                scales: row.get(6)?,
            })
        })
}

/// Returns whether a currency has tables: their names begin with its code.
pub(crate) fn has_tables(tx: &Tx<'_>, code: &str) -> Result<bool, Error> {
    tx.sql("select exists(select 1 from metric_rollup_table where name > :code and name < :code || '!')")
        .one(named_params! { ":code": code }, |row| row.get(0))
}

/// Returns whether there are orders other than drafts, and whether there are customers.
pub(crate) fn has_orders_and_customers(tx: &Tx<'_>) -> Result<(bool, bool), Error> {
    tx.sql(
        "select exists(select 1 from orders where status < 'draft' or status > 'draft'),
                exists(select 1 from customer)",
    )
    .one([], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Adds an empty table, or empties one of another layout. It is complete if there are no rows.
pub(crate) fn begin_table(
    tx: &Tx<'_>,
    name: &str,
    layout: &str,
    is_complete: bool,
) -> Result<(), Error> {
    let existing = tx
        .sql("select seq from metric_rollup_table where name = :name")
        .first(named_params! { ":name": name }, |row| row.get(0))?;
    if let Some(table) = existing {
        clear_table(tx, table)?;
    }
    tx.sql(
        "insert into metric_rollup_table (name, layout, built_from, scales) values (:name, :layout, :none, '[]')
         on conflict (name) do update set layout = :layout, built_from = :none, first_at = null, last_at = null, scales = '[]'",
    )
    .run(named_params! {
        ":name": name, ":layout": layout, ":none": if is_complete { i32::MIN } else { i32::MAX },
    })
}

pub(crate) fn update_table(tx: &Tx<'_>, table: &TableRow) -> Result<(), Error> {
    tx.sql(
        "update metric_rollup_table set built_from = :built_from, first_at = :first, last_at = :last, scales = :scales
         where seq = :seq",
    )
    .run(named_params! {
        ":seq": table.seq, ":built_from": table.built_from, ":scales": table.scales,
        ":first": table.extent.map(|(first, _)| first), ":last": table.extent.map(|(_, last)| last),
    })
}

pub(crate) fn drop_table(tx: &Tx<'_>, table: i64) -> Result<(), Error> {
    clear_table(tx, table)?;
    tx.sql("delete from metric_rollup_table where seq = :table")
        .run(named_params! { ":table": table })
}

fn clear_table(tx: &Tx<'_>, table: i64) -> Result<(), Error> {
    clear(tx, page_addresses::numbers_of_table(table)?)?;
    tx.sql("delete from metric_rollup_dirty where rollup = :table")
        .run(named_params! { ":table": table })
}

fn clear(tx: &Tx<'_>, places: Range<i64>) -> Result<(), Error> {
    tx.sql("delete from metric_rollup_page where address >= :first and address < :end")
        .run(named_params! { ":first": places.start, ":end": places.end })
}

/// Returns the number of a dimension key, assigning one to a new key.
pub(crate) fn dimension_key(tx: &Tx<'_>, parts: &[u8]) -> Result<i64, Error> {
    let values = named_params! { ":parts": parts };
    let number = tx
        .sql("select seq from metric_rollup_key where parts = :parts")
        .first(values, |row| row.get(0))?;
    if let Some(number) = number {
        return Ok(number);
    }
    tx.sql("insert into metric_rollup_key (parts) values (:parts)").run(values)?;
    Ok(tx.last_insert_rowid())
}

/// Returns the keys with numbers from the first to the last, each with its number.
pub(crate) fn dimension_keys(
    tx: &Tx<'_>,
    (first, last): (i64, i64),
) -> Result<Vec<(i64, Vec<u8>)>, Error> {
    tx.sql("select seq, parts from metric_rollup_key where seq >= :first and seq <= :last")
        .all(named_params! { ":first": first, ":last": last }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns the pages of a level in some buckets, from the first to before the second.
pub(crate) fn pages(
    tx: &Tx<'_>,
    of: (i64, i64),
    buckets: (i32, i32),
) -> Result<Vec<PageRow>, Error> {
    let places = page_addresses::numbers(of, buckets)?;
    let values = named_params! { ":first": places.start, ":end": places.end };
    tx.sql(
        "select address, body from metric_rollup_page where address >= :first and address < :end",
    )
    .all(values, |row| {
        let (bucket, page) = PageAddress::bucket_and_page(row.get(0)?);
        Ok(PageRow { bucket, page, body: row.get(1)? })
    })
}

pub(crate) fn page_at(tx: &Tx<'_>, place: PageAddress) -> Result<Option<Vec<u8>>, Error> {
    let values = named_params! { ":address": place.number()? };
    tx.sql("select body from metric_rollup_page where address = :address")
        .first(values, |row| row.get(0))
}

pub(crate) fn put_page(tx: &Tx<'_>, place: PageAddress, body: Option<&[u8]>) -> Result<(), Error> {
    let place = place.number()?;
    match body {
        Some(body) => tx
            .sql("insert or replace into metric_rollup_page (address, body) values (:address, :body)")
            .run(named_params! { ":address": place, ":body": body }),
        None => tx
            .sql("delete from metric_rollup_page where address = :address")
            .run(named_params! { ":address": place }),
    }
}

/// Removes the pages of some buckets, from the first to before the second.
pub(crate) fn clear_pages(tx: &Tx<'_>, of: (i64, i64), buckets: (i32, i32)) -> Result<(), Error> {
    clear(tx, page_addresses::numbers(of, buckets)?)
}

pub(crate) fn mark_dirty(tx: &Tx<'_>, table: i64, bucket: i32) -> Result<(), Error> {
    tx.sql("insert or ignore into metric_rollup_dirty values (:table, :bucket)")
        .run(named_params! { ":table": table, ":bucket": bucket })
}

pub(crate) fn dirty(tx: &Tx<'_>, limit: u32) -> Result<Vec<(i64, i32)>, Error> {
    tx.sql("select rollup, bucket from metric_rollup_dirty limit :limit")
        .all(named_params! { ":limit": limit }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// What rollups do not contain yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema, FromRow)]
pub struct RollupBacklog {
    /// New orders that readers add until they are taken in.
    pub pending_orders: i64,
    /// Hours and days to be rebuilt.
    pub dirty_buckets: i64,
    /// Tables that are not built yet.
    pub unbuilt_tables: i64,
}

/// Counts what rollups do not contain yet. Answers are correct regardless: what they lack is read from rows. A table is
/// built once it reaches back to the first row.
pub fn backlog(tx: &Tx<'_>) -> Result<RollupBacklog, Error> {
    tx.sql(
        "select (select count(*) from metric_rollup_pending where kind = 'order') as pending_orders,
                (select count(*) from metric_rollup_dirty) as dirty_buckets,
                (select count(*) from metric_rollup_table where built_from <> :whole) as unbuilt_tables",
    )
    .one(named_params! { ":whole": i32::MIN }, RollupBacklog::from_row)
}

pub(crate) fn dirty_of(tx: &Tx<'_>, table: i64) -> Result<Vec<i32>, Error> {
    tx.sql("select bucket from metric_rollup_dirty where rollup = :table")
        .all(named_params! { ":table": table }, |row| row.get(0))
}

pub(crate) fn mark_clean(tx: &Tx<'_>, table: i64, bucket: i32) -> Result<(), Error> {
    tx.sql("delete from metric_rollup_dirty where rollup = :table and bucket = :bucket")
        .run(named_params! { ":table": table, ":bucket": bucket })
}

/// Returns the number of a key; a new key gets the next of its kind, which is never reused.
pub(crate) fn key_number(tx: &Tx<'_>, kind: &str, key: &str) -> Result<i64, Error> {
    if let Some(number) = known_key_number(tx, kind, key)? {
        return Ok(number);
    }
    let number: i64 = tx
        .sql(
            "insert into metric_key_last (kind, number) values (:kind, 0)
             on conflict (kind) do update set number = number + 1 returning number",
        )
        .one(named_params! { ":kind": kind }, |row| row.get(0))?;
    tx.sql("insert into metric_key_number values (:kind, :key, :number)")
        .run(named_params! { ":kind": kind, ":key": key, ":number": number })?;
    Ok(number)
}

pub(crate) fn known_key_number(tx: &Tx<'_>, kind: &str, key: &str) -> Result<Option<i64>, Error> {
    tx.sql("select number from metric_key_number where kind = :kind and key = :key")
        .first(named_params! { ":kind": kind, ":key": key }, |row| row.get(0))
}

/// Returns the number of a customer, if the customer exists.
pub(crate) fn customer_number(tx: &Tx<'_>, id: &str) -> Result<Option<i64>, Error> {
    tx.sql("select number from customer where id = :id")
        .first(named_params! { ":id": id }, |row| row.get(0))
}

/// Returns the customers of a JSON list with their numbers.
pub(crate) fn customer_numbers(tx: &Tx<'_>, customers: &str) -> Result<Vec<(String, i64)>, Error> {
    tx.sql("select id, number from customer where id in (select value from json_each(:customers))")
        .all(named_params! { ":customers": customers }, |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Returns the currencies of orders, and their customers.
pub(crate) fn currencies_and_customers(
    tx: &Tx<'_>,
    orders: &str,
) -> Result<(Vec<String>, Vec<String>), Error> {
    let mut statement = tx.prepare_cached(
        "select distinct currency, customer_id from orders where id in (select value from json_each(:orders))",
    )?;
    let mut rows = statement.query(named_params! { ":orders": orders })?;
    let (mut currencies, mut customers): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    while let Some(row) = rows.next()? {
        currencies.push(row.get(0)?);
        customers.extend(row.get::<_, Option<String>>(1)?);
    }
    Ok((currencies, customers))
}

/// Returns the instants of the first and the last of this many orders, or refunds, before an instant; none if there are
/// no more.
pub(crate) fn ends_before(
    tx: &Tx<'_>,
    refunds: bool,
    before: Timestamp,
    limit: u32,
) -> Result<Option<(Timestamp, Timestamp)>, Error> {
    let text = if refunds {
        "select min(at), max(at) from (select created_at as at from order_transaction
          where amount_minor < 0 and created_at < :before order by created_at desc limit :limit)"
    } else {
        "select min(at), max(at) from (select placed_at as at from orders
          where placed_at < :before order by placed_at desc limit :limit)"
    };
    let parameters = named_params! { ":before": before, ":limit": limit };
    let ends: (Option<Timestamp>, Option<Timestamp>) =
        tx.sql(text).one(parameters, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(ends.0.zip(ends.1))
}
