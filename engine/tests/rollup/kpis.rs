//! Every metric of the platform store, over rows and over states.

use std::collections::BTreeSet;
use std::fmt::Write;

use quotient::calendar::TimeUnit;
use quotient::rollup::{Granularity, RollupDefinition, RollupOptions, RollupReader, Rollups};
use quotient::{Comparison, Filter, Inputs, Request};
use rust_decimal::Decimal;

use crate::rollup::fixture::{Store, days, formatted, platform};

fn keyed(granularity: Granularity) -> RollupOptions {
    RollupOptions::new(granularity).by("sales_channel").by("country").by("utm_source")
}

fn assert_equal(store: &Store, options: &RollupOptions, requests: &[Request]) -> usize {
    let definitions = store.definitions(options);
    let cells = store.fold(&definitions);
    let mut by_rows = 0;
    for request in requests {
        let (wrong, rows) = store.differences((&definitions, &cells), request);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        by_rows += rows;
    }
    by_rows
}

#[test]
fn every_metric_by_day_week_and_month_is_the_same_over_states() {
    let store = platform();
    let quarter = days("2026-01-01", "2026-03-31");
    let mut requests = vec![days("2026-03-01", "2026-03-31"), Request::default()];
    for by in [TimeUnit::Day, TimeUnit::Week, TimeUnit::Month] {
        requests.push(Request { by: Some(by), ..quarter.clone() });
    }
    for compare in [Comparison::Previous, Comparison::LastYear] {
        requests.push(Request { compare: Some(compare), ..days("2026-03-02", "2026-03-08") });
    }
    let by_rows = assert_equal(&store, &keyed(Granularity::Day), &requests);
    assert_eq!(by_rows, 5 * requests.len(), "five metrics read rows, whatever the request");
}

#[test]
fn every_metric_within_a_period_that_is_not_over_is_the_same() {
    let store = platform();
    let at = |now: &str| Request {
        now: now.parse().expect("an instant"),
        ..days("2026-03-01", "2026-03-31")
    };
    let requests = [
        at("2026-04-15T00:00:00Z"),
        at("2026-03-20T00:00:00Z"),
        // Within a day the daily cells do not suffice, so the rows answer.
        at("2026-03-20T14:30:00Z"),
        Request { by: Some(TimeUnit::Day), ..at("2026-03-20T14:30:00Z") },
    ];
    assert_equal(&store, &keyed(Granularity::Day), &requests);
    assert_equal(&store, &keyed(Granularity::Hour), &requests);
}

#[test]
fn hours_answer_in_other_zones_across_their_clock_changes() {
    let store = platform();
    for zone in ["Europe/Berlin", "America/New_York", "Asia/Kolkata"] {
        let request = |by| Request {
            by: Some(by),
            timezone: Some(zone.to_owned()),
            ..days("2026-03-02", "2026-04-05")
        };
        let requests = [request(TimeUnit::Day), request(TimeUnit::Week)];
        let by_rows = assert_equal(&store, &keyed(Granularity::Hour), &requests);
        if zone == "Asia/Kolkata" {
            assert!(by_rows > 100, "its days begin at half past an hour of UTC");
        } else {
            assert!(by_rows <= 5 * requests.len(), "{zone}: {by_rows} by rows");
        }
        let by_rows = assert_equal(&store, &keyed(Granularity::Day), &requests);
        assert!(by_rows > 100, "days of one zone are not those of another");
    }
}

/// Formulas that the metrics do not contain.
const FORMULAS: [&str; 52] = [
    "(net_sales where sales_channel = 'mobile')",
    "(net_sales where sales_channel in ('mobile', 'web') and country != 'DE')",
    "(aov where country is null)",
    "(units_sold where lower(country) like 'd%')",
    "share((gmv where sales_channel != 'store'))",
    "total(gmv, keep: country)",
    "rank(gmv, by: sales_channel)",
    "avg(gmv per day, country)",
    "max(gmv per week)",
    "running(gmv)",
    "share_of(orders where status = 'completed')",
    "min(orders.total)",
    "max(orders.created_at)",
    "first(orders.total)",
    "last(orders.country where total > 50 USD)",
    "stddev(orders.total)",
    "stddev_pop(orders.total where status = 'completed')",
    "variance(items.quantity)",
    "variance_pop(marketing.clicks)",
    "mode(orders.country)",
    "mode(orders.total where sales_channel != 'store')",
    "mode(orders.created_at)",
    "min(orders.country)",
    "max(items.order.sales_channel where quantity > 1)",
    "weighted_avg(items.unit_price, items.quantity)",
    "(weighted_avg(items.unit_price, quantity where unit_cost is not null) where country = 'DE')",
    "moving_avg(gmv, 3) / overall(gmv)",
    "previous_bucket(min(orders.country))",
    "running_share(net_sales)",
    "rank(avg(orders.total), by: period)",
    "avg(orders.discount_total)",
    "count(orders.promo_code)",
    "count_distinct(items.product.category)",
    "sum(payments.amount)",
    "avg(payments.amount where status = 'captured')",
    "sum(payments.amount where currency_code = 'EUR')",
    "count(customers where count(orders) = 1)",
    "count(customers where not (count(orders) >= 2) and country = 'DE')",
    "count(customers where count(orders) < 1 or count(orders) > 1)",
    "count(customers where count(orders where total > 100 USD) != 0)",
    "count(customers where count(orders) >= 3)",
    "(count(customers where count(orders) >= 2) / count(orders) where country = 'DE')",
    "(sum(sales.total) where country = 'DE') / count(sales)",
    "count(customers where count(sales) >= 2 and previous(count(orders)) != 1)",
    "avg(shipped.cost)",
    "max(inventory.on_hand)",
    "opening(sum(inventory.value))",
    "closing(count(orders))",
    "avg(closing(sum(inventory.on_hand)) per month)",
    "convert(gmv, to: EUR)",
    "count(subscriptions where started_at >= period_start)",
    "avg(subscriptions.mrr where started_at < period_end and (ended_at >= period_end or ended_at is null))",
];

