//! What an order pays for the states: the same orders written with them and without them, and a whole checkout.

#![expect(clippy::float_arithmetic, reason = "times and their ratios are measurements, not money")]

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use quotient_server::clock::{Clock, Timestamp};
use quotient_server::database::{Db, Error, Options};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use super::orders::{Extent, Order};
use super::turns::{Player, Turn, take_turns};
use super::{Effort, files, rows, served};
use crate::Failure;
use crate::goals::{Goal, Line};
use crate::measure::{Times, process_time};
use crate::server::routes::{Call, Shop};
use crate::server::{Client, Process, cpu_per_call};

/// How many write at once.
const AT_ONCE: u32 = 64;
/// Invoices of the demo store in which checkouts are made.
const INVOICES: u32 = 400;
/// Numbers of orders that are not taken yet.
const FIRST_NUMBER: u32 = 1_000_000_000;

const WITHOUT: &str = "without states";
const LESS: &str = "the same less its states";

/// The goals of an order that is written alone, and of many that are written together.
const ALONE: Goal = Goal::Within(1.12);
const FOLDED: Goal = Goal::Within(1.05);

/// A store that orders are written into.
struct Till {
    db: Db,
    extent: Extent,
    at: Timestamp,
    next: Cell<u32>,
}

impl Till {
    fn of(db: Db, (extent, at): (Extent, Timestamp)) -> Self {
        Self { db, extent, at, next: Cell::new(FIRST_NUMBER) }
    }

    /// Writes so many orders from so many writers; what that took.
    fn fill(&self, runtime: &Runtime, (count, writers): (u32, u32)) -> Result<Turn, Failure> {
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
        Ok(Turn::new(count, process_time().saturating_sub(used), start.elapsed()))
    }
}

/// The lines of one way to write.
struct Way {
    name: &'static str,
    writers: u32,
    goal: Goal,
}

const WAYS: [Way; 2] = [
    Way { name: "an order written alone", writers: 1, goal: ALONE },
    Way { name: "an order of 64 written at once", writers: AT_ONCE, goal: FOLDED },
];

/// The lines of orders with states, made in a copy of the store `counted` and in one of its rows alone.
pub(super) fn lines(
    (binary, folder): (&Path, &Path),
    (counted, extent): (&Path, Extent),
    (runtime, effort): (&Runtime, Effort),
) -> Result<Vec<Line>, Failure> {
    let year = files::year(folder, extent, runtime)?;
    let kept = files::copy(counted, &folder.join("with-states"))?;
    let plain = files::copy(&year, &folder.join("without-states"))?;
    leave_untouched(&plain)?;
    let (_, end) = files::year_of(&kept)?;
    let (with, without) = runtime.block_on(async {
        let with = served::open(&kept)?;
        Ok::<_, Failure>((with, Db::open(&Options::new(&plain, Clock::system()))?))
    })?;
    let (with, without) = (Till::of(with, (extent, end)), Till::of(without, (extent, end)));
    let store = Process::load(binary, &folder.join("checkouts"), Some(INVOICES))?;
    let keys = store.keys()?;
    let (server, _) = store.start()?;
    let shop = Shop::discover(Client::new(&server, &keys))?;
    let mut lines = Vec::new();
    for way in WAYS {
        lines.extend(way.lines((&with, &without), (&server, &shop), (runtime, effort))?);
    }
    server.stop()?;
    for till in [with, without] {
        runtime.block_on(till.db.close());
    }
    Ok(lines)
}

impl Way {
    fn lines(
        &self,
        (with, without): (&Till, &Till),
        shop: (&Process, &Shop),
        (runtime, effort): (&Runtime, Effort),
    ) -> Result<Vec<Line>, Failure> {
        let size = (effort.orders, self.writers);
        // The first group prepares its statements.
        with.fill(runtime, (self.writers, self.writers))?;
        without.fill(runtime, (self.writers, self.writers))?;
        let mut checkouts = Vec::new();
        let mut players = [
            Player::new("with states", || with.fill(runtime, size)),
            Player::new(WITHOUT, || without.fill(runtime, size)),
            Player::new("checkout", || {
                let connections = usize::try_from(self.writers)?;
                checkouts.push(cpu_per_call(Call::Checkout, connections, shop, effort.api())?);
                Ok(Turn::default())
            }),
        ];
        let taken = take_turns(&mut players, effort.rounds)?;
        drop(players);
        let [own, plain, _] = taken.as_slice() else { return Ok(Vec::new()) };
        let checkout = Times::new("–", checkouts);
        let less = Times::together(LESS, &[&checkout, &own.cpu, &plain.cpu], |round| match round {
            [checkout, own, plain] => checkout - (own - plain),
            _ => f64::NAN,
        });
        let whole = format!("a whole checkout, {} at once", self.writers);
        Ok(vec![
            Line::ratio(self.name, (&own.cpu, &plain.cpu), self.goal),
            Line::ratio(&whole, (&checkout, &less), self.goal),
        ])
    }
}

/// Takes away what notes which orders were touched: without states there is no need to.
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
