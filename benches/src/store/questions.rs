//! Four questions that every shop asks, through the API, compared with SQL over the same rows in SQLite and DuckDB.

#![expect(clippy::float_arithmetic, reason = "times and their ratios are measurements, not money")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::effort::{Effort, FEW, GROWTH, MANY};
use super::files;
use super::orders::{CHANNELS, DAY_MS};
use super::sampling::{Sample, SampledTimes, Sampler, take_samples};
use super::served::Served;
use crate::Failure;
use crate::goals::{Goal, Line};
use crate::measure::{Times, thread_time};
use crate::peers::python::{self, Python};

/// The names of the contestants.
const QUOTIENT: &str = "quotient over HTTP";
const SQLITE: &str = "SQL over the rows, SQLite";
/// DuckDB's name, in the script too.
const DUCKDB: &str = "duckdb";
/// DuckDB's name in the table.
const DUCKDB_SHOWN: &str = "SQL over the rows, DuckDB";

const COMPUTE: &str = "/admin/metrics/compute";
/// The number of products in the question about products.
const TOP: usize = 10;
/// Digits after the point to which averages are compared.
const AVERAGE_DIGITS: u32 = 10;

/// The rows of an answer: a key, and whole numbers.
type Answer = Vec<(String, Vec<i64>)>;

/// A question.
struct Question {
    /// The name in the script.
    key: &'static str,
    title: &'static str,
    /// The number of days up to the end of the year.
    days: i64,
    metrics: &'static [&'static str],
    granularity: &'static str,
    group_by: Option<&'static str>,
    /// The SQL over the rows between two instants.
    sql: &'static str,
    /// Reads the answer from the API's response.
    read: fn(&Value) -> Result<Answer, Failure>,
}

const QUESTIONS: [Question; 4] = [
    Question {
        key: "whole",
        title: "GMV, orders and AOV of 30 days",
        days: 30,
        metrics: &["gmv", "order_count", "aov"],
        granularity: "none",
        group_by: None,
        sql: "select '', sum(total_minor + credit_line_minor), count(*) from orders
               where status not in ('canceled', 'draft') and currency = 'gbp' and placed_at >= ?1 and placed_at < ?2",
        read: whole,
    },
    Question {
        key: "daily",
        title: "GMV of each of 365 days",
        days: 365,
        metrics: &["gmv"],
        granularity: "day",
        group_by: None,
        sql: "select date(placed_at / 86400000 * 86400, 'unixepoch'), sum(total_minor + credit_line_minor) from orders
               where status not in ('canceled', 'draft') and currency = 'gbp' and placed_at >= ?1 and placed_at < ?2
               group by placed_at / 86400000 order by 1",
        read: daily,
    },
    Question {
        key: "channels",
        title: "GMV by channel of 90 days",
        days: 90,
        metrics: &["gmv"],
        granularity: "none",
        group_by: Some("sales_channel_id"),
        sql: "select sales_channel_id, sum(total_minor + credit_line_minor) from orders
               where status not in ('canceled', 'draft') and currency = 'gbp' and placed_at >= ?1 and placed_at < ?2
               group by sales_channel_id order by 1",
        read: channels,
    },
    Question {
        key: "products",
        title: "top 10 products of 90 days, units and sales",
        days: 90,
        metrics: &["units", "item_sales"],
        granularity: "none",
        group_by: Some("product"),
        sql: "select l.product_id, sum(l.quantity), sum(l.subtotal_minor - l.discount_subtotal_minor)
                from orders o join order_line l on l.order_id = o.id
               where o.status not in ('canceled', 'draft') and o.currency = 'gbp' and o.placed_at >= ?1 and o.placed_at < ?2
               group by l.product_id order by 2 desc, 1 limit 10",
        read: products,
    },
];

impl Question {
    fn body(&self, served: &Served<'_>) -> Result<Value, Failure> {
        let Self { days, metrics, granularity, group_by, .. } = self;
        let (first, last) = served.days(*days)?;
        Ok(json!({
            "metrics": metrics, "granularity": granularity, "start_date": first, "end_date": last,
            "group_by": group_by.iter().collect::<Vec<_>>(),
        }))
    }

    /// Sends the question to the API, each time after an order.
    fn by_api(&self, served: &Served<'_>, batch: Duration) -> Result<Sample, Failure> {
        let body = self.body(served)?;
        let compute = || served.client.post_as_admin(COMPUTE, &body).map(drop);
        Sample::of(batch, || served.server.cpu(), || served.late_order(), compute)
    }
}

/// Returns the lines with the cost of the questions over many orders, compared with few. All read sums, of which both
/// stores have equally many, except by product: few orders do not sell each product every day.
pub(super) fn growth(
    (few, many): (&Served<'_>, &Served<'_>),
    effort: Effort,
) -> Result<Vec<Line>, Failure> {
    let mut lines = Vec::new();
    for question in &QUESTIONS {
        let of = |(name, served)| Sampler::new(name, move || question.by_api(served, effort.batch));
        let times = take_samples(&mut [(MANY, many), (FEW, few)].map(of), effort.rounds)?;
        let [many, few] = times.as_slice() else { continue };
        let title = format!("{}, {MANY}", question.title);
        lines.push(Line::ratio(&title, (&many.cpu, &few.cpu), GROWTH));
    }
    Ok(lines)
}

