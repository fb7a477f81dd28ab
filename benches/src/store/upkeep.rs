//! The cost of rollups for an order: placed through the API, and its bare rows, each with and without rollups.

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use quotient_server::clock::{Clock, Timestamp};
use quotient_server::database::{Db, Error, Options};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::effort::Effort;
use super::orders::{Extent, Order};
use super::sampling::{Sample, Sampler, take_samples};
use super::{files, rows, served};
use crate::Failure;
use crate::goals::{Goal, Line};
use crate::measure::process_time;
use crate::server::routes::Shop;
use crate::server::{Client, Loaded, Process};

/// The number of concurrent writers.
const AT_ONCE: u32 = 64;
/// The number of invoices of the demo store in which orders are placed.
const INVOICES: u32 = 400;
/// The first of the order numbers that are still free.
const FIRST_NUMBER: u32 = 1_000_000_000;

const WITHOUT: &str = "without rollups";

/// The goals of an order that is written alone, and of orders that are committed in groups.
const ALONE: Goal = Goal::Within(1.12);
const FOLDED: Goal = Goal::Within(1.05);

/// A store that orders are written into.
struct OrderWriter {
    db: Db,
    extent: Extent,
    at: Timestamp,
    next: Cell<u32>,
}

impl OrderWriter {
    fn of(db: Db, extent: Extent, at: Timestamp) -> Self {
        Self { db, extent, at, next: Cell::new(FIRST_NUMBER) }
    }

    /// Writes `count` orders from several writers and returns their times.
    fn fill(&self, runtime: &Runtime, (count, writers): (u32, u32)) -> Result<Sample, Failure> {
        let first = self.next.get();
        let end = first.saturating_add(count);
        self.next.set(end);
        let next = Arc::new(AtomicU32::new(first));
        let (start, used) = (Instant::now(), process_time());
        runtime.block_on(async {
            let mut all = JoinSet::new();
            for _ in 0..writers {
                let (db, next) = (self.db.clone(), Arc::clone(&next));
                let (extent, at) = (self.extent, self.at.as_millis());
                all.spawn(async move {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= end {
                            return Ok::<(), Error>(());
                        }
                        let order = Order::at(number, at, extent);
                        db.write(move |tx| rows::insert(tx, &order)).await?;
                    }
                });
            }
            while let Some(done) = all.join_next().await {
                done??;
            }
            Ok::<(), Failure>(())
        })?;
        Ok(Sample::new(count, process_time().saturating_sub(used), start.elapsed()))
    }
}

/// A running server on which orders are placed.
struct Counter {
    server: Process,
    shop: Shop,
    next: Cell<usize>,
}

impl Counter {
    fn open(store: &Loaded) -> Result<Self, Failure> {
        let keys = store.keys()?;
        let (server, _) = store.start()?;
        let shop = Shop::discover(Client::new(&server, &keys))?;
        Ok(Self { server, shop, next: Cell::new(0) })
    }

    /// Places `count` orders, several at once, and returns the times of the server. Their carts are filled before.
    fn place(&self, (count, at_once): (u32, u32)) -> Result<Sample, Failure> {
        let first = self.next.get();
        let end = first.saturating_add(usize::try_from(count)?);
        self.next.set(end);
        let carts: Vec<String> =
            (first..end).map(|number| self.shop.fill_cart(number)).collect::<Result<_, _>>()?;
        let rest = Mutex::new(carts.into_iter());
        let next = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
        let (shop, start, used) = (&self.shop, Instant::now(), self.server.cpu()?);
        thread::scope(|scope| {
            let place_all = || {
                while let Some(cart) = next() {
                    shop.place(&cart).map_err(|failure| failure.to_string())?;
                }
                Ok::<(), String>(())
            };
            let clients: Vec<_> = (0..at_once).map(|_| scope.spawn(place_all)).collect();
            clients.into_iter().try_for_each(|client| {
                Ok::<(), Failure>(client.join().map_err(|_panic| "a client panicked")??)
            })
        })?;
        Ok(Sample::new(count, self.server.cpu()?.saturating_sub(used), start.elapsed()))
    }
}

