//! The store: its formula file, its orders, and how they become the engine's rows.

use std::sync::LazyLock;

use quotient::Engine;
use quotient::data::{Data, Rates};
use quotient::file::load;

const STORE: &str = "
store
    currency USD
    timezone UTC
    week_start monday

source orders event
    key id text
    date placed_at datetime
    field total money
    field cost money
    field status text in ('a', 'b', 'c')
    field country text
    field customer_id text
    link customer to customers by customer_id

source customers entity from orders.customer_id
    key id text
    field first_at datetime = min(orders.placed_at)

population kept = orders where status != 'c'

dimension country
    orders country
";

/// The engine of the store, which is the same in every case.
pub(crate) static ENGINE: LazyLock<Engine> = LazyLock::new(|| engine(STORE));

/// The first day that the orders cover in [`COVERED`], and one past the last.
pub(crate) const COVERED_DAYS: (i32, i32) = (10, 51);

/// The engine of a store that does not know all days.
pub(crate) static COVERED: LazyLock<Engine> = LazyLock::new(|| {
    let (first, last) = (date(COVERED_DAYS.0), date(COVERED_DAYS.1 - 1));
    let key = "    date placed_at datetime\n";
    engine(&STORE.replace(key, &format!("{key}    covers @{first} to @{last}\n")))
});

fn engine(store: &str) -> Engine {
    let loaded = load("store.metrics", &mut |_| Ok(store.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:#?}");
    engine
}

/// One order. Days count from 2026-01-01, amounts in cents.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) day: i32,
    pub(crate) minute: i32,
    pub(crate) total: Option<i64>,
    pub(crate) cost: Option<i64>,
    pub(crate) status: Option<&'static str>,
    pub(crate) country: Option<&'static str>,
    pub(crate) customer: Option<&'static str>,
}

/// The day with this number.
pub(crate) fn date(day: i32) -> jiff::civil::Date {
    jiff::civil::date(2026, 1, 1) + jiff::Span::new().days(day)
}

/// The orders as the engine holds them.
pub(crate) fn data(orders: &[Order]) -> Data {
    data_of(&ENGINE, orders)
}

/// The orders as another engine holds them.
pub(crate) fn data_of(engine: &Engine, orders: &[Order]) -> Data {
    let header = ["id", "placed_at", "total", "cost", "status", "country", "customer_id"];
    let mut table = engine.table("orders", &header).expect("a source");
    for (index, order) in orders.iter().enumerate() {
        let at =
            format!("{} {:02}:{:02}:00", date(order.day), order.minute / 60, order.minute % 60);
        let cents = |cents: Option<i64>| {
            cents.map(|cents| rust_decimal::Decimal::new(cents, 2).to_string()).unwrap_or_default()
        };
        let (total, cost) = (cents(order.total), cents(order.cost));
        let text = |text: Option<&'static str>| text.unwrap_or_default();
        let (status, country) = (text(order.status), text(order.country));
        let id = format!("o{index}");
        table
            .push(&[&id, &at, &total, &cost, status, country, text(order.customer)])
            .expect("cells that fit");
    }
    engine.data(vec![table.finish()], Rates::new()).expect("rows that link")
}
