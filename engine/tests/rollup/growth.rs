//! The cost of a read depends on the buckets of the period, never on the orders in them.

use std::fmt::Write;

use quotient::calendar::TimeUnit;
use quotient::data::Rates;
use quotient::rollup::{Granularity, RollupOptions, RollupReader};
use quotient::{Engine, Inputs, Request, file};

use crate::rollup::fixture::{Store, days};

const SHOP: &str = "
source orders event
    key id number
    date placed_at datetime
    field customer text
    field total money
    field country text
dimension country
    orders country
metric revenue = sum(orders.total)
";

/// Two years of days with so many orders each, from three countries.
fn shop(per_day: usize) -> Store {
    let (engine, _) = Engine::from_loaded(&file::load("shop", &mut |_| Ok(SHOP.to_owned())));
    let mut orders = engine
        .table("orders", &["id", "placed_at", "customer", "total", "country"])
        .expect("a source");
    let first: jiff::civil::Date = "2024-01-01".parse().expect("a day");
    let mut id = 0;
    let mut at = String::new();
    for day in first.series(jiff::Span::new().days(1)).take(730) {
        for order in 0..per_day {
            id += 1;
            at.clear();
            write!(at, "{day} {:02}:00:00", order % 24).ok();
            let country = ["DE", "FR", "AT"][order % 3];
            let total = format!("{}.{:02}", id % 90, id % 100);
            let customer = format!("c{}", id % 40);
            orders.push(&[&id.to_string(), &at, &customer, &total, country]).expect("a row");
        }
    }
    let data = engine.data(vec![orders.finish()], Rates::new()).expect("rows");
    Store::new(engine, data, &["revenue / count(orders)", "trailing(revenue, 30 days)"])
}

fn merges(store: &Store, formula: usize, request: &Request) -> usize {
    let definitions = store.definitions(&RollupOptions::new(Granularity::Day).by("country"));
    let cells = store.fold(&definitions);
    let reading = RollupReader::new(&definitions, &cells);
    let (_, formula) = &store.formulas[formula];
    store.engine.evaluate(&[formula], Inputs::rollups(&reading), request).expect("answers");
    reading.merge_count()
}

#[test]
fn ten_times_the_orders_cost_the_same_merges() {
    let (few, many) = (shop(3), shop(30));
    let year = days("2025-01-01", "2025-12-31");
    for (formula, request) in [(0, year.clone()), (1, Request { by: Some(TimeUnit::Day), ..year })]
    {
        let (less, more) = (merges(&few, formula, &request), merges(&many, formula, &request));
        assert_eq!(less, more);
    }
}

#[test]
fn a_year_is_merged_from_blocks_and_the_days_at_its_ends() {
    // Of each of two definitions and three countries: nine blocks of 32 days, and 8 and 7 days.
    assert_eq!(merges(&shop(3), 0, &days("2025-02-01", "2025-11-30")), 2 * 3 * (8 + 9 + 7));
    assert_eq!(merges(&shop(3), 0, &days("2025-06-01", "2025-06-07")), 2 * 3 * 7);
}