/// Returns the lines of the questions about one store, and of their geometric mean.
pub(super) fn lines(
    served: &Served<'_>,
    (name, goal): (&str, Goal),
    (effort, target): (Effort, &Path),
) -> Result<Vec<Line>, Failure> {
    let connection = files::open(&served.path)?;
    let end = served.end.as_millis().to_string();
    let file = served.path.to_string_lossy();
    let python = Python::start(target, python::STORE, &[&file, &end])?;
    let (mut lines, mut ours, mut sqlites, mut ducks) = (Vec::new(), vec![], vec![], vec![]);
    let asking = QUESTIONS.each_ref().map(|question| Asking {
        served,
        connection: &connection,
        python: python.as_ref(),
        question,
    });
    // Checked before any other order is placed, since DuckDB has only the rows from the start.
    asking.iter().try_for_each(Asking::check_duckdb)?;
    for asking in &asking {
        let question = asking.question;
        asking.check()?;
        let times = asking.measure(effort)?;
        asking.check()?;
        let [own, sqlite, duck @ ..] = times.as_slice() else { continue };
        let title = format!("{name}: {}", question.title);
        lines.push(Line::ratio(&title, (&own.cpu, &sqlite.cpu), Goal::Shown));
        for duck in duck {
            lines.push(Line::ratio(&title, (&own.cpu, &duck.cpu), Goal::Shown));
            ducks.push(duck.cpu.clone());
        }
        ours.push(own.cpu.clone());
        sqlites.push(sqlite.cpu.clone());
    }
    let title = format!("{name}: geometric mean of the four");
    let own = mean(QUOTIENT, &ours);
    lines.push(Line::ratio(&title, (&own, &mean(SQLITE, &sqlites)), Goal::Shown));
    lines.push(if ducks.is_empty() {
        Line::absent(&title, DUCKDB_SHOWN, goal)
    } else {
        Line::ratio(&title, (&own, &mean(DUCKDB_SHOWN, &ducks)), goal)
    });
    lines.push(report(served, name, effort)?);
    Ok(lines)
}

fn mean(name: &'static str, all: &[Times]) -> Times {
    let all: Vec<&Times> = all.iter().collect();
    Times::together(name, &all, |round| {
        let logarithms: f64 = round.iter().map(|time| time.ln()).sum();
        let count = u32::try_from(round.len()).map_or(1.0, f64::from);
        (logarithms / count).exp()
    })
}

/// Measures the report of top products, which also counts orders by product, and no rollup does.
fn report(served: &Served<'_>, name: &str, effort: Effort) -> Result<Line, Failure> {
    let (first, last) = served.days(90)?;
    let path = format!(
        "/admin/metrics/reports/top-products?by=units&limit=10&start_date={first}&end_date={last}"
    );
    let compute = || served.client.get(&path).map(drop);
    let sample =
        || Sample::of(effort.batch, || served.server.cpu(), || served.late_order(), compute);
    let times = take_samples(&mut [Sampler::new("–", sample)], effort.rounds)?;
    let own = times.first().ok_or("no report")?;
    let title = format!("{name}: report of top products of 90 days, with orders, shares, margins");
    Ok(Line::time(&title, &own.cpu, Goal::Shown))
}

/// A question about a store.
struct Asking<'a, 'r> {
    served: &'a Served<'r>,
    connection: &'a Connection,
    python: Option<&'a Python>,
    question: &'static Question,
}

impl Asking<'_, '_> {
    fn measure(&self, effort: Effort) -> Result<Vec<SampledTimes>, Failure> {
        let http = || self.question.by_api(self.served, effort.batch);
        let rows = || {
            let least = effort.batch.min(SHORT);
            Sample::of(least, || Ok(thread_time()), || Ok(()), || self.by_sqlite().map(drop))
        };
        let mut samplers = vec![Sampler::new(QUOTIENT, http), Sampler::new(SQLITE, rows)];
        if let Some(python) = self.python {
            samplers.push(Sampler::new(DUCKDB_SHOWN, move || self.by_duckdb(python, effort)));
        }
        take_samples(&mut samplers, effort.rounds)
    }

    fn by_quotient(&self) -> Result<Answer, Failure> {
        let response =
            self.served.client.post_as_admin(COMPUTE, &self.question.body(self.served)?)?;
        (self.question.read)(response.pointer("/metrics").ok_or("no metrics")?)
    }

