//! Groups: which ones exist, and totals, shares and ranks among them.

use super::aggregates::shop;
use super::shop::{Shop, TestRequest, check_all};
use crate::calendar::TimeUnit;

#[test]
fn groups_are_those_that_rows_have() {
    let shop = shop();
    let by_country = TestRequest { group_by: vec!["country"], ..TestRequest::default() };
    check_all(
        &[
            ("count(orders)", "null(null_value)=2 DE=3 FR=1"),
            ("sum(orders.total where status = 'completed')", "null(null_value)=0 DE=30.5 FR=0"),
            ("gmv", "null(null_value)=5 DE=30.5 FR=7.255"),
            ("(count(orders) where country = 'DE')", "DE=3"),
            (
                "(count(orders) where country = 'DE') / count(orders)",
                "null(null_value)=0 DE=1 FR=0",
            ),
            ("sum(items.quantity)", "null(null_value)=1 DE=16 FR=1"),
            (
                "gmv / count_distinct(items.sku)",
                "null(null_value)=null(division_by_zero) DE=15.25 FR=7.255",
            ),
            ("total(count(orders))", "null(null_value)=6 DE=6 FR=6"),
            ("total(count(orders), keep: country)", "null(null_value)=2 DE=3 FR=1"),
            ("rank(count(orders))", "null(null_value)=2 DE=1 FR=3"),
            ("rank(max(orders.score))", "null(null_value)=1 DE=3 FR=1"),
            ("share(count(orders)) * 6", "null(null_value)=2 DE=3 FR=1"),
            ("avg(count(orders) per customer_id)", "null(null_value)=1 DE=1.5 FR=1"),
            ("max(gmv per day)", "null(null_value)=5 DE=20.5 FR=7.255"),
            ("count(customers where count(orders) >= 2)", "null(null_value)=0 DE=1 FR=0"),
        ],
        |formula| shop.ask(formula, &by_country).grouped(),
    );
}

#[test]
fn groups_are_found_in_every_period_a_window_asks_for() {
    let shop = shop();
    let february = TestRequest {
        days: Some(("2026-02-01", "2026-02-28")),
        group_by: vec!["country"],
        ..TestRequest::default()
    };
    check_all(
        &[
            ("count(orders)", "null(null_value)=2 FR=1"),
            ("change(count(orders))", "null(null_value)=2 DE=-3 FR=1"),
            ("previous(count(orders))", "DE=3"),
        ],
        |formula| shop.ask(formula, &february).grouped(),
    );
}

#[test]
fn shares_and_ranks_are_taken_within_each_bucket() {
    let shop = shop();
    let ask = TestRequest {
        days: Some(("2026-01-01", "2026-02-28")),
        by: Some(TimeUnit::Month),
        group_by: vec!["country"],
        ..TestRequest::default()
    };
    check_all(
        &[
            ("count(orders)", "null(null_value)=0 DE=3 FR=0 null(null_value)=2 DE=0 FR=1"),
            ("rank(count(orders))", "null(null_value)=2 DE=1 FR=2 null(null_value)=1 DE=3 FR=2"),
            ("total(count(orders))", "null(null_value)=3 DE=3 FR=3 null(null_value)=3 DE=3 FR=3"),
        ],
        |formula| shop.ask(formula, &ask).grouped(),
    );
}

#[test]
fn two_keys_make_pairs() {
    let shop = shop();
    let ask = TestRequest { group_by: vec!["country", "status"], ..TestRequest::default() };
    check_all(
        &[
            (
                "count(orders)",
                "null(null_value)/null(null_value)=1 null(null_value)/completed=1 \
                 DE/cancelled=1 DE/completed=2 FR/pending=1",
            ),
            (
                "total(count(orders), keep: country)",
                "null(null_value)/null(null_value)=2 null(null_value)/completed=2 \
                 DE/cancelled=3 DE/completed=3 FR/pending=1",
            ),
            (
                "rank(count(orders), by: status)",
                "null(null_value)/null(null_value)=1 null(null_value)/completed=1 \
                 DE/cancelled=2 DE/completed=1 FR/pending=1",
            ),
        ],
        |formula| shop.ask(formula, &ask).grouped(),
    );
}

/// A customer in Germany with an order there and one in France, and one in France with two there.
fn travellers() -> Shop {
    Shop::new(
        "source orders event
    key id text
    date at datetime
    field total money
    field country text
    field customer_id text
    link customer to customers by customer_id
source customers entity
    key id text
    field country text
dimension country
    orders country
    customers country
",
        &[
            (
                "orders",
                "id,at,total,country,customer_id
1,2026-01-01,10,DE,a
2,2026-01-02,20,FR,a
3,2026-01-03,30,FR,b
4,2026-01-04,40,FR,b",
            ),
            ("customers", "id,country\na,DE\nb,FR"),
        ],
    )
}

#[test]
fn a_filter_leaves_what_each_row_has_of_other_rows_as_a_group_does() {
    let shop = travellers();
    let by_country = TestRequest { group_by: vec!["country"], ..TestRequest::default() };
    for (formula, german) in [
        ("count(customers where count(orders) >= 2)", "1"),
        ("count(customers where count(orders) >= 2) / count(orders)", "1"),
        ("sum(orders.total) + count(customers where sum(orders.total) = 30 USD) * 1 USD", "11"),
    ] {
        let grouped = shop.ask(formula, &by_country).grouped();
        assert!(grouped.starts_with(&format!("DE={german} ")), "{formula}: {grouped}");
        let filtered = format!("({formula} where country = 'DE')");
        assert_eq!(shop.ask(&filtered, &TestRequest::default()).text(), german, "{filtered}");
    }
}

#[test]
fn the_threshold_of_a_filter_is_computed_without_the_filter() {
    let shop = travellers();
    check_all(
        &[
            ("let mean = avg(orders.total); (count(orders) where total > mean)", "2"),
            (
                "let mean = avg(orders.total);
                 ((count(orders) where total > mean) where country = 'FR')",
                "1",
            ),
        ],
        |formula| shop.ask(formula, &TestRequest::default()).text(),
    );
}
