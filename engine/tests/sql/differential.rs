//! Every metric of the platform store over random stores: through rows in memory and through a
//! database, equal to the last digit.

use std::fmt::Write;

use quotient::calendar::TimeUnit;
use quotient::data::{Data, Rates};
use quotient::diagnostics::Diagnostic;
use quotient::sql::{Binding, Database, Dialect, InstantUnit, Store};
use quotient::types::{Currency, Value};
use quotient::{Answers, Comparison, Engine, Filter, Formula, Inputs, Request};

use crate::sql::postgres::{self, PostgreSql};
use crate::sql::python::{self, Python};
use crate::sql::random::store;
use crate::sql::sqlite::{self, Sqlite};
use crate::sql::tables::{Ddl, Tables};
use crate::stores::engine;

/// Formulas that the metrics do not contain: functions, places in an order, filters, dates by other
/// dates.
pub(crate) const FORMULAS: [&str; 66] = [
    "count(orders where total > 99.999 USD)",
    "count(orders where total <= 100 USD and not (promo_code is null or country like 'D_'))",
    "count(orders where total != 0 USD)",
    "count(orders where customer.country = country)",
    "count(orders where customer.country != country)",
    "count(orders where total in (0 USD, 59.79 USD))",
    "count(orders where status in ('completed', 'pending') or country in ('DE', 'de'))",
    "count(orders where country like '%e%')",
    "count(orders where country > 'Z')",
    "count(orders where created_at < @2026-03-01)",
    "count(orders where created_at = @2026-03-29)",
    "count(orders where created_at > @2026-03-29)",
    "count(marketing where day = @2026-02-10)",
    "count(marketing where day in @2026-02)",
    "count(orders where created_at in @2026-Q1)",
    "count(orders where created_at between @2026-02-01 and @2026-02-28)",
    "count(orders.promo_code)",
    "count_distinct(orders.country where status = 'completed')",
    "count_distinct(orders.total)",
    "count_distinct(items.order.customer_id)",
    "avg(orders.total)",
    "avg(orders.total - orders.tax_total)",
    "sum(items.quantity * items.unit_price - items.discount)",
    "sum(-orders.total)",
    "sum(orders.total * 1.5)",
    "sum(orders.total / 3)",
    "sum(if(orders.total > 50 USD, orders.total, 0 USD))",
    "min(orders.total)",
    "min(orders.created_at)",
    "max(marketing.day)",
    "min(fulfillments.shipped_at - fulfillments.created_at)",
    "first(orders.total)",
    "last(orders.country where status = 'completed')",
    "median(orders.total)",
    "percentile(orders.total, 12.5%)",
    "stddev(orders.total)",
    "stddev(marketing.clicks)",
    "stddev_pop(orders.total)",
    "variance(marketing.clicks)",
    "variance_pop(orders.total / 1 USD)",
    "variance(fulfillments.shipped_at - fulfillments.created_at)",
    "variance(count(orders) per week)",
    "mode(orders.country)",
    "mode(orders.total where status = 'completed')",
    "mode(items.quantity)",
    "mode(orders.created_at)",
    "mode(marketing.day)",
    "mode(items.quantity * items.unit_price)",
    "min(orders.country)",
    "max(items.order.country where quantity > 1)",
    "weighted_avg(items.unit_price, items.quantity)",
    "weighted_avg(items.unit_price - items.discount, items.quantity where order.status = 'completed')",
    "weighted_avg(payments.amount, 2)",
    "weighted_avg(avg(orders.total), count(orders) per sales_channel)",
    "moving_avg(sum(orders.total), 3) - previous_bucket(sum(orders.total))",
    "running_share(count_distinct(orders.customer_id)) + rank(count(orders), by: period)",
    "share_of(orders where status = 'completed')",
    "(share_of(orders where total > 100 USD) where country = 'DE')",
    "sum(refunds.subtotal dated by order.created_at)",
    "opening(sum(inventory.on_hand))",
    "count(customers where sum(orders.total) > 300 USD and max(orders.created_at) in period)",
    "count(customers where count(orders where status = 'completed') = 1)",
    "count(orders where max(items.quantity * items.unit_price) < 500 USD)",
    "(count(customers where count(orders) >= 2) / count(orders) where country = 'DE')",
    "sum(payments.amount)",
    "avg(sum(orders.total) per sales_channel)",
];