#[test]
fn groups_and_filters_by_the_dimensions_of_cells_are_the_same() {
    let mut store = platform();
    let more = Store::new(store.engine.clone(), store.data.clone(), &[]);
    for text in FORMULAS {
        match more.engine.compile(text) {
            Ok(formula) => store.formulas.push((text.to_owned(), formula)),
            Err(found) => panic!("{text}: {found:#?}"),
        }
    }
    let quarter = days("2026-01-01", "2026-03-31");
    let by = |names: &[&str], by| Request {
        group_by: names.iter().map(|name| (*name).to_owned()).collect(),
        by,
        ..quarter.clone()
    };
    let requests = [
        by(&[], Some(TimeUnit::Week)),
        by(&["country"], None),
        by(&["sales_channel"], Some(TimeUnit::Month)),
        by(&["sales_channel", "country"], None),
        // No cell has this key, so the rows answer.
        by(&["orders.promo_code"], None),
        Request { currency: quotient::types::Currency::from_code("EUR"), ..quarter.clone() },
    ];
    assert_equal(&store, &keyed(Granularity::Day), &requests);
}

#[test]
fn the_list_of_metrics_states_which_are_answered_by_rollups() {
    let store = platform();
    let options = RollupOptions::new(Granularity::Day);
    let definitions = store.definitions(&options);
    let mut list = String::new();
    for (index, (key, _)) in store.formulas.iter().enumerate() {
        let own: Vec<_> = definitions.gaps().iter().filter(|gap| gap.formula == index).collect();
        if own.is_empty() {
            writeln!(list, "{key}: by rollups").ok();
        }
        for gap in own {
            writeln!(list, "{key}: by rows, `{}`: {}", gap.aggregate, gap.reason).ok();
        }
    }
    let definitions: Vec<String> = definitions
        .iter()
        .map(|definition| format!("{} {definition}", definition.hash()))
        .collect();
    insta::assert_snapshot!(format!("{list}\n{}\n", definitions.join("\n")));
}

#[test]
fn states_alone_answer_or_refuse_by_name() {
    let mut store = platform();
    let daily = "lifetime(avg(gmv per day))";
    store.formulas.push((daily.to_owned(), store.engine.compile(daily).expect(daily)));
    let definitions = store.definitions(&keyed(Granularity::Day));
    let cells = store.fold(&definitions);
    let quarter = days("2026-01-01", "2026-03-31");
    let by_country = Request { group_by: vec!["country".to_owned()], ..quarter.clone() };
    for request in [quarter, by_country, Request::default()] {
        let mut refused = Vec::new();
        for (key, formula) in &store.formulas {
            let reading = RollupReader::new(&definitions, &cells);
            let over = |inputs| store.engine.evaluate(&[formula], inputs, &request);
            match (over(Inputs::rollups(&reading)), over(Inputs::data(&store.data))) {
                (Ok(states), Ok(rows)) => assert_eq!(formatted(&states), formatted(&rows), "{key}"),
                // Some metrics lack the dimension, over rows as well.
                (Err(states), Err(rows)) => assert_eq!(states, rows, "{key}"),
                (Err(found), Ok(_)) => refused.push(format!("{key}: {}", found[0].message)),
                (Ok(_), Err(rows)) => panic!("{key}: {rows:#?}"),
            }
        }
        let percentile = "p90_order_value: rollups do not answer `percentile(orders.total, 90%)`: \
                          an exact percentile needs the rows";
        assert!(refused.contains(&percentile.to_owned()), "{refused:#?}");
        assert!(refused.len() <= 5, "{refused:#?}");
    }
}

