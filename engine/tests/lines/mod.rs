//! Random lines of sales, as rows of the engine and as plain numbers.

#![expect(clippy::expect_used, clippy::panic, reason = "a store that does not load fails the test")]

use jiff::civil::Date;
use jiff::{Timestamp, ToSpan};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use quotient::data::{Data, Rates};
use quotient::file::load;
use quotient::{Engine, Formula};

/// A line of a sale, in which every field but the date may be empty.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Hours since 2026-01-01.
    pub(crate) hour: i32,
    /// In cents.
    pub(crate) price: Option<i64>,
    pub(crate) quantity: Option<i64>,
    pub(crate) country: Option<&'static str>,
}

const STORE: &str = "
store
    currency USD
    timezone UTC

source lines event
    key id text
    date sold_at datetime
    field price money
    field quantity count(units)
    field country text

dimension country
    lines country
";

/// The engine of the store.
pub(crate) fn engine() -> Engine {
    let loaded = load("lines.metrics", &mut |_| Ok(STORE.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:?}");
    engine
}

/// The formula, which must check.
pub(crate) fn compiled(engine: &Engine, text: &str) -> Formula {
    engine.compile(text).unwrap_or_else(|found| panic!("{text}: {found:#?}"))
}

/// Up to 30 lines of January to March 2026, with few different values.
pub(crate) fn lines() -> impl Strategy<Value = Vec<Line>> {
    let line = (
        0_i32..90 * 24,
        option::weighted(0.8, prop_oneof![-300_i64..3_000, Just(500)]),
        option::weighted(0.8, 0_i64..5),
        option::weighted(0.8, select(&["DE", "FR", "de", "Ä"][..])),
    );
    let line =
        line.prop_map(|(hour, price, quantity, country)| Line { hour, price, quantity, country });
    vec(line, 0..=30)
}

/// The instant at which a line was sold.
pub(crate) fn sold_at(line: &Line) -> Timestamp {
    at(line.hour)
}

/// So many hours after 2026-01-01.
pub(crate) fn at(hour: i32) -> Timestamp {
    let first: Timestamp = "2026-01-01T00:00:00Z".parse().expect("an instant");
    first.checked_add(i64::from(hour).hours()).expect("an instant")
}

/// So many days after 2026-01-01.
pub(crate) fn date(day: i32) -> Date {
    Date::constant(2026, 1, 1).checked_add(i64::from(day).days()).expect("a day")
}

/// The lines as rows.
pub(crate) fn data(engine: &Engine, lines: &[Line]) -> Data {
    let header = ["id", "sold_at", "price", "quantity", "country"];
    let mut table = engine.table("lines", &header).expect("a table");
    for (number, line) in lines.iter().enumerate() {
        let cells = [
            format!("l{number}"),
            sold_at(line).to_string(),
            line.price.map_or(String::new(), cents),
            line.quantity.map_or(String::new(), |quantity| quantity.to_string()),
            line.country.unwrap_or_default().to_owned(),
        ];
        table.push(&cells.each_ref().map(String::as_str)).expect("a row");
    }
    engine.data(vec![table.finish()], Rates::new()).expect("rows")
}

fn cents(price: i64) -> String {
    rust_decimal::Decimal::new(price, 2).to_string()
}
