//! The cache of atoms: what hits, what misses, and that it never changes an answer.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::arithmetic_side_effects,
    reason = "a failing step fails the test, and numbers of days are small"
)]

use std::sync::{Barrier, LazyLock};

use quotient::cache::{Cache, CacheStatistics};
use quotient::calendar::TimeUnit;
use quotient::data::{Data, Rates, Touch};
use quotient::file::load;
use quotient::{Answers, Engine, Formula, Inputs, Request};

const MEBIBYTE: u64 = 1 << 20;

const STORE: &str = "
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

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let (engine, findings) = Engine::from_loaded(&load("store", &mut |_| Ok(STORE.to_owned())));
    assert!(findings.is_empty(), "{findings:#?}");
    engine
});

/// An order of a day, counted from 2026-01-01.
#[derive(Debug, Clone, Copy)]
struct Order {
    day: i32,
    cents: i64,
}

fn order(day: i32, cents: i64) -> Order {
    Order { day, cents }
}

fn date(day: i32) -> jiff::civil::Date {
    jiff::civil::date(2026, 1, 1) + jiff::Span::new().days(day)
}

fn data(orders: &[Order]) -> Data {
    let header = ["id", "placed_at", "total", "cost", "status", "country", "customer_id"];
    let mut table = ENGINE.table("orders", &header).expect("a source");
    for (index, order) in orders.iter().enumerate() {
        let (id, at) = (format!("o{index}"), format!("{} 10:00:00", date(order.day)));
        let total = rust_decimal::Decimal::new(order.cents, 2).to_string();
        table.push(&[&id, &at, &total, "1.00", "a", "DE", "c1"]).expect("cells that fit");
    }
    ENGINE.data(vec![table.finish()], Rates::new()).expect("rows that link")
}

/// One order a day in January.
fn january() -> Vec<Order> {
    (0..31).map(|day| order(day, 1_000 + i64::from(day))).collect()
}

fn compiled(engine: &Engine, text: &str) -> Formula {
    engine.compile(text).unwrap_or_else(|found| panic!("{text}: {found:#?}"))
}

/// The days from the first to before the second, one by one.
fn days(start: i32, end: i32) -> Request {
    Request {
        period: Some((date(start), date(end - 1))),
        by: Some(TimeUnit::Day),
        ..Request::default()
    }
}

fn ask(formula: &Formula, data: &Data, cache: &Cache, request: &Request) -> Answers {
    ENGINE.evaluate(&[formula], Inputs::data(data).cached(cache), request).expect("answers")
}

/// The hits and misses that one call added.
fn counted(cache: &Cache, call: impl FnOnce()) -> (u64, u64) {
    let before = cache.statistics();
    call();
    let CacheStatistics { hits, misses, .. } = cache.statistics();
    (hits - before.hits, misses - before.misses)
}

#[test]
fn a_repeated_dashboard_computes_nothing() {
    let (cache, data) = (Cache::new(MEBIBYTE), data(&january()));
    let sales = compiled(&ENGINE, "sum(orders.total where status = 'a') / count(kept)");
    let request = days(0, 31);

    let first = counted(&cache, || drop(ask(&sales, &data, &cache, &request)));
    let again = counted(&cache, || drop(ask(&sales, &data, &cache, &request)));
    let other = compiled(&ENGINE, "count(kept) * 2");
    let shared = counted(&cache, || drop(ask(&other, &data, &cache, &days(10, 20))));

    assert_eq!((first, again, shared), ((0, 62), (62, 0), (10, 0)));
}

#[test]
fn one_period_of_many_buckets_is_computed_once() {
    let (cache, data) = (Cache::new(MEBIBYTE), data(&january()));
    let first = compiled(&ENGINE, "sum(orders.total) / during(sum(orders.total), @2026-01)");

    let first_counts = counted(&cache, || drop(ask(&first, &data, &cache, &days(0, 31))));
    let again = counted(&cache, || drop(ask(&first, &data, &cache, &days(0, 31))));

    assert_eq!((first_counts, again), ((0, 32), (62, 0)));
}