/// Requests by name.
fn requests() -> Vec<(String, Request)> {
    let mut requests = Vec::new();
    let days = |first: &str, last: &str| {
        Some((first.parse().expect("a day"), last.parse().expect("a day")))
    };
    let now = "2026-03-31T20:00:00Z".parse().expect("an instant");
    for (by, period) in [
        (None, days("2026-01-01", "2026-03-31")),
        (Some(TimeUnit::Month), days("2025-12-15", "2026-04-10")),
        (Some(TimeUnit::Week), days("2026-02-10", "2026-04-02")),
        (Some(TimeUnit::Day), days("2026-03-25", "2026-04-01")),
    ] {
        for zone in [None, Some("Europe/Berlin")] {
            for group_by in [vec![], vec!["country".to_owned()]] {
                let compare = match (zone, group_by.len()) {
                    (Some(_), _) => Some(Comparison::Previous),
                    (None, 1) => Some(Comparison::LastYear),
                    (None, _) => None,
                };
                let name = format!("{by:?} {zone:?} {group_by:?} {compare:?}");
                let timezone = zone.map(str::to_owned);
                let request =
                    Request { period, by, group_by, compare, timezone, now, ..Request::default() };
                requests.push((name, request));
            }
        }
    }
    let euro = Currency::from_code("EUR");
    requests.push(("always".to_owned(), Request::default()));
    requests.push((
        "in euros".to_owned(),
        Request { period: days("2026-01-01", "2026-03-31"), currency: euro, ..Request::default() },
    ));
    let quarter = Request { period: days("2026-01-01", "2026-03-31"), now, ..Request::default() };
    let near = "if(country in ('DE', 'FR'), 'near', 'far') as distance".to_owned();
    requests.push((near.clone(), Request { group_by: vec![near], ..quarter.clone() }));
    let filter = Some(Filter::new("country = :country").with("country", "DE"));
    requests.push(("only some rows".to_owned(), Request { filter, ..quarter }));
    requests
}

pub(crate) fn rates() -> Rates {
    let mut rates = Rates::new();
    for (day, code, rate) in
        [("2025-12-01", "EUR", "1.08"), ("2026-03-01", "EUR", "1.1"), ("2026-01-10", "GBP", "1.25")]
    {
        let currency = Currency::from_code(code).expect("a currency");
        rates
            .set(day.parse().expect("a day"), currency, rate.parse().expect("a rate"))
            .expect("a rate");
    }
    rates
}

/// The formulas that are evaluated at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Each alone: for every third request, unless external databases are queried, too.
    Alone,
    /// All of a request.
    Together,
}

/// The metrics and the formulas above: all of them, and those that can be grouped by country.
struct Formulas {
    all: Vec<Formula>,
    by_country: Vec<Formula>,
}

impl Formulas {
    fn of(engine: &Engine) -> Self {
        let keys = engine.metrics().iter().map(|metric| metric.key.as_str());
        let all: Vec<Formula> = keys
            .chain(FORMULAS)
            .map(|text| engine.compile(text).unwrap_or_else(|found| panic!("{text}: {found:?}")))
            .collect();
        let nothing = engine.data(Vec::new(), Rates::new()).expect("no rows");
        let request = Request { group_by: vec!["country".to_owned()], ..Request::default() };
        let groups = |formula: &&Formula| {
            engine.evaluate(&[formula], Inputs::data(&nothing), &request).is_ok()
        };
        let by_country = all.iter().filter(groups).cloned().collect();
        Self { all, by_country }
    }
}

/// The differences between rows in memory and a database, for each request.
fn differences(
    engine: &Engine,
    data: &Data,
    database: &Database<'_>,
    extent: Extent,
) -> Vec<String> {
    let formulas = Formulas::of(engine);
    let mut found = Vec::new();
    let every = if extent == Extent::Alone && !all_engines() { 3 } else { 1 };
    for (name, request) in requests().into_iter().step_by(every) {
        let formulas = if request.group_by.is_empty() && request.filter.is_none() {
            &formulas.all
        } else {
            &formulas.by_country
        };
        let formulas: Vec<&Formula> = formulas.iter().collect();
        let size = if extent == Extent::Alone { 1 } else { formulas.len() };
        for chunk in formulas.chunks(size) {
            let left = engine.evaluate(chunk, Inputs::data(data), &request);
            let right = engine.evaluate(chunk, Inputs::store(database), &request);
            let ran = database.take_ran();
            for (index, formula) in chunk.iter().enumerate() {
                let (left, right) = (formatted(&left, index), formatted(&right, index));
                if left != right {
                    let text = formula.text();
                    let ran = if chunk.len() == 1 { format!("{ran:#?}") } else { String::new() };
                    found.push(format!("{name}: {text}\n  rows: {left}\n  sql:  {right}\n{ran}"));
                }
            }
        }
    }
    found
}