    fn by_sqlite(&self) -> Result<Answer, Failure> {
        let end = self.served.end.as_millis();
        let begin = end.saturating_sub(self.question.days.saturating_mul(DAY_MS));
        let mut statement = self.connection.prepare_cached(self.question.sql)?;
        let count = statement.column_count();
        let rows = statement.query_map([begin, end], |row| {
            let numbers = (1..count).map(|column| row.get(column));
            Ok((row.get(0)?, numbers.collect::<Result<Vec<i64>, _>>()?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn by_duckdb(&self, python: &Python, effort: Effort) -> Result<Sample, Failure> {
        let start = Instant::now();
        let (mut calls, mut cpu) = (0_u32, Duration::ZERO);
        loop {
            cpu = cpu.saturating_add(python.time(DUCKDB, self.question.key)?);
            calls = calls.saturating_add(1);
            if cpu >= effort.batch.min(SHORT) {
                return Ok(Sample::new(calls, cpu, start.elapsed()));
            }
        }
    }

    /// Checks that the API answers the same as SQLite.
    fn check(&self) -> Result<(), Failure> {
        let (own, rows) = (self.by_quotient()?, self.by_sqlite()?);
        let title = self.question.title;
        if own != rows {
            return Err(format!("{title}: {own:?} and by SQLite {rows:?}").into());
        }
        if rows.iter().all(|(_, numbers)| numbers.iter().all(|number| *number == 0)) {
            return Err(format!("{title}: nothing was sold").into());
        }
        Ok(())
    }

    /// Checks that DuckDB answers the same as SQLite.
    fn check_duckdb(&self) -> Result<(), Failure> {
        let Some(python) = self.python else { return Ok(()) };
        let duck: Answer = serde_json::from_str(python.answer(DUCKDB, self.question.key)?)?;
        let rows = self.by_sqlite()?;
        let title = self.question.title;
        if duck == rows {
            Ok(())
        } else {
            Err(format!("{title}: {duck:?} and by SQLite {rows:?}").into())
        }
    }
}

/// The batch of contestants that measure themselves; it need not be longer.
const SHORT: Duration = Duration::from_millis(50);

/// Converts an exact value to whole minor units or pieces.
fn minor(value: Option<&Value>, scale: u32) -> Result<i64, Failure> {
    let text = value.ok_or("no value")?.to_string();
    let number: Decimal = text.trim_matches('"').parse()?;
    let whole = number.checked_mul(Decimal::from(10_i64.pow(scale))).ok_or("a large value")?;
    if !whole.is_integer() {
        return Err(format!("{text} has more digits than its currency").into());
    }
    Ok(whole.trunc().mantissa().try_into()?)
}

fn text(value: Option<&Value>) -> Result<&str, Failure> {
    value.and_then(Value::as_str).ok_or_else(|| "a text is missing".into())
}

fn list(value: Option<&Value>) -> Result<&[Value], Failure> {
    value.and_then(Value::as_array).map(Vec::as_slice).ok_or_else(|| "a list is missing".into())
}

fn whole(metrics: &Value) -> Result<Answer, Failure> {
    let total = minor(metrics.pointer("/gmv/value"), 2)?;
    let count = minor(metrics.pointer("/order_count/value"), 0)?;
    let average: Decimal =
        metrics.pointer("/aov/value").ok_or("no average")?.to_string().trim_matches('"').parse()?;
    let expected = Decimal::new(total, 2).checked_div(Decimal::from(count)).ok_or("no orders")?;
    if average.round_dp(AVERAGE_DIGITS) != expected.round_dp(AVERAGE_DIGITS) {
        return Err(format!("an average of {average} and not {expected}").into());
    }
    Ok(vec![(String::new(), vec![total, count])])
}

/// Reads a daily series; days without sales have no row.
fn daily(metrics: &Value) -> Result<Answer, Failure> {
    let mut answer = Vec::new();
    for bucket in list(metrics.pointer("/gmv/series"))? {
        let start = text(bucket.pointer("/period/start"))?;
        let day = start.split_once('T').map_or(start, |(day, _)| day);
        let value = bucket.pointer("/value").filter(|value| !value.is_null());
        match value.map(|value| minor(Some(value), 2)).transpose()? {
            None | Some(0) => {}
            Some(total) => answer.push((day.to_owned(), vec![total])),
        }
    }
    Ok(answer)
}

fn channels(metrics: &Value) -> Result<Answer, Failure> {
    let mut answer = Answer::new();
    for group in list(metrics.pointer("/gmv/groups"))? {
        let key = text(group.pointer("/keys/sales_channel_id"))?;
        answer.push((key.to_owned(), vec![minor(group.pointer("/value"), 2)?]));
    }
    answer.sort();
    if answer.len() > usize::try_from(CHANNELS)? {
        return Err("more channels than there are".into());
    }
    Ok(answer)
}

fn products(metrics: &Value) -> Result<Answer, Failure> {
    let mut sold: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (path, scale) in [("/units/groups", 0), ("/item_sales/groups", 2)] {
        for group in list(metrics.pointer(path))? {
            let key = text(group.pointer("/keys/product"))?;
            sold.entry(key.to_owned()).or_default().push(minor(group.pointer("/value"), scale)?);
        }
    }
    let mut answer: Answer = sold.into_iter().collect();
    // The sort is stable, so that products with equal sales stay in the order of their ids.
    answer.sort_by_key(|(_, numbers)| std::cmp::Reverse(numbers.first().copied()));
    answer.truncate(TOP);
    Ok(answer)
}