#[test]
fn a_late_order_costs_its_own_day_and_a_formula_its_own_atoms() {
    let cache = Cache::new(MEBIBYTE);
    let mut orders = january();
    let store = data(&orders).with_versions(cache.versions());
    let sales = compiled(&ENGINE, "sum(orders.total)");
    let request = days(0, 31);
    drop(ask(&sales, &store, &cache, &request));

    let change = cache.change("orders", date(4)..=date(4));
    orders.push(order(4, 9_999));
    change.finish();
    let store = data(&orders).with_versions(cache.versions());

    let late = counted(&cache, || {
        let answers = ask(&sales, &store, &cache, &request);
        assert_eq!(answers.get(0, 4, 0).unwrap().formatted, "$110.03");
    });
    let edited = compiled(&ENGINE, "sum(orders.total) - sum(orders.cost)");
    let edit = counted(&cache, || drop(ask(&edited, &store, &cache, &request)));
    assert_eq!((late, edit), ((30, 1), (31, 31)));
}

#[test]
fn days_survive_new_orders_and_lose_to_changes_of_what_they_lead_to() {
    let cache = Cache::new(MEBIBYTE);
    let store = data(&january()).with_versions(cache.versions());
    let dated = compiled(&ENGINE, "count(orders where customer.id = 'c1')");
    let request = days(0, 10);
    drop(ask(&dated, &store, &cache, &request));
    let again = |touch: Touch| {
        cache.write(vec![touch]).finish();
        let store = data(&january()).with_versions(cache.versions());
        counted(&cache, || drop(ask(&dated, &store, &cache, &request)))
    };

    let added = again(Touch::Added("orders".into(), date(40)..=date(40)));
    let elsewhere = again(Touch::Source("refunds".into()));
    let rates = again(Touch::Rates);
    let whole = again(Touch::Source("ORDERS".into()));

    // Customers are derived from orders here, so whatever links to them reads all orders.
    assert_eq!((added, elsewhere, rates, whole), ((0, 10), (10, 0), (0, 10), (0, 10)));
}

/// A shop in which visits become orders, for aggregates over the rows that link to each row.
const VISITS: &str = "
store
    currency USD
    timezone UTC
    week_start monday

source visits event
    key id text
    date seen_at datetime

source orders event
    key id text
    date placed_at datetime
    field visit_id text
    link visit to visits by visit_id
";

