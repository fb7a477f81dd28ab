//! Other periods: what they resolve to, and what is computed in them.

use std::fmt::Write;

use super::aggregates::shop;
use super::shop::{Shop, TestRequest, check_all};
use crate::calendar::TimeUnit;

const DAYS: &str = "
source orders event
    key id text
    date at datetime
    field total money

metric gmv = sum(orders.total)
metric daily = avg(gmv per day)
";

/// One order a day at noon: 1 USD on 1 January 2026, 2 on the 2nd, and so on for 90 days.
fn ninety_days() -> Shop {
    let mut rows = String::from("id,at,total\n");
    let mut day: jiff::civil::Date = "2026-01-01".parse().unwrap();
    for number in 1..=90 {
        writeln!(rows, "o{number},{day} 12:00:00,{number}").unwrap();
        day = day.tomorrow().unwrap();
    }
    Shop::new(DAYS, &[("orders", &rows)])
}

#[test]
fn windows_move_the_period_and_then_aggregate() {
    let shop = ninety_days();
    check_all(
        &[
            // February: days 32 to 59.
            ("gmv", "1274"),
            // January: days 1 to 31.
            ("previous(gmv)", "496"),
            ("last_month(gmv)", "496"),
            ("last_week(gmv)", "1078"),
            ("shift(gmv, 1 week)", "1470"),
            ("shift(gmv, -1 month)", "496"),
            ("trailing(gmv, 7 days)", "392"),
            ("trailing(gmv, 7 days, exclude: current)", "196"),
            ("to_date(gmv, quarter)", "1770"),
            ("mtd(gmv)", "1274"),
            ("ytd(gmv)", "1770"),
            ("during(gmv, @2026-01)", "496"),
            ("during(gmv, @2026-W02)", "56"),
            ("lifetime(gmv)", "1770"),
            ("growth(gmv)", "1.568548387096774193548387097"),
            ("change(gmv)", "778"),
            ("change(gmv, 1 week)", "196"),
            ("growth(gmv, last_year)", "null(division_by_zero)"),
            ("previous(trailing(gmv, 7 days))", "196"),
            ("trailing(previous(gmv), 7 days)", "343"),
            ("daily", "45.5"),
            ("trailing(daily, 7 days)", "56"),
            ("max(gmv per week)", "350"),
            ("count(gmv per day)", "28"),
            ("median(gmv per day)", "45.5"),
            ("sum(gmv per day) = gmv", "true"),
            ("opening(gmv)", "496"),
            ("closing(gmv)", "1770"),
        ],
        |formula| shop.over(formula, "2026-02-01", "2026-02-28"),
    );
}

#[test]
fn overlapping_periods_add_up_like_single_ones() {
    let shop = ninety_days();
    let days = TestRequest {
        days: Some(("2026-01-01", "2026-03-31")),
        by: Some(TimeUnit::Day),
        ..TestRequest::default()
    };
    for formula in [
        "trailing(gmv, 28 days)",
        "running(gmv)",
        "trailing(count(orders), 10 days)",
        "lifetime(avg(orders.total where total > 5 USD))",
        "ytd(max(orders.total))",
    ] {
        let together: Vec<String> =
            shop.ask(formula, &days).text().split(' ').map(str::to_owned).collect();
        let mut day: jiff::civil::Date = "2026-01-01".parse().unwrap();
        for found in together {
            let text = day.to_string();
            // `running` starts with the request.
            let first = if formula.starts_with("running") { "2026-01-01" } else { text.as_str() };
            assert_eq!(shop.over(formula, first, &text), found, "{formula} on {day}");
            day = day.tomorrow().unwrap();
        }
    }
}

#[test]
fn an_unfinished_period_is_compared_with_the_same_part_of_the_earlier_one() {
    let mut shop = ninety_days();
    shop.now = "2026-02-10T00:00:00Z".parse().unwrap();
    check_all(
        &[
            // Days 32 to 40, against 1 to 9.
            ("gmv", "324"),
            ("previous(gmv)", "45"),
            ("previous(gmv, clip: false)", "496"),
            ("growth(gmv)", "6.2"),
            ("trailing(gmv, 3 days)", "117"),
            ("daily", "36"),
            ("count(gmv per day)", "9"),
            ("length(period)", "777600"),
            ("length(period, full: true)", "2419200"),
        ],
        |formula| shop.over(formula, "2026-02-01", "2026-02-28"),
    );
}

#[test]
fn every_bucket_is_the_period_in_turn() {
    let shop = ninety_days();
    let weeks = TestRequest {
        days: Some(("2026-01-05", "2026-01-25")),
        by: Some(TimeUnit::Week),
        ..TestRequest::default()
    };
    check_all(
        &[
            ("gmv", "56 105 154"),
            ("previous(gmv)", "10 56 105"),
            ("running(gmv)", "56 161 315"),
            ("lifetime(gmv)", "66 171 325"),
            ("change(gmv)", "46 49 49"),
            ("daily", "8 15 22"),
            ("trailing(gmv, 2 days)", "21 35 49"),
            ("gmv / total(gmv)", "1 1 1"),
        ],
        |formula| shop.ask(formula, &weeks).text(),
    );
}

