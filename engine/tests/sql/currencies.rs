//! Rows with amounts in two currencies: a database leaves them to the engine, whatever the store does with
//! them.

use quotient::data::Rates;
use quotient::file::load;
use quotient::format::exact;
use quotient::sql::{Database, Dialect, InstantUnit};
use quotient::types::Currency;
use quotient::{Engine, Inputs, Request};

use crate::sql::sqlite::{self, Sqlite};
use crate::sql::tables::{Rows, Tables};

fn shop(policy: &str) -> (Engine, Tables) {
    let file = format!(
        "
store
    currency USD
    mixed_currency {policy}
source orders event
    key id text
    date at datetime
    field currency text
    field settled_currency text
    field total money by currency
    field tax money by currency
    field settled money by settled_currency
    field customer text
    link buyer to customers by customer
source customers entity
    key id text
"
    );
    let loaded = load("shop", &mut |_| Ok(file.clone()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:#?}");
    let rows = |source: &str, header: &[&str], cells: &[&[&str]]| Rows {
        source: source.to_owned(),
        header: header.iter().map(|name| (*name).to_owned()).collect(),
        cells: cells
            .iter()
            .map(|row| row.iter().map(|cell| (*cell).to_owned()).collect())
            .collect(),
    };
    let header =
        ["id", "at", "currency", "settled_currency", "total", "tax", "settled", "customer"];
    let at = "2026-01-05T12:00:00Z";
    let orders = rows(
        "orders",
        &header,
        &[
            &["1", at, "EUR", "USD", "100", "10", "110", "a"],
            &["2", at, "EUR", "EUR", "50", "5", "40", "a"],
            &["3", at, "USD", "USD", "30", "3", "20", "b"],
            &["4", at, "USD", "EUR", "100", "10", "90", "b"],
            &["absent", at, "USD", "", "0", "0", "", "b"],
        ],
    );
    let customers = rows("customers", &["id"], &[&["a"], &["b"], &["c"]]);
    (engine, Tables { tables: vec![orders, customers] })
}

/// The answers over rows and over SQLite.
fn both(policy: &str, text: &str) -> [String; 2] {
    let (engine, tables) = shop(policy);
    let binding = tables.binding(engine.schema(), InstantUnit::Microsecond);
    let store = Sqlite::new(&tables.script(engine.schema(), &binding, sqlite::DDL));
    let mut rates = Rates::new();
    let euro = Currency::from_code("EUR").expect("a currency");
    let worth = "1.1".parse().expect("a rate");
    rates.set("2026-01-01".parse().expect("a day"), euro, worth).expect("a rate");
    let database = Database::new(&store, Dialect::Sqlite, engine.schema());
    let database = database.with_binding(binding).with_rates(rates.clone());
    let data = tables.data(&engine, rates);
    let formula = engine.compile(text).unwrap_or_else(|found| panic!("{text}: {found:#?}"));
    [Inputs::data(&data), Inputs::store(&database)].map(|inputs| {
        let answers = engine.evaluate(&[&formula], inputs, &Request::default()).expect(text);
        let answer = answers.first().expect("an answer");
        answer
            .null_reason
            .map_or_else(|| exact(&answer.value), |reason| format!("null ({})", reason.name()))
    })
}

#[test]
fn amounts_of_a_row_in_two_currencies_are_not_computed_with() {
    const MIXED: &str = "null (mixed_currency)";
    for (text, converted, refused) in [
        ("sum(orders.total - orders.settled)", MIXED, MIXED),
        ("sum(if(orders.total > 0, orders.total, orders.settled))", MIXED, MIXED),
        // 10 euros and 10 dollars.
        ("sum(orders.total - orders.settled where currency = settled_currency)", "21", MIXED),
        ("sum(orders.total - orders.tax where customer = 'a')", "148.5", "135"),
        ("count(orders where total > settled)", "2", "2"),
        ("count(orders where total < settled)", "0", "0"),
        ("count(orders where total != settled)", "5", "5"),
        ("count(orders where total in (settled, settled + settled))", "0", "0"),
        ("count(orders where total - settled > 0)", "2", "2"),
        ("count(orders where total > tax)", "4", "4"),
        ("count(customers where sum(orders.settled) > sum(orders.total))", "0", "0"),
        ("count(orders where id = 'absent' and (settled default total) <= 0)", "1", "0"),
        // One condition narrows one of the two columns.
        ("sum(orders.total - orders.settled where currency = 'EUR')", MIXED, MIXED),
        (
            "sum(orders.total - orders.settled where currency = 'EUR' and settled_currency = 'EUR')",
            "10",
            "10",
        ),
    ] {
        for (policy, expected) in [("convert", converted), ("refuse", refused)] {
            assert_eq!(both(policy, text), [expected, expected], "{policy}: {text}");
        }
    }
}
