//! The store's metrics over a year of few and of many orders: what dashboards and questions cost through the API, how
//! large the states behind them are, and what an order pays for them.
//!
//! The orders follow from a rule (`orders`) and are written into the tables as they are (`rows`); the files stay for the
//! next run (`files`), each run counts its states anew (`served`). Start at [`run`].

mod boards;
mod files;
mod orders;
mod questions;
mod rows;
mod served;
mod table;
mod turns;
mod upkeep;

use std::fs;
use std::path::Path;
use std::time::Duration;

use tokio::runtime::Runtime;

pub use orders::Extent;

use crate::Failure;
use crate::goals::{Goal, Line, machine, report};
use crate::server;
use served::Served;

/// How much to ask for.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Turns of everybody.
    pub rounds: u32,
    /// The least processor time of a turn: the system counts that of a server in ticks of 10 ms.
    pub batch: Duration,
    /// Orders of a turn of writing.
    pub orders: u32,
    /// Orders of a turn of placing.
    pub placed: u32,
    /// The store of few orders, and that of many.
    pub extents: [Extent; 2],
    /// Whether everything is done once, to see that it is answered.
    pub once: bool,
}

impl Effort {
    /// Enough for ratios that differ by a few per cent from run to run.
    pub const FULL: Self = Self {
        rounds: 7,
        batch: Duration::from_millis(400),
        orders: 2_000,
        placed: 400,
        extents: [
            Extent { orders: 25_900, customers: 5_000 },
            Extent { orders: 1_000_000, customers: 200_000 },
        ],
        once: false,
    };
    /// One call each, in small stores.
    pub const ONCE: Self = Self {
        rounds: 1,
        batch: Duration::ZERO,
        orders: 64,
        placed: 2,
        extents: [Extent { orders: 600, customers: 120 }, Extent { orders: 2_400, customers: 480 }],
        once: true,
    };
}

/// What the stores are called in the table.
const FEW: &str = "25,900 orders";
const MANY: &str = "1,000,000 orders";

/// What is read is the cells of the days asked for, however many orders they stand for.
const GROWTH: Goal = Goal::Within(1.2);
/// Questions through the API beside DuckDB on the rows.
const DUCKDB_MANY: Goal = Goal::Faster(40.0);

/// A part of what is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The summary of a dashboard.
    Dashboards,
    /// What every shop asks.
    Questions,
    /// What an order pays for the states.
    Orders,
}

impl Subject {
    /// All of them, by name.
    pub const NAMED: [(&'static str, Self); 3] = [
        ("dashboards", Self::Dashboards),
        ("questions", Self::Questions),
        ("orders", Self::Orders),
    ];
}

/// Makes the stores, asks them everything about some subjects, and prints or writes what that took.
///
/// # Errors
/// When a server does not start, or an answer is not what the rows say.
pub fn run(
    folder: &Path,
    effort: Effort,
    (subjects, write): (&[Subject], bool),
) -> Result<(), Failure> {
    let target = folder.parent().unwrap_or(folder);
    let (folder, binary) = (folder.join("store"), server::binary()?);
    let runtime = Runtime::new()?;
    let places = (binary.as_path(), folder.as_path());
    let [small, large] = effort.extents;
    let few = Served::open(places, small, &runtime)?;
    let mut lines = Vec::new();
    let mut counted = vec![few.counted];
    if subjects.iter().any(|subject| *subject != Subject::Orders) {
        let many = Served::open(places, large, &runtime)?;
        counted.push(many.counted);
        if subjects.contains(&Subject::Dashboards) {
            lines.extend(boards::lines((&few, &many), effort)?);
        }
        if subjects.contains(&Subject::Questions) {
            lines.extend(questions::lines(&few, (FEW, Goal::Shown), (effort, target))?);
            lines.extend(questions::lines(&many, (MANY, DUCKDB_MANY), (effort, target))?);
            lines.extend(questions::growth((&few, &many), effort)?);
        }
        many.stop()?;
    }
    let kept = few.stop()?;
    if subjects.contains(&Subject::Orders) {
        lines.extend(upkeep::lines(places, (&kept, small), (&runtime, effort))?);
    }
    forget_copies(&folder)?;
    shown(&lines, (&counted, effort), (target, write))
}

/// Prints or writes the tables.
fn shown(
    lines: &[Line],
    (counted, effort): (&[served::Counted], Effort),
    (target, write): (&Path, bool),
) -> Result<(), Failure> {
    if effort.once {
        report::tested(lines);
        return Ok(());
    }
    let machine = machine::describe(target)?;
    report::print(lines, &machine);
    table::print(counted);
    if write { table::write(lines, &machine, counted) } else { Ok(()) }
}

/// What was copied is as large as the stores themselves.
fn forget_copies(folder: &Path) -> Result<(), Failure> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}
