//! Stores on disk: those with a year's rows, which stay for the next run, and working copies of them.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use quotient_server::clock::{Clock, Timestamp};
use quotient_server::database::{Db, Error, Options, text_index};
use rusqlite::{Connection, OpenFlags};
use tokio::runtime::Runtime;

use super::orders::{DAY_MS, DAYS, Extent, Order};
use super::rows;
use crate::Failure;

/// The version of the rule that generates a store; increased with every change of it.
const VERSION: u32 = 3;
/// The definitions of the tables that rows are written into; a store with other tables is created anew.
const TABLES: [&str; 2] = [
    include_str!("../../../server/foundation/migrations/0001_store.sql"),
    include_str!("../../../server/foundation/migrations/0002_metrics.sql"),
];
/// The number of rows of one write.
const ROWS_AT_ONCE: u32 = 10_000;
/// The page cache while a store is written, in KiB: its indexes are filled out of order.
const CACHE_KIB: u32 = 262_144;
/// The file name of the server's database.
pub(crate) const DATABASE: &str = "quotient.db";

/// Returns the file with a year's rows and no rollups; it is created if it does not exist.
pub(super) fn year(folder: &Path, extent: Extent, runtime: &Runtime) -> Result<PathBuf, Failure> {
    let mut hasher = DefaultHasher::new();
    (VERSION, TABLES, extent.customers).hash(&mut hasher);
    let prefix = format!("year-{}-", extent.orders);
    let name = format!("{prefix}{:016x}.db", hasher.finish());
    let path = folder.join(&name);
    if path.exists() {
        return Ok(path);
    }
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            fs::remove_file(entry.path())?;
        }
    }
    let unfinished = folder.join(format!("{prefix}unfinished.db"));
    runtime.block_on(write(&unfinished, extent))?;
    settle(&unfinished)?;
    fs::rename(&unfinished, &path)?;
    Ok(path)
}

/// Writes the rows of a year that ends with yesterday.
async fn write(path: &Path, extent: Extent) -> Result<(), Failure> {
    let clock = Clock::system();
    let today = clock.now().as_millis().div_euclid(DAY_MS).saturating_mul(DAY_MS);
    let begin = today.saturating_sub(DAYS.saturating_mul(DAY_MS));
    let db = Db::open(&Options { writer_cache_kib: CACHE_KIB, ..Options::new(path, clock) })?;
    db.write(move |tx| rows::insert_store(tx, begin)).await?;
    let bar = ProgressBar::new(u64::from(extent.customers.saturating_add(extent.orders)));
    if let Ok(style) = ProgressStyle::with_template("writing a year {bar:40} {pos} of {len} {eta}")
    {
        bar.set_style(style);
    }
    let mut next = 1_u32;
    while next <= extent.customers {
        let end = next.saturating_add(ROWS_AT_ONCE).min(extent.customers.saturating_add(1));
        db.write(move |tx| {
            (next..end).try_for_each(|number| rows::insert_customer(tx, number, begin))?;
            forget(tx)
        })
        .await?;
        bar.inc(u64::from(end.saturating_sub(next)));
        next = end;
    }
    next = 1;
    while next <= extent.orders {
        let end = next.saturating_add(ROWS_AT_ONCE).min(extent.orders.saturating_add(1));
        db.write(move |tx| {
            (next..end)
                .try_for_each(|number| rows::insert(tx, &Order::of_year(number, extent, begin)))?;
            forget(tx)
        })
        .await?;
        bar.inc(u64::from(end.saturating_sub(next)));
        next = end;
    }
    bar.finish_and_clear();
    // A server adds a few rows at a time, between the writes of a shop that is in use.
    db.write(text_index::add_all).await?;
    db.close().await;
    Ok(())
}

/// Deletes the records of touched rows, which are folded with all others when the rollups are built.
fn forget(tx: &Connection) -> Result<(), Error> {
    Ok(tx.execute_batch("delete from metric_touched")?)
}

/// Checkpoints the write-ahead log, so that the database file alone can be copied.
fn settle(path: &Path) -> Result<(), Failure> {
    let connection = open(path)?;
    let busy: i64 =
        connection.query_row("pragma wal_checkpoint(truncate)", [], |row| row.get(0))?;
    if busy == 0 { Ok(()) } else { Err("somebody still uses the store".into()) }
}

/// Copies a store into a folder in which a server can run.
pub(super) fn copy(from: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    settle(from)?;
    let path = folder.join(DATABASE);
    fs::copy(from, &path)?;
    Ok(path)
}

/// Opens a connection besides those of the server.
pub(crate) fn open(path: &Path) -> Result<Connection, Failure> {
    #[expect(clippy::disallowed_methods, reason = "a look at the rows from outside")]
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    Ok(connection)
}

/// Returns the first instant of the store's year, and one past its last.
pub(super) fn year_of(path: &Path) -> Result<(Timestamp, Timestamp), Failure> {
    let begin: i64 = open(path)?.query_row("select created_at from store", [], |row| row.get(0))?;
    let begin = Timestamp::from_millis(begin);
    Ok((begin, begin.plus_ms(DAYS.saturating_mul(DAY_MS))))
}