#[test]
fn an_aggregate_for_each_row_costs_the_days_of_its_rows_and_not_the_present() {
    let (engine, findings) =
        Engine::from_loaded(&load("visits.metrics", &mut |_| Ok(VISITS.to_owned())));
    assert!(findings.is_empty(), "{findings:#?}");
    let store = |orders: &[(i32, i32)], cache: &Cache| {
        let mut visits = engine.table("visits", &["id", "seen_at"]).expect("a source");
        for day in 0..10 {
            let at = format!("{} 10:00:00", date(day));
            visits.push(&[&format!("v{day}"), &at]).expect("cells that fit");
        }
        let header = ["id", "placed_at", "visit_id"];
        let mut table = engine.table("orders", &header).expect("a source");
        for (number, (day, visit)) in orders.iter().enumerate() {
            let at = format!("{} 11:00:00", date(*day));
            let (id, visit) = (format!("o{number}"), format!("v{visit}"));
            table.push(&[&id, &at, &visit]).expect("cells that fit");
        }
        let tables = vec![visits.finish(), table.finish()];
        let data = engine.data(tables, Rates::new()).expect("rows that link");
        data.with_versions(cache.versions())
    };
    let cache = Cache::new(MEBIBYTE);
    let formula = compiled(&engine, "count(visits where count(orders) > 0)");
    let mut hour = 0;
    let mut bought = |orders: &[(i32, i32)]| {
        // Each time it is another hour.
        hour += 1;
        let now = (date(40).at(hour, 0, 0, 0)).to_zoned(jiff::tz::TimeZone::UTC).expect("a time");
        let request = Request { now: now.timestamp(), ..days(0, 10) };
        let data = store(orders, &cache);
        let inputs = || Inputs::data(&data);
        let plain = engine.evaluate(&[&formula], inputs(), &request).expect("answers");
        let counts = counted(&cache, || {
            let kept = engine.evaluate(&[&formula], inputs().cached(&cache), &request);
            assert_eq!(kept.expect("answers").of(0), plain.of(0));
        });
        let sum = (0..10).filter(|day| plain.get(0, *day, 0).unwrap().formatted == "1").count();
        (sum, counts)
    };

    let first = bought(&[(1, 1), (3, 3)]);
    let again = bought(&[(1, 1), (3, 3)]);
    cache.write(vec![Touch::Added("orders".into(), date(5)..=date(5))]).finish();
    let later = bought(&[(1, 1), (3, 3), (5, 5)]);
    // An order of another day leads to the visit of the fifth; it moves to its day.
    cache.write(vec![Touch::Changed("orders".into(), date(3)..=date(5))]).finish();
    let moved = bought(&[(1, 1), (5, 3), (5, 5)]);
    cache.write(vec![Touch::Source("orders".into())]).finish();
    let whole = bought(&[]);

    assert_eq!((first, again), ((2, (0, 10)), (2, (10, 0))));
    assert_eq!((later, moved, whole), ((3, (9, 1)), (2, (7, 3)), (0, (0, 10))));
}

#[test]
fn during_a_write_the_cache_is_bypassed_and_old_rows_stay_apart() {
    let cache = Cache::new(MEBIBYTE);
    let before = data(&january()).with_versions(cache.versions());
    let sales = compiled(&ENGINE, "sum(orders.total)");
    let request = days(0, 2);
    drop(ask(&sales, &before, &cache, &request));

    let change = cache.change("orders", date(0)..=date(0));
    let during = data(&[order(0, 1)]).with_versions(cache.versions());
    let open = counted(&cache, || {
        assert_eq!(ask(&sales, &during, &cache, &request).first().unwrap().formatted, "$0.01");
    });
    change.finish();
    let after = data(&[order(0, 2)]).with_versions(cache.versions());

    let fresh = counted(&cache, || {
        assert_eq!(ask(&sales, &after, &cache, &request).first().unwrap().formatted, "$0.02");
    });
    assert_eq!(ask(&sales, &before, &cache, &request).first().unwrap().formatted, "$10.00");
    assert_eq!((open, fresh), ((1, 0), (1, 1)));
}

#[test]
fn rows_without_versions_are_identified_by_their_content() {
    let cache = Cache::new(MEBIBYTE);
    let sales = compiled(&ENGINE, "sum(orders.total)");
    for cents in [100, 200, 300] {
        let store = data(&[order(0, cents)]);
        let copy = store.clone();
        let answers = ask(&sales, &store, &cache, &days(0, 1));
        assert_eq!(answers.first().unwrap().formatted, format!("${}.00", cents / 100));
        let again = counted(&cache, || drop(ask(&sales, &copy, &cache, &days(0, 1))));
        assert_eq!(again, (1, 0), "a copy holds the same rows");
    }
}

#[test]
fn only_elapsed_periods_are_cached() {
    let (cache, store) = (Cache::new(MEBIBYTE), data(&january()));
    let sales = compiled(&ENGINE, "sum(orders.total)");
    let now = "2026-01-03T12:00:00Z".parse().unwrap();
    let request = Request { now, ..days(0, 3) };

    let first = counted(&cache, || drop(ask(&sales, &store, &cache, &request)));
    let again = counted(&cache, || drop(ask(&sales, &store, &cache, &request)));

    assert_eq!((first, again), ((0, 2), (2, 0)));
}

