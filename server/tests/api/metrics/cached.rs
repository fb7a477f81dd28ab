//! Cached values equal computed ones: random queries, run cold, warm and cold again, with writes in between.
#![expect(clippy::arithmetic_side_effects, reason = "numbers of a test are small")]

use quotient_server::database::Error;
use quotient_server::testing::rounds;
use serde_json::{Value, json};

use super::registry::send;
use super::{Chance, active, keep_credentials, order};
use crate::harness::{Person, Store, TestServer};

const QUESTIONS: u64 = 5;

const METRICS: &[(&str, &str)] = &[
    ("Placed", "count(orders where status != 'canceled')"),
    ("Net", "sum(items.subtotal where order.status != 'canceled') - sum(items.discount)"),
    ("Basket", "net / placed"),
    ("Of late", "trailing(placed, 3 days)"),
    ("Before", "previous(net)"),
    ("Grown", "growth(placed)"),
    ("Buyers", "count_distinct(orders.customer_id)"),
    (
        "Back again",
        "count_distinct(orders.customer_id where customer.first_order_at < period_start)",
    ),
    ("New here", "count_distinct(orders.customer_id where customer.first_order_at in period)"),
    ("Middle", "median(orders.total)"),
    ("At home", "(net where country = 'gb') / net"),
    ("All ever", "lifetime(placed)"),
    ("Goods", "count(products)"),
    ("Broad", "sum(items.quantity where order.region = 'Britain')"),
];

const KEYS: &[&str] = &[
    "placed",
    "net",
    "basket",
    "of_late",
    "before",
    "grown",
    "buyers",
    "middle",
    "at_home",
    "all_ever",
    "goods",
    "broad",
    "back_again",
    "new_here",
];

/// Returns a random query.
fn question(chance: &mut Chance, store: &Store) -> Value {
    let first = chance.below(14);
    let mut query = json!({
        "metrics": [*chance.of(KEYS), *chance.of(KEYS), *chance.of(KEYS)],
        "start_date": format!("2026-11-{:02}", 12 + first),
        "end_date": format!("2026-11-{:02}", (12 + first + chance.below(12)).min(30)),
        "granularity": *chance.of(&["none", "hour", "day", "week", "month"]),
        "compare": *chance.of(&["none", "previous_period", "previous_year"]),
        "timezone": *chance.of(&["UTC", "Europe/London", "America/New_York", "Asia/Kolkata"]),
        "currency_code": *chance.of(&["gbp", "gbp", "gbp", "usd"]),
        "group_by": chance.of(&[json!([]), json!([]), json!(["country"]), json!(["sales_channel"]),
            json!(["region", "sales_channel"])]).clone(),
    });
    match chance.below(6) {
        0 => query["region_id"] = json!(store.britain),
        1 => query["country_code"] = json!("gb"),
        2 => query["sales_channel_id"] = json!(store.channel),
        _ => {}
    }
    if chance.below(3) == 0 {
        query["formula"] = json!(*chance.of(&["2 * net", "sum(orders.total) / count(orders)"]));
    }
    query
}

/// Makes a random change that affects values.
async fn change(server: &TestServer, store: &Store, chance: &mut Chance, placed: &mut Vec<String>) {
    let admin = Person::admin();
    let word = chance.below(1_000_000);
    match chance.below(8) {
        0 if !placed.is_empty() => {
            let index = usize::try_from(chance.below(1_000)).expect("a number") % placed.len();
            let path = format!("/admin/orders/{}/cancel", placed.swap_remove(index));
            server.post(&admin, &path, json!({})).await.ok();
        }
        1 => {
            let path = format!("/admin/regions/{}", store.britain);
            let name = *chance.of(&["Britain", "Great Britain"]);
            server.post(&admin, &path, json!({"name": name})).await.ok();
        }
        2 => {
            let path = format!("/admin/sales-channels/{}", store.channel);
            server.post(&admin, &path, json!({"name": format!("Shop {word}")})).await.ok();
        }
        3 => {
            let body = json!({"formula": format!("sum(items.subtotal) * {} / 10", 9 + word % 3)});
            send(server, &admin, ("PUT", "/admin/metrics/catalog/net"), body).await.ok();
        }
        4 => {
            let product = json!({"title": format!("Bowl {word}"),
                "options": [{"title": "Kind", "values": ["One"]}]});
            server.post(&admin, "/admin/products", product).await.ok();
        }
        _ => {
            let (pieces, hours) = (1 + chance.below(3), 1 + chance.below(11));
            let variant = chance.of(&[&store.mug, &store.lamp]).as_str();
            let pieces = i64::try_from(pieces).expect("a number");
            placed.push(order(server, store, variant, pieces).await);
            server.clock.advance(i64::try_from(hours).expect("a number") * 3_600_000);
        }
    }
}

/// Returns a response without the parts that may differ: whether it was cached, and the time it took.
fn comparable(mut answer: Value) -> String {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.remove("cached");
                members.remove("computeTime");
                members.values_mut().for_each(strip);
            }
            Value::Array(items) => items.iter_mut().for_each(strip),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    strip(&mut answer);
    answer.to_string()
}

/// Returns whether every value in a response was cached.
fn is_cached(answer: &Value) -> bool {
    let records = answer["metrics"].as_object().expect("records");
    records.values().all(|record| record["cached"] == true || !record["error"].is_null())
}

