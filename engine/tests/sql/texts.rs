//! The statements themselves: readable, stable, and few.

use std::cell::{Cell, RefCell};
use std::fmt::Write;

use quotient::calendar::TimeUnit;
use quotient::diagnostics::Code;
use quotient::sql::{
    Binding, BoundValue, Database, Dialect, EachRow, Execution, Query, SqlValue, Store, StoreError,
};
use quotient::syntax::Limits;
use quotient::{Engine, Inputs, Request};

use crate::stores::engine;

/// A database that records its queries, and contains a single day of stock.
#[derive(Debug, Default)]
struct RecordingDatabase {
    queries: RefCell<Vec<Query>>,
}

impl Store for RecordingDatabase {
    fn query(&self, query: &Query, each: &mut EachRow<'_>) -> Result<(), StoreError> {
        self.queries.borrow_mut().push(query.clone());
        let dates = query.text.starts_with("SELECT DISTINCT") && query.text.contains("\"day\"");
        if dates { each(&[SqlValue::Integer(20_540)]) } else { Ok(()) }
    }
}

fn platform() -> Engine {
    engine("stores/platform/kpis.metrics")
}

fn march(by: Option<TimeUnit>) -> Request {
    let day = |text: &str| text.parse().expect("a day");
    Request {
        period: Some((day("2026-03-22"), day("2026-04-04"))),
        by,
        timezone: Some("Europe/Berlin".to_owned()),
        ..Request::default()
    }
}

/// The statements that formulas need in one dialect.
fn statements(engine: &Engine, dialect: Dialect, texts: &[&str], request: &Request) -> Vec<Query> {
    let store = RecordingDatabase::default();
    let database = Database::new(&store, dialect, engine.schema());
    let formulas: Vec<_> =
        texts.iter().map(|text| engine.compile(text).expect("a formula that checks")).collect();
    let formulas: Vec<_> = formulas.iter().collect();
    engine.evaluate(&formulas, Inputs::store(&database), request).expect("answers");
    store.queries.take()
}

fn formatted(queries: &[Query]) -> String {
    let mut text = String::new();
    for query in queries {
        writeln!(text, "{};\n-- {:?}\n", query.text, query.values).expect("text");
    }
    text
}

#[test]
fn statements_are_readable_in_every_dialect() {
    let engine = platform();
    let by_country = Request { group_by: vec!["country".to_owned()], ..march(None) };
    for dialect in Dialect::ALL {
        for (name, formula, request) in [
            ("aov-by-week", "aov", march(Some(TimeUnit::Week))),
            ("net-sales-by-country", "net_sales", by_country.clone()),
            ("repeat-purchase-rate", "repeat_purchase_rate", march(None)),
            ("lapsed-rate-by-week", "lapsed_rate", march(Some(TimeUnit::Week))),
            ("lead-time-p95", "lead_time_p95", march(None)),
            ("stockout-rate", "stockout_rate", march(None)),
            ("late-unshipped", "late_unshipped", march(None)),
            (
                "country-like",
                "count(orders where country like '_*%' and total > 9.999 USD)",
                march(None),
            ),
        ] {
            let text = formatted(&statements(&engine, dialect, &[formula], &request));
            insta::assert_snapshot!(format!("{name}@{}", dialect.name()), text);
        }
    }
}

#[test]
fn formulas_over_one_source_share_a_statement_however_many_periods_there_are() {
    let engine = platform();
    let count = |texts: &[&str], request: &Request| {
        statements(&engine, Dialect::Sqlite, texts, request).len()
    };
    // The lines of orders, refunds, orders.
    assert_eq!(count(&["aov"], &march(None)), 3);
    assert_eq!(count(&["aov"], &march(Some(TimeUnit::Day))), 3);
    let dashboard = [
        "gross_sales",
        "discounts",
        "net_sales",
        "aov",
        "gmv",
        "units_sold",
        "taxes",
        "buyers",
        "order_count",
    ];
    assert_eq!(count(&dashboard, &march(None)), 3);
    assert_eq!(count(&dashboard, &march(Some(TimeUnit::Day))), 3);
    // The same in the period before.
    assert_eq!(count(&["growth(net_sales)", "change(gmv)"], &march(None)), 6);
    // Each source is queried once for its groups; there are none here, so no further queries
    // follow.
    let by_country = Request { group_by: vec!["country".to_owned()], ..march(Some(TimeUnit::Day)) };
    assert_eq!(count(&["net_sales"], &by_country), 2);
    let every: Vec<&str> = engine.metrics().iter().map(|metric| metric.key.as_str()).collect();
    let by_day = march(Some(TimeUnit::Day));
    assert_eq!(count(&every, &by_day), count(&every, &march(Some(TimeUnit::Week))));
}

#[test]
fn the_reason_for_reading_rows_is_stated() {
    let engine = platform();
    for (formula, expected) in [
        ("sum(orders.total / 3)", "a division for each row"),
        ("count(orders where round(total) > 3 USD)", "round"),
        ("sum(payments.amount)", "amounts of several currencies"),
        (
            "count(customers where avg(orders.total) > 3 USD)",
            "an average, position or spread inside a row",
        ),
    ] {
        let store = RecordingDatabase::default();
        let database = Database::new(&store, Dialect::PostgreSql, engine.schema());
        let compiled = engine.compile(formula).expect(formula);
        engine.evaluate(&[&compiled], Inputs::store(&database), &march(None)).expect("answers");
        let ran = database.take_ran();
        let reason = ran.iter().find_map(|ran| match ran {
            Execution::Streamed { reason, .. } => Some(*reason),
            Execution::Query(..) => None,
        });
        assert_eq!(reason, Some(expected), "{formula}");
        let warned = engine.streamed(&compiled, Dialect::PostgreSql);
        let [warning] = warned.as_slice() else { panic!("{formula}: {warned:?}") };
        assert!(warning.message.ends_with(expected), "{warning:?}");
        assert_eq!((warning.code, warning.span.slice(formula)), (Code::W401, formula));
    }
}

