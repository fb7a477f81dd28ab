//! The rows below the aggregates of explanations, listed by a database: as many as in memory.

use quotient::calendar::TimeUnit;
use quotient::explain::{CountedRows, Explanation};
use quotient::sql::{Database, Dialect, InstantUnit, RowsPage};
use quotient::types::Value;
use quotient::{Engine, Filter, Formula, Inputs, Request};

use crate::sql::differential::FORMULAS;
use crate::sql::random::store;
use crate::sql::sqlite::{self, Sqlite};
use crate::sql::tables::Tables;
use crate::stores::engine;

/// The rows of a page.
const LIMIT: u32 = 7;

fn requests() -> Vec<Request> {
    let day = |text: &str| text.parse().expect("a day");
    let now = "2026-03-31T20:00:00Z".parse().expect("an instant");
    let period = Some((day("2026-02-01"), day("2026-03-29")));
    let plain = Request { period, now, ..Request::default() };
    let filter = Some(Filter::new("country = 'DE'"));
    let timezone = Some("Europe/Berlin".to_owned());
    let by = Some(TimeUnit::Week);
    vec![Request { filter, ..plain.clone() }, Request { timezone, by, ..plain }]
}

/// The parts of an explanation, with the part itself.
fn parts(root: &Explanation) -> Vec<&Explanation> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(part) = found.get(next).copied() {
        found.extend(&part.children);
        next += 1;
    }
    found
}

/// The request for every aggregate.
struct AggregateRequest<'a> {
    engine: &'a Engine,
    database: &'a Database<'a>,
    formula: &'a Formula,
    request: &'a Request,
}

impl AggregateRequest<'_> {
    fn rows(&self, aggregate: usize, offset: u32) -> CountedRows {
        let page = RowsPage { offset, limit: LIMIT };
        let found =
            self.engine.counted_rows(self.formula, self.database, self.request, (aggregate, page));
        found.expect("an answer").expect("an aggregate")
    }

    /// Checks the rows of a part; returns whether the database lists them.
    fn check(&self, part: &Explanation) -> Option<bool> {
        let (counted, aggregate) = (part.rows.as_ref()?, part.aggregate?);
        let text = self.formula.text();
        let rows = self.rows(aggregate, 0);
        if let Some(reason) = rows.unlisted {
            assert!(rows.rows.is_empty() && !reason.is_empty(), "{text}: {rows:?}");
            return Some(false);
        }
        assert_eq!((&rows.source, rows.count), (&counted.source, counted.count), "{text}");
        let first = rows.rows.len();
        assert_eq!(u64::try_from(first).ok(), Some(counted.count.min(LIMIT.into())), "{text}");
        let keys = |rows: &CountedRows| -> Vec<Value> {
            rows.rows
                .iter()
                .map(|row| row.key.clone())
                .filter(|key| key.as_missing().is_none())
                .collect()
        };
        let (own, next) = (keys(&rows), keys(&self.rows(aggregate, LIMIT)));
        assert!(own.iter().all(|key| !next.contains(key)), "{text}: {own:?} {next:?}");
        Some(true)
    }
}

#[test]
fn a_database_lists_the_rows_that_rows_in_memory_are_counted_from() {
    let engine = engine("stores/platform/kpis.metrics");
    let metrics = engine.metrics().iter().map(|metric| metric.key.as_str());
    let formulas: Vec<Formula> =
        metrics.chain(FORMULAS).map(|text| engine.compile(text).expect("a formula")).collect();
    let (mut listed, mut unlisted) = (0, 0);
    for tables in [Tables::committed(engine.schema()), store(engine.schema(), 1)] {
        let binding = tables.binding(engine.schema(), InstantUnit::Second);
        let script = tables.script(engine.schema(), &binding, sqlite::DDL);
        let data = tables.data(&engine, crate::sql::differential::rates());
        let sqlite = Sqlite::new(&script);
        let database = Database::new(&sqlite, Dialect::Sqlite, engine.schema())
            .with_binding(binding)
            .with_rates(crate::sql::differential::rates());
        for request in requests() {
            for formula in &formulas {
                let explained = engine.explain(formula, Inputs::data(&data), &request);
                let Ok(explained) = explained else { continue };
                let query = AggregateRequest {
                    engine: &engine,
                    database: &database,
                    formula,
                    request: &request,
                };
                for found in parts(&explained).into_iter().filter_map(|part| query.check(part)) {
                    if found { listed += 1 } else { unlisted += 1 }
                }
            }
        }
    }
    assert!(listed > 500 && unlisted < listed / 10, "{listed} are listed, {unlisted} are not");
}

#[test]
fn rows_are_listed_newest_first_with_what_they_link_to() {
    let engine = engine("stores/platform/kpis.metrics");
    let tables = Tables::committed(engine.schema());
    let binding = tables.binding(engine.schema(), InstantUnit::Second);
    let sqlite = Sqlite::new(&tables.script(engine.schema(), &binding, sqlite::DDL));
    let database = Database::new(&sqlite, Dialect::Sqlite, engine.schema()).with_binding(binding);
    let formula = engine.compile("sum(items.quantity where order.country = 'DE')").expect("one");
    let request = Request::default();
    let query = AggregateRequest {
        engine: &engine,
        database: &database,
        formula: &formula,
        request: &request,
    };

    let rows = query.rows(0, 0);

    assert_eq!(rows.label, "sum(items.quantity where order.country = 'DE')");
    let dates: Vec<&Value> = rows.rows.iter().map(|row| &row.date).collect();
    let instant = |value: &&Value| match value {
        Value::DateTime(at) => *at,
        other => panic!("{other:?}"),
    };
    assert!(dates.iter().map(instant).is_sorted_by(|a, b| a >= b), "{dates:?}");
    for row in &rows.rows {
        let order = row.links.iter().find(|link| link.name == "order").expect("a link");
        assert_eq!(order.source, "orders");
        assert!(matches!(&order.key, Value::Text(_)) && row.value.as_number().is_some());
    }
    let page = RowsPage { offset: 0, limit: LIMIT };
    let none = engine.counted_rows(&formula, &database, &request, (99, page));
    assert_eq!(none.expect("an answer"), None);
}