/// Every value with every digit and reason, the groups, the comparisons.
fn formatted(answers: &Result<Answers, Vec<Diagnostic>>, formula: usize) -> String {
    let answers = match answers {
        Ok(answers) => answers,
        Err(found) => return format!("{found:?}"),
    };
    let mut text = format!("{:?} ", answers.groups);
    for answer in answers.of(formula) {
        write!(text, "{} ", value(&answer.value)).expect("text");
        if let Some(previous) = &answer.previous {
            write!(text, "({previous:?}) ").expect("text");
        }
    }
    text
}

fn value(value: &Value) -> String {
    match value {
        Value::Missing(missing) => format!("{missing:?}"),
        Value::Number(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}

/// Fails with the first difference.
fn compare(
    (engine, tables): (&Engine, &Tables),
    (dialect, store, binding): (Dialect, &dyn Store, Binding),
    extent: Extent,
    name: &str,
) {
    let data = tables.data(engine, rates());
    let database =
        Database::new(store, dialect, engine.schema()).with_binding(binding).with_rates(rates());
    let found = differences(engine, &data, &database, extent);
    let first: Vec<&str> = found.iter().take(3).map(String::as_str).collect();
    assert!(found.is_empty(), "{name}: {} differ\n{}", found.len(), first.join("\n"));
}

fn platform() -> Engine {
    engine("stores/platform/kpis.metrics")
}

/// Returns the seeds of the random stores.
fn seeds() -> std::ops::Range<u64> {
    if all_engines() { 1..4 } else { 1..2 }
}

fn on_sqlite(engine: &Engine, tables: &Tables, unit: InstantUnit, extent: Extent, name: &str) {
    let binding = tables.binding(engine.schema(), unit);
    let store = Sqlite::new(&tables.script(engine.schema(), &binding, sqlite::DDL));
    compare((engine, tables), (Dialect::Sqlite, &store, binding), extent, name);
}

#[test]
fn sqlite_answers_as_rows_do_over_the_committed_store() {
    let engine = platform();
    let tables = Tables::committed(engine.schema());
    on_sqlite(&engine, &tables, InstantUnit::Second, Extent::Together, "platform");
}

#[test]
fn sqlite_answers_as_rows_do_over_random_stores() {
    let engine = platform();
    for seed in seeds() {
        let tables = store(engine.schema(), seed);
        let extent = if seed == 1 { Extent::Alone } else { Extent::Together };
        on_sqlite(&engine, &tables, InstantUnit::Microsecond, extent, &format!("seed {seed}"));
    }
}

/// The stores for external databases.
fn stores(engine: &Engine) -> Vec<Tables> {
    let committed = Tables::committed(engine.schema());
    seeds().map(|seed| store(engine.schema(), seed)).chain([committed]).collect()
}

#[test]
fn postgresql_answers_as_rows_do() {
    if !all_engines() {
        return;
    }
    let server = PostgreSql::start().expect("initdb below /usr/lib/postgresql that runs");
    let engine = platform();
    for tables in stores(&engine) {
        let binding = tables.binding(engine.schema(), InstantUnit::Microsecond);
        server.run(&tables.script(engine.schema(), &binding, postgres::DDL));
        let store: &dyn Store = &server;
        let database = (Dialect::PostgreSql, store, binding);
        compare((&engine, &tables), database, Extent::Together, "postgresql");
    }
}

#[test]
fn clickhouse_answers_as_rows_do() {
    in_python("chdb", Dialect::ClickHouse, python::CLICKHOUSE);
}

#[test]
fn datafusion_answers_as_rows_do() {
    in_python("datafusion", Dialect::DataFusion, python::DATAFUSION);
}

fn in_python(module: &str, dialect: Dialect, ddl: Ddl) {
    if !all_engines() {
        return;
    }
    let engine = platform();
    for tables in stores(&engine) {
        let process = Python::start(module).expect("it is installed in target/engines");
        let binding = tables.binding(engine.schema(), InstantUnit::Microsecond);
        process.run(&tables.script(engine.schema(), &binding, ddl));
        let store: &dyn Store = &process;
        let database = (dialect, store, binding);
        compare((&engine, &tables), database, Extent::Together, module);
    }
}

/// Returns whether to query external databases, too, with all requests. Nothing may be missing then.
pub(crate) fn all_engines() -> bool {
    std::env::var_os("QUOTIENT_ALL_ENGINES").is_some()
}