#[test]
fn aggregates_beside_each_other_in_a_row_are_not_nested() {
    let engine = platform();
    let counts = (1..=10).map(|least| format!("count(orders where total > {least} USD) > 1"));
    let formula = format!("count(customers where {})", counts.collect::<Vec<_>>().join(" and "));
    let compiled = engine.compile(&formula).expect("a formula");
    let warned = engine.streamed(&compiled, Dialect::PostgreSql);
    assert!(warned.is_empty(), "{warned:?}");
}

/// A database that cannot be reached.
#[derive(Debug)]
struct UnreachableDatabase;

impl Store for UnreachableDatabase {
    fn query(&self, _: &Query, _: &mut EachRow<'_>) -> Result<(), StoreError> {
        Err(StoreError::Failed("connection refused".to_owned()))
    }
}

#[test]
fn a_source_can_be_some_rows_of_its_table_wherever_it_is_read() {
    let engine = platform();
    let store = RecordingDatabase::default();
    let rows = Binding::by_name(engine.schema())
        .with_rows(engine.schema(), "items", "currency", "usd")
        .with_rows(engine.schema(), "orders", "currency", "usd");
    let database = Database::new(&store, Dialect::Sqlite, engine.schema()).with_binding(rows);
    let formula = engine.compile("count(items where order.status = 'completed')").expect("checks");
    engine.evaluate(&[&formula], Inputs::store(&database), &march(None)).expect("answers");
    let queries = store.queries.take();
    let query = queries.first().expect("a statement");
    for part in [
        "(SELECT * FROM \"items\" WHERE \"currency\" = ?1) AS t",
        "(SELECT * FROM \"orders\" WHERE \"currency\" = ?1) AS j1",
    ] {
        assert!(query.text.contains(part), "{}", query.text);
    }
    assert_eq!(query.values.first(), Some(&BoundValue::Text("usd".to_owned())));
}

#[test]
fn a_failing_store_refuses_the_request_with_its_own_message() {
    let engine = platform();
    let database = Database::new(&UnreachableDatabase, Dialect::Sqlite, engine.schema());
    let formula = engine.compile("count(orders)").expect("a formula");
    let refused = engine.evaluate(&[&formula], Inputs::store(&database), &march(None));
    let findings = refused.expect_err("nothing to compute");
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    assert_eq!((finding.code, finding.message.as_str()), (Code::E505, "connection refused"));
}

/// A database whose statements have no end of rows, each of another customer.
#[derive(Debug, Default)]
struct EndlessDatabase {
    given: Cell<i64>,
}

impl Store for EndlessDatabase {
    fn query(&self, _: &Query, each: &mut EachRow<'_>) -> Result<(), StoreError> {
        loop {
            self.given.set(self.given.get() + 1);
            each(&[SqlValue::Text(format!("customer {}", self.given.get()))])?;
        }
    }
}

#[test]
fn the_number_of_groups_read_is_limited() {
    let limits = Limits { max_cells: 100, ..Limits::default() };
    let engine = Engine::with_limits(platform().schema().clone(), limits);
    let store = EndlessDatabase::default();
    let database = Database::new(&store, Dialect::Sqlite, engine.schema());
    let formula = engine.compile("max(count(orders) per customer)").expect("a formula");
    let refused = engine.evaluate(&[&formula], Inputs::store(&database), &march(None));
    let findings = refused.expect_err("too many groups");
    let [finding] = findings.as_slice() else { panic!("{findings:?}") };
    let expected = (Code::E707, "more than 100 groups at once");
    assert_eq!((finding.code, finding.message.as_str()), expected);
    assert_eq!(store.given.get(), 101);
}

#[test]
fn an_explanation_shows_the_statements_of_each_aggregate() {
    let engine = platform();
    let store = RecordingDatabase::default();
    let database = Database::new(&store, Dialect::Sqlite, engine.schema());
    let formula = engine.compile("sum(orders.total / 3) / count(orders)").expect("a formula");
    let opened = engine.explain(&formula, Inputs::store(&database), &march(None)).expect("a tree");
    let [sum, count] = opened.children.as_slice() else { panic!("{opened:?}") };
    let first = |ran: &[String]| ran.first().cloned().unwrap_or_default();
    assert_eq!(first(&sum.ran), "rows of `orders` are brought here: a division for each row");
    assert!(first(&count.ran).starts_with("SELECT count(*)\nFROM \"orders\""), "{:?}", count.ran);
    assert!(opened.ran.is_empty());
}

#[test]
fn names_are_quoted_and_texts_are_never_part_of_a_statement() {
    let engine = platform();
    let hostile = "count(orders where country = '''; drop table orders; --')";
    for dialect in Dialect::ALL {
        for query in statements(&engine, dialect, &[hostile], &march(None)) {
            assert!(!query.text.contains("drop"), "{}", query.text);
        }
    }
}
