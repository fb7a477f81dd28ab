//! A store with a running server: its rollups are built, and a writer besides the server places late orders.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use quotient_server::clock::{Clock, Timestamp};
use quotient_server::database::Db;
use quotient_server::state::database_options;
use rusqlite::Connection;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::files;
use super::orders::{DAYS, Extent, Order};
use super::rows;
use crate::Failure;
use crate::server::{ADMIN, Client, Process};

/// The maximum time of building the rollups.
const COUNTING_MAX: Duration = Duration::from_mins(20);
/// The interval between checks whether the rollups are built.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The metrics of the questions: name, formula, type of its value.
const METRICS: [(&str, &str, &str); 5] = [
    ("GMV", "sum(orders.total where status != 'canceled')", "currency"),
    ("Order count", "count(orders where status != 'canceled')", "integer"),
    ("AOV", "gmv / order_count", "currency"),
    ("Units", "sum(items.quantity where order.status != 'canceled')", "number"),
    (
        "Item sales",
        "sum(items.subtotal where order.status != 'canceled') - sum(items.discount where order.status != 'canceled')",
        "currency",
    ),
];

/// The tables of rollups.
const ROLLUPS: &str = "('metric_rollup_table', 'metric_rollup_page', 'metric_rollup_key', \
    'metric_rollup_dirty', 'metric_rollup_pending', 'metric_key_number', 'metric_key_last')";

/// The cost of building the rollups, and their size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted {
    /// The wall-clock time of building.
    pub(super) wall: Duration,
    /// The processor time of the server.
    pub(super) cpu: Duration,
    /// The bytes of orders and their lines.
    pub(super) rows: i64,
    /// The same with their indexes.
    pub(super) indexed: i64,
    /// The bytes of the rollups with their indexes.
    pub(super) rollups: i64,
}

/// A store with a running server.
#[derive(Debug)]
pub(super) struct Served<'r> {
    pub(super) server: Process,
    pub(super) client: Client,
    pub(super) path: PathBuf,
    pub(super) extent: Extent,
    /// One past the last instant of its year.
    pub(super) end: Timestamp,
    pub(super) counted: Counted,
    runtime: &'r Runtime,
    db: Db,
    next: Cell<u32>,
}

impl<'r> Served<'r> {
    /// Copies a store, starts its rollups with one order, and waits until the server has built them from the others.
    ///
    /// # Errors
    /// If the server does not start, or building takes too long.
    pub(super) fn open(
        (binary, folder): (&Path, &Path),
        extent: Extent,
        runtime: &'r Runtime,
    ) -> Result<Self, Failure> {
        let year = files::year(folder, extent, runtime)?;
        let folder = folder.join(format!("served-{}", extent.orders));
        let path = files::copy(&year, &folder)?;
        let (_, end) = files::year_of(&path)?;
        let next = Cell::new(extent.orders.saturating_add(1));
        let db = runtime.block_on(async { open(&path) })?;
        late_order((runtime, &db), (&next, extent), end)?;
        let store = Process::on(binary, &folder);
        let keys = store.keys()?;
        let (server, _) = store.start_with(&ADMIN)?;
        let counted = count(&server, &path)?;
        let client = Client::new(&server, &keys);
        let made = Self { server, client, path, extent, end, counted, runtime, db, next };
        made.define()?;
        made.server.wait_until_idle()?;
        Ok(made)
    }

    /// Places an order at the last instant of the year, which makes cached answers of its day stale.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn late_order(&self) -> Result<(), Failure> {
        late_order((self.runtime, &self.db), (&self.next, self.extent), self.end)
    }

    /// Returns the first and the last of `count` days up to the end of the year, in the format of the API.
    pub(super) fn days(&self, count: i64) -> Result<(String, String), Failure> {
        let day = |before: i64| -> Result<String, Failure> {
            let at =
                self.end.plus_ms(super::orders::DAY_MS.saturating_mul(before).saturating_neg());
            Ok(at.to_string().split_once('T').ok_or("an instant without a day")?.0.to_owned())
        };
        Ok((day(count.min(DAYS))?, day(1)?))
    }

    /// Stops the server and returns the file with its rollups.
    ///
    /// # Errors
    /// If its exit code is not 0.
    pub(super) fn stop(self) -> Result<PathBuf, Failure> {
        self.server.stop()?;
        self.runtime.block_on(self.db.close());
        Ok(self.path)
    }

    /// Defines the metrics that the questions request by key.
    fn define(&self) -> Result<(), Failure> {
        for (name, formula, data_type) in METRICS {
            let path = "/admin/metrics-registry/definitions";
            let body = json!({
                "name": name, "category": "sales", "scope": "store", "formula": formula, "data_type": data_type,
            });
            let made = self.client.post_as_admin(path, &body)?;
            let id = made.pointer("/metric/id").and_then(Value::as_str).ok_or("no id")?;
            let path = format!("{path}/{id}/lifecycle");
            self.client.post_as_admin(&path, &json!({ "state": "active" }))?;
        }
        Ok(())
    }
}

/// Opens a writer that maintains the rollups.
pub(super) fn open(path: &Path) -> Result<Db, Failure> {
    Ok(Db::open(&database_options(path, Clock::system()))?)
}

fn late_order(
    (runtime, db): (&Runtime, &Db),
    (next, extent): (&Cell<u32>, Extent),
    end: Timestamp,
) -> Result<(), Failure> {
    let number = next.replace(next.get().saturating_add(1));
    let order = Order::at(number, end.plus_ms(-1).as_millis(), extent);
    Ok(runtime.block_on(db.write(move |tx| rows::insert(tx, &order)))?)
}

/// Waits until all rollups are built.
fn count(server: &Process, path: &Path) -> Result<Counted, Failure> {
    let start = Instant::now();
    let connection = files::open(path)?;
    while !is_counted(&connection)? {
        if start.elapsed() > COUNTING_MAX {
            return Err("the rollups are not built in time".into());
        }
        thread::sleep(LOOK_EVERY);
    }
    let (wall, cpu) = (start.elapsed(), server.cpu()?);
    let size = |condition: &str| -> Result<i64, Failure> {
        let text = format!(
            "select coalesce(sum(d.pgsize), 0) from dbstat d join sqlite_schema s on s.name = d.name
              where d.aggregate = true and {condition}"
        );
        Ok(connection.query_row(&text, [], |row| row.get(0))?)
    };
    Ok(Counted {
        wall,
        cpu,
        rows: size("s.type = 'table' and s.tbl_name in ('orders', 'order_line')")?,
        indexed: size("s.tbl_name in ('orders', 'order_line')")?,
        rollups: size(&format!("s.tbl_name in {ROLLUPS}"))?,
    })
}

/// Returns whether there are rollup tables, and all of them are completely built.
fn is_counted(connection: &Connection) -> Result<bool, Failure> {
    Ok(connection.query_row(
        "select count(*) > 0 and coalesce(sum(built_from <> ?1), 1) = 0
            and not exists (select 1 from metric_rollup_dirty) from metric_rollup_table",
        [i32::MIN],
        |row| row.get(0),
    )?)
}