#[test]
fn per_key_takes_the_groups_that_have_rows_in_the_period() {
    let shop = shop();
    let months = TestRequest {
        days: Some(("2026-01-01", "2026-03-31")),
        by: Some(TimeUnit::Month),
        ..TestRequest::default()
    };
    check_all(
        &[
            // January: c1 twice, c2 once. February: c3, c9, and an order without a customer, which is a part of its own.
            ("avg(count(orders) per customer_id)", "1.5 1 null(no_rows)"),
            ("max(sum(orders.total) per customer_id)", "100 7.255 null(no_rows)"),
            ("count(count(orders) per customer_id)", "2 3 0"),
            ("avg(count(orders) per country)", "3 1.5 null(no_rows)"),
            ("max(count(orders) per day, customer_id)", "1 1 null(no_rows)"),
            ("max(count(orders) per month)", "3 3 0"),
        ],
        |formula| shop.ask(formula, &months).text(),
    );
}

#[test]
fn aggregates_inside_rows_run_over_linked_rows_of_the_period() {
    let shop = shop();
    let months = TestRequest {
        days: Some(("2026-01-01", "2026-02-28")),
        by: Some(TimeUnit::Month),
        ..TestRequest::default()
    };
    check_all(
        &[
            ("count(customers where count(orders) >= 1)", "2 1"),
            ("count(customers where count(orders) >= 2)", "1 0"),
            ("count(customers where count(orders) = 0)", "2 3"),
            ("count(customers where previous(count(orders)) >= 1 and count(orders) = 0)", "0 2"),
            ("count(customers where sum(items.quantity) > 5)", "2 0"),
            ("count(customers where gmv > 10 USD)", "1 0"),
            ("count(customers where avg(orders.total) > 10 USD)", "2 0"),
            ("sum(orders.total where count(items) >= 2)", "10 0"),
            ("count(orders where customer.first_order_at < period_start)", "0 0"),
            ("avg(customers.first_order_at - customers.first_order_at)", "0 0"),
            ("let limit = avg(orders.total); count(orders where total > limit)", "1 1"),
            ("count(customers where first_order_at in period)", "2 1"),
        ],
        |formula| shop.ask(formula, &months).text(),
    );
}

#[test]
fn snapshots_have_one_state_a_day() {
    let file = "
source variants entity
    key sku text

source inventory snapshot
    date day date
    field sku text
    field on_hand count
    link variant to variants by sku
";
    let rows = "
day, sku, on_hand
2026-01-01, a, 5
2026-01-01, b, 7
2026-01-02, a, 4
2026-01-02, b, 0
2026-01-05, a, 9
2026-02-01, a, 100
";
    let shop = Shop::new(file, &[("inventory", rows), ("variants", "sku\na\nb\nc")]);
    check_all(
        &[
            ("closing(sum(inventory.on_hand))", "9"),
            ("opening(sum(inventory.on_hand))", "12"),
            ("avg(sum(inventory.on_hand) per day)", "6.5"),
            ("max(sum(inventory.on_hand) per month)", "9"),
            ("max(inventory.on_hand)", "9"),
            ("count(variants where closing(sum(inventory.on_hand)) = 0)", "2"),
            ("closing(count(inventory where on_hand > 5))", "1"),
            ("previous(closing(sum(inventory.on_hand)))", "12"),
        ],
        |formula| shop.over(formula, "2026-01-02", "2026-01-06"),
    );
    let before = shop.over("closing(sum(inventory.on_hand))", "2025-01-01", "2025-01-31");
    assert_eq!(before, "null(no_rows)");
}

#[test]
fn outside_its_coverage_a_source_has_no_answer() {
    let file = "
source visits event
    key id text
    date at datetime
    covers @2026-01-10 to @2026-01-20
";
    let shop =
        Shop::new(file, &[("visits", "id,at\nv1,2026-01-12 00:00:00\nv2,2026-01-15 00:00:00")]);
    for (first, last, expected) in [
        ("2026-01-01", "2026-01-09", "null(no_coverage)"),
        ("2026-01-09", "2026-01-10", "0"),
        ("2026-01-12", "2026-01-31", "2"),
        ("2026-01-21", "2026-01-31", "null(no_coverage)"),
    ] {
        assert_eq!(shop.over("count(visits)", first, last), expected, "{first}");
    }
    assert_eq!(
        shop.over("growth(count(visits))", "2026-01-12", "2026-01-15"),
        "null(division_by_zero)"
    );
    assert_eq!(shop.over("growth(count(visits))", "2026-01-10", "2026-01-15"), "null(no_coverage)");
}