#[test]
fn requests_in_another_zone_currency_filter_or_grouping_do_not_share_entries() {
    let (cache, store) = (Cache::new(MEBIBYTE), data(&january()));
    let plain = days(0, 5);
    let requests = [
        plain.clone(),
        Request { timezone: Some("Asia/Tokyo".into()), ..plain.clone() },
        Request { group_by: vec!["country".into()], ..plain.clone() },
        Request { now: "2026-01-20T00:00:00Z".parse().unwrap(), ..plain },
    ];
    let texts = [
        "sum(orders.total)",
        "(sum(orders.total) where country = 'DE')",
        "(sum(orders.total) where country = 'FR')",
        "closing(sum(orders.total))",
        "sum(orders.total where placed_at < now())",
        "count(customers where first_at in period)",
        "let mean = previous(avg(orders.total)); sum(orders.total where total >= mean)",
    ];
    for text in texts {
        let formula = compiled(&ENGINE, text);
        for request in &requests {
            let plain = ENGINE.evaluate(&[&formula], Inputs::data(&store), request);
            // Customers have no country to group by.
            let Ok(plain) = plain else { continue };
            for _ in 0..2 {
                let cached = ask(&formula, &store, &cache, request);
                assert_eq!(cached.of(0), plain.of(0), "{text} {request:?}");
            }
        }
    }
}

#[test]
fn a_metric_edited_below_a_condition_is_another_condition() {
    let (cache, store) = (Cache::new(MEBIBYTE), data(&january()));
    let with = |bound: &str| {
        let mut engine = ENGINE.clone();
        engine.define("bound", bound).expect("a metric");
        engine
    };
    for (bound, count) in [("10.02 USD", 29), ("10.20 USD", 11), ("10.02 USD", 29)] {
        let engine = with(bound);
        let formula = compiled(&engine, "count(orders where total >= bound)");
        let request = Request { period: Some((date(0), date(30))), ..Request::default() };
        let inputs = Inputs::data(&store).cached(&cache);
        let answers = engine.evaluate(&[&formula], inputs, &request).expect("answers");
        assert_eq!(answers.first().unwrap().formatted, count.to_string(), "{bound}");
    }
}

#[test]
fn simultaneous_requests_of_threads_are_computed_once() {
    const THREADS: usize = 8;
    let (cache, store) = (Cache::new(MEBIBYTE), data(&january()));
    let sales = compiled(&ENGINE, "sum(orders.total) / count(orders)");
    let start = Barrier::new(THREADS);
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                start.wait();
                drop(ask(&sales, &store, &cache, &days(0, 31)));
            });
        }
    });

    let statistics = cache.statistics();
    assert_eq!((statistics.misses, statistics.entries, statistics.in_flight), (62, 62, 0));
}

#[test]
fn a_full_cache_makes_room_and_stays_below_its_bound() {
    let (cache, store) = (Cache::new(4_000), data(&january()));
    let sales = compiled(&ENGINE, "sum(orders.total)");

    drop(ask(&sales, &store, &cache, &days(0, 31)));

    let statistics = cache.statistics();
    assert!(statistics.entries > 0 && statistics.entries < 31, "{statistics:?}");
    assert!(statistics.weight_bytes <= statistics.capacity_bytes, "{statistics:?}");
    cache.clear();
    assert_eq!(cache.statistics().entries, 0);
}

#[test]
fn cleared_entries_leave_the_statistics_at_once() {
    let (cache, store) = (Cache::new(64 * MEBIBYTE), data(&january()));
    for amount in 0..100 {
        let large = compiled(&ENGINE, &format!("count(orders where total >= {amount} USD)"));
        drop(ask(&large, &store, &cache, &days(0, 31)));
    }
    assert_eq!(cache.statistics().entries, 3_100);

    cache.clear();

    let cleared = cache.statistics();
    assert_eq!((cleared.entries, cleared.weight_bytes, cleared.invalidations), (0, 0, 1));
}