/// A number of concurrent writers, and the goal.
struct Way {
    placed: &'static str,
    written: &'static str,
    writers: u32,
    goal: Goal,
}

const WAYS: [Way; 2] = [
    Way {
        placed: "an order placed alone",
        written: "the bare rows of an order, alone",
        writers: 1,
        goal: ALONE,
    },
    Way {
        placed: "an order of 64 placed at once",
        written: "the bare rows of an order, of 64 at once",
        writers: AT_ONCE,
        goal: FOLDED,
    },
];

/// Returns the lines of orders with rollups, written to a copy of the store `counted` and to one of its rows alone.
pub(super) fn lines(
    (binary, folder): (&Path, &Path),
    (counted, extent): (&Path, Extent),
    (runtime, effort): (&Runtime, Effort),
) -> Result<Vec<Line>, Failure> {
    let year = files::year(folder, extent, runtime)?;
    let kept = files::copy(counted, &folder.join("with-rollups"))?;
    let plain = files::copy(&year, &folder.join("without-rollups"))?;
    leave_untouched(&plain)?;
    let (_, end) = files::year_of(&kept)?;
    let (with, without) = runtime.block_on(async {
        let with = served::open(&kept)?;
        Ok::<_, Failure>((with, Db::open(&Options::new(&plain, Clock::system()))?))
    })?;
    let writers = (OrderWriter::of(with, extent, end), OrderWriter::of(without, extent, end));
    let mut lines = Vec::new();
    for way in WAYS {
        lines.extend(way.written(&writers.0, &writers.1, runtime, effort)?);
    }
    for writer in [writers.0, writers.1] {
        runtime.block_on(writer.db.close());
    }
    let store = Process::load(binary, &folder.join("placed"), Some(INVOICES))?;
    let plain = Process::load(binary, &folder.join("placed-without"), Some(INVOICES))?;
    leave_untouched(&folder.join("placed-without").join(files::DATABASE))?;
    let counters = (Counter::open(&store)?, Counter::open(&plain)?);
    for way in WAYS {
        lines.extend(way.placed(&counters.0, &counters.1, effort)?);
    }
    counters.0.server.stop()?;
    counters.1.server.stop()?;
    Ok(lines)
}

impl Way {
    fn written(
        &self,
        with: &OrderWriter,
        without: &OrderWriter,
        runtime: &Runtime,
        effort: Effort,
    ) -> Result<Option<Line>, Failure> {
        let size = (effort.orders, self.writers);
        // The first group prepares its statements.
        with.fill(runtime, (self.writers, self.writers))?;
        without.fill(runtime, (self.writers, self.writers))?;
        let samplers = [
            Sampler::new("with rollups", || with.fill(runtime, size)),
            Sampler::new(WITHOUT, || without.fill(runtime, size)),
        ];
        self.line(self.written, samplers, effort)
    }

    fn placed(
        &self,
        with: &Counter,
        without: &Counter,
        effort: Effort,
    ) -> Result<Option<Line>, Failure> {
        let size = (effort.placed, self.writers);
        let samplers = [
            Sampler::new("with rollups", || with.place(size)),
            Sampler::new(WITHOUT, || without.place(size)),
        ];
        self.line(self.placed, samplers, effort)
    }

    fn line(
        &self,
        name: &str,
        mut samplers: [Sampler<'_>; 2],
        effort: Effort,
    ) -> Result<Option<Line>, Failure> {
        let times = take_samples(&mut samplers, effort.rounds)?;
        let [own, plain] = times.as_slice() else { return Ok(None) };
        Ok(Some(Line::ratio(name, (&own.cpu, &plain.cpu), self.goal)))
    }
}

/// Drops the triggers that record touched orders, which are not needed without rollups.
fn leave_untouched(path: &Path) -> Result<(), Failure> {
    let connection = files::open(path)?;
    let mut statement = connection.prepare(
        "select name from sqlite_schema where type = 'trigger' and name like 'metric_touched_%'",
    )?;
    let names = statement.query_map([], |row| row.get::<_, String>(0))?;
    for name in names.collect::<Result<Vec<_>, _>>()? {
        connection.execute_batch(&format!("drop trigger {name}"))?;
    }
    Ok(())
}
