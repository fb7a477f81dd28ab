//! Every metric of the platform store over random stores: through rows in memory and through a
//! database, equal to the last digit.

use std::fmt::Write;

use quotient::calendar::TimeUnit;
use quotient::data::{Data, Rates};
use quotient::diagnostics::Diagnostic;
use quotient::sql::{Binding, Database, Dialect, InstantUnit, Store};
use quotient::types::{Currency, Value};
use quotient::{Answers, Comparison, Engine, Formula, Inputs, Request};

use crate::random::store;
use crate::sqlite::{DDL, Sqlite};
use crate::stores::engine;
use crate::tables::Tables;

/// What is not among the metrics: functions, places in an order, filters, dates by other dates.
const FORMULAS: [&str; 45] = [
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
    "share_of(orders where status = 'completed')",
    "(share_of(orders where total > 100 USD) where country = 'DE')",
    "sum(refunds.subtotal dated by order.created_at)",
    "opening(sum(inventory.on_hand))",
    "count(customers where sum(orders.total) > 300 USD and max(orders.created_at) in period)",
    "count(customers where count(orders where status = 'completed') = 1)",
    "sum(payments.amount)",
    "avg(sum(orders.total) per sales_channel)",
];

/// A request and its name.
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
    requests
}

fn rates() -> Rates {
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

/// A store twice: as rows in memory, and in a database.
pub(crate) struct Twice<'t> {
    pub(crate) engine: &'t Engine,
    pub(crate) data: &'t Data,
    pub(crate) database: &'t Database<'t>,
}

impl Twice<'_> {
    /// What differs, request by request.
    pub(crate) fn differences(&self, requests: &[(String, Request)]) -> Vec<String> {
        let mut found = Vec::new();
        for (name, request) in requests {
            for formula in formulas(self.engine, request) {
                let left = self.engine.evaluate(&[&formula], Inputs::data(self.data), request);
                let right =
                    self.engine.evaluate(&[&formula], Inputs::store(self.database), request);
                let (left, right) = (shown(&left), shown(&right));
                if left != right {
                    let text = formula.text();
                    let ran = self.database.take_ran();
                    found.push(format!(
                        "{name}: {text}\n  rows: {left}\n  sql:  {right}\n  {ran:#?}"
                    ));
                }
                self.database.take_ran();
            }
        }
        found
    }
}

/// The metrics and the formulas above, as far as they can be grouped as the request wants.
fn formulas(engine: &Engine, request: &Request) -> Vec<Formula> {
    let keys = engine.metrics().iter().map(|metric| metric.key.as_str());
    let texts = keys.chain(FORMULAS);
    texts
        .map(|text| engine.compile(text).unwrap_or_else(|found| panic!("{text}: {found:?}")))
        .filter(|formula| {
            let plain = Request { period: None, by: None, compare: None, ..request.clone() };
            let nothing = engine.data(Vec::new(), Rates::new()).expect("no rows");
            request.group_by.is_empty()
                || engine.evaluate(&[formula], Inputs::data(&nothing), &plain).is_ok()
        })
        .collect()
}

/// Every value with every digit and reason, the groups, the comparisons.
fn shown(answers: &Result<Answers, Vec<Diagnostic>>) -> String {
    let answers = match answers {
        Ok(answers) => answers,
        Err(found) => return format!("{found:?}"),
    };
    let mut text = format!("{:?} ", answers.groups);
    for answer in answers.of(0) {
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

fn sqlite(engine: &Engine, tables: &Tables, unit: InstantUnit) -> (Sqlite, Binding) {
    let binding = tables.binding(engine.schema(), unit);
    (Sqlite::new(&tables.script(engine.schema(), &binding, DDL)), binding)
}

fn compare(
    engine: &Engine,
    tables: &Tables,
    dialect: Dialect,
    store: &dyn Store,
    binding: Binding,
) -> Vec<String> {
    let data = tables.data(engine, rates());
    let database =
        Database::new(store, dialect, engine.schema()).with_binding(binding).with_rates(rates());
    Twice { engine, data: &data, database: &database }.differences(&requests())
}

fn none(found: &[String], what: &str) {
    let shown: Vec<&str> = found.iter().take(4).map(String::as_str).collect();
    assert!(found.is_empty(), "{what}: {} differ\n{}", found.len(), shown.join("\n"));
}

#[test]
fn sqlite_answers_as_rows_do_over_the_committed_store() {
    let engine = engine("stores/platform/kpis.metrics");
    let tables = Tables::committed(engine.schema());
    let (store, binding) = sqlite(&engine, &tables, InstantUnit::Microsecond);
    none(&compare(&engine, &tables, Dialect::Sqlite, &store, binding), "platform");
}

#[test]
fn sqlite_answers_as_rows_do_over_random_stores() {
    let engine = engine("stores/platform/kpis.metrics");
    for seed in 1..4 {
        let tables = store(engine.schema(), seed);
        let (store, binding) = sqlite(&engine, &tables, InstantUnit::Microsecond);
        none(&compare(&engine, &tables, Dialect::Sqlite, &store, binding), &format!("seed {seed}"));
    }
}