#[tokio::test]
async fn cached_answers_are_byte_for_byte_those_computed_anew() {
    let (server, store) = TestServer::with_store().await;
    keep_credentials(&server).await;
    for (name, formula) in METRICS {
        active(&server, name, formula).await;
    }
    let mut chance = Chance(20_261_121);
    let mut placed = Vec::new();
    let (mut cached_count, mut with_value) = (0_usize, 0_usize);
    let mut queries: Vec<Value> = Vec::new();
    for round in 0..rounds(4, 14) {
        change(&server, &store, &mut chance, &mut placed).await;
        queries.extend((0..QUESTIONS).map(|_| question(&mut chance, &store)));
        // Includes queries of earlier rounds, whose values are in the cache.
        let older: Vec<Value> = (0..QUESTIONS).map(|_| chance.of(&queries).clone()).collect();
        let fresh =
            queries.iter().rev().take(usize::try_from(QUESTIONS).expect("a number")).cloned();
        for question in fresh.chain(older).collect::<Vec<_>>() {
            let ask = async || {
                let path = "/admin/metrics/compute";
                server.post(&Person::viewer(), path, question.clone()).await.ok()
            };
            let (found, again) = (ask().await, ask().await);
            server.delete(&Person::analyst(), "/admin/metrics/cache").await.ok();
            let cold = ask().await;
            cached_count += usize::from(is_cached(&again));
            let values = cold["metrics"].as_object().expect("records").values();
            let is_some = |record: &Value| {
                record["value"].is_string() || record["value"].as_f64() > Some(0.0)
            };
            with_value += usize::from(values.clone().any(is_some));
            assert_eq!(comparable(found), comparable(cold.clone()), "round {round}: {question}");
            assert_eq!(comparable(again), comparable(cold), "round {round}: {question}");
        }
    }
    assert!(with_value > rounds(10, 40), "{with_value}");
    assert!(cached_count > rounds(3, 10), "{cached_count}");
}

#[tokio::test]
async fn an_answer_cached_for_one_user_is_not_shown_to_an_unauthorised_one() {
    let (server, store) = TestServer::with_store().await;
    keep_credentials(&server).await;
    order(&server, &store, &store.mug, 2).await;
    server.clock.advance(2 * 24 * 3_600_000);
    let owner = Person::analyst();
    let mut body = super::registry::definition("Secret", "sum(orders.quantity)", "number");
    body["visibility"] = json!("private");
    server.post(&owner, "/admin/metrics/definitions", body).await.ok();
    let path = "/admin/metrics-registry/definitions/secret/lifecycle";
    server.post(&owner, path, json!({"state": "active"})).await.ok();
    let lately = json!({"metrics": ["secret"], "currency_code": "gbp"});
    let mut of_a_day = lately.clone();
    of_a_day["start_date"] = json!("2026-11-21");
    of_a_day["end_date"] = json!("2026-11-21");
    for question in [&lately, &lately, &of_a_day, &of_a_day] {
        let own = server.post(&owner, "/admin/metrics/compute", question.clone()).await.ok();
        assert_eq!(own["metrics"]["secret"]["value"], 2);
        for other in [Person::admin(), Person::viewer(), Person::program()] {
            let refused = server.post(&other, "/admin/metrics/compute", question.clone()).await;
            assert!(!refused.body.to_string().contains("\"value\""), "{refused:?}");
            refused.refused(404);
        }
    }
}

#[tokio::test]
async fn a_repeat_order_invalidates_no_past_day_of_the_dashboard() {
    let (server, store) = TestServer::with_store().await;
    keep_credentials(&server).await;
    let misses = async || -> u64 {
        let path = "/admin/metrics/dashboard/summary?currency_code=gbp";
        server.get(&Person::viewer(), path).await.ok();
        let figures = server.get(&Person::viewer(), "/admin/metrics/cache").await.ok();
        figures["cache"]["misses"].as_u64().expect("a number")
    };
    order(&server, &store, &store.mug, 1).await;
    server.clock.advance(5 * 24 * 3_600_000);
    let cold = misses().await;
    assert_eq!(misses().await, cold);

    order(&server, &store, &store.lamp, 1).await;
    let returned = misses().await;
    let change = "update orders set customer_id = null";
    let other = server.other_process();
    other.write(move |tx| Ok::<_, Error>(tx.execute(change, [])?)).await.expect("no buyers");
    let nobody = misses().await;
    order(&server, &store, &store.lamp, 1).await;
    let first = misses().await;

    assert_eq!(returned, cold);
    assert!(nobody > returned && first > nobody, "{returned}, {nobody}, {first}");
}

#[tokio::test]
async fn the_figures_of_the_cache_follow_writes_and_clearing_at_once() {
    let (server, store) = TestServer::with_store().await;
    let figures =
        async || server.get(&Person::viewer(), "/admin/metrics/cache").await.ok()["cache"].clone();
    let number = |figures: &Value, key: &str| figures[key].as_u64().expect("a number");
    let path = "/admin/metrics/dashboard/summary?currency_code=gbp";
    server.get(&Person::viewer(), path).await.ok();
    let full = figures().await;
    assert!(number(&full, "entries") > 100 && number(&full, "weight_bytes") > 10_000, "{full}");

    order(&server, &store, &store.mug, 1).await;
    let written = figures().await;
    assert!(number(&written, "invalidations") > number(&full, "invalidations"), "{written}");
    server.delete(&Person::analyst(), "/admin/metrics/cache").await.ok();
    let cleared = figures().await;

    assert_eq!((&cleared["entries"], &cleared["weight_bytes"]), (&json!(0), &json!(0)));
    assert_eq!(number(&cleared, "invalidations"), number(&written, "invalidations") + 1);
}