#[test]
fn states_alone_answer_what_a_filter_with_parameters_narrows_by_their_dimensions() {
    let store = platform();
    let definitions = store.definitions(&keyed(Granularity::Day));
    let cells = store.fold(&definitions);
    let filter = |condition: &str| Filter::new(condition).with("land", "DE");
    for (condition, is_kept) in
        [("country = :land", true), ("country != :land", true), ("promo_code = :land", false)]
    {
        let request =
            Request { filter: Some(filter(condition)), ..days("2026-01-01", "2026-03-31") };
        for key in ["gmv", "order_count", "units_sold", "aov", "net_sales"] {
            let (_, formula) = store.formulas.iter().find(|(own, _)| own == key).expect(key);
            let reading = RollupReader::new(&definitions, &cells);
            let over = |inputs| store.engine.evaluate(&[formula], inputs, &request);
            let (states, rows) = (over(Inputs::rollups(&reading)), over(Inputs::data(&store.data)));
            if is_kept {
                let (states, rows) = (states.expect(key), rows.expect(key));
                assert_eq!(formatted(&states), formatted(&rows), "{key} where {condition}");
            } else {
                assert!(states.is_err(), "no cell tells {key} where {condition}");
            }
        }
    }
}

#[test]
fn percentiles_are_estimated_only_on_request() {
    let store = platform();
    let request = Request { by: Some(TimeUnit::Month), ..days("2025-01-01", "2026-03-31") };
    let definitions = store.definitions(&keyed(Granularity::Day).with_sketches());
    let cells = store.fold(&definitions);
    for key in ["median_order_value", "p90_order_value", "lead_time_p95"] {
        let (_, formula) = store.formulas.iter().find(|(own, _)| own == key).expect(key);
        let over = |inputs| store.engine.evaluate(&[formula], inputs, &request).expect("answers");
        let rows = over(Inputs::data(&store.data));
        let exactly = RollupReader::new(&definitions, &cells);
        let exact = over(Inputs::data(&store.data).with_rollups(&exactly));
        assert_eq!(formatted(&exact), formatted(&rows), "{key}");
        let reading = RollupReader::new(&definitions, &cells).approximately();
        let estimates = over(Inputs::rollups(&reading));
        for (exact, estimate) in rows.of(0).iter().zip(estimates.of(0)) {
            assert!(exact.exact && !estimate.exact, "{key}");
            let (Some(exact), Some(given)) = (exact.value.as_number(), estimate.value.as_number())
            else {
                assert_eq!(exact.null_reason, estimate.null_reason, "{key}");
                continue;
            };
            let error = (given - exact).abs();
            assert!(error * Decimal::ONE_HUNDRED <= exact.abs(), "{key}: {given} for {exact}");
        }
    }
}

#[test]
fn cells_come_back_from_their_text_with_the_same_answers() {
    let store = platform();
    let definitions = store.definitions(&keyed(Granularity::Hour).with_sketches());
    let cells = store.fold(&definitions);
    let text = serde_json::to_string(&cells).expect("text");
    let again: Rollups = serde_json::from_str(&text).expect("cells");
    assert_eq!(again.len(), cells.len());
    let (wrong, _) = store.differences((&definitions, &again), &days("2026-01-01", "2026-03-31"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_hash_depends_only_on_the_definition() {
    let store = platform();
    let hashes = |options: &RollupOptions| -> BTreeSet<String> {
        store.definitions(options).iter().map(RollupDefinition::hash).collect()
    };
    let (by_day, by_hour) = (keyed(Granularity::Day), keyed(Granularity::Hour));
    let kept = store.definitions(&by_day).len();
    assert_eq!(hashes(&by_day).len(), kept, "no two definitions share a hash");
    assert_eq!(hashes(&by_day), hashes(&by_day.clone()));
    // Without instants, both are cut alike.
    assert!(hashes(&by_day).intersection(&hashes(&by_hour)).count() < kept / 2);
}

#[test]
fn statistics_and_comparisons_of_buckets_need_no_rows() {
    let store = platform();
    let formulas = [
        "variance(items.quantity)",
        "stddev_pop(orders.total)",
        "mode(orders.country)",
        "mode(orders.total)",
        "min(orders.country)",
        "weighted_avg(items.unit_price, items.quantity)",
        "moving_avg(gmv, 3) - previous_bucket(gmv)",
        "running_share(buyers) * rank(gmv, by: period)",
    ];
    let store = Store::new(store.engine, store.data, &formulas);
    let options = keyed(Granularity::Day);
    let definitions = store.definitions(&options);
    assert_eq!(definitions.gaps(), []);
    let request = Request { by: Some(TimeUnit::Week), ..days("2026-01-01", "2026-03-31") };
    assert_eq!(assert_equal(&store, &options, &[request]), 0);
}
