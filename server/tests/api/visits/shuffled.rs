//! Random events, each sent up to five times, all in any order: each is counted once, and the wishes are those of the
//! events in their original order.

#![expect(clippy::arithmetic_side_effects, reason = "numbers are small")]

use std::collections::BTreeMap;
use std::sync::Arc;

use quotient_server::testing::rounds;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::harness::{BEGIN, Chance, Person, TestServer};

/// Calls at the same time.
const CALLS: usize = 50;

const VISITS: u32 = 40;

/// The state of a wish: when it was last added and last removed.
type Wishes = BTreeMap<String, [Value; 2]>;

/// Returns random events in the order of their times, each with its visit, and the wishes that they lead to.
fn random(chance: &mut Chance, products: &[&str]) -> (Vec<(String, Value)>, Wishes) {
    let (mut events, mut wishes) = (Vec::new(), Wishes::new());
    let count = rounds(400, 100_000);
    for number in 0..count {
        let visit = format!("visit-{:016}", chance.below(VISITS));
        let product = products[usize::try_from(chance.below(3)).expect("an index")];
        let at = json!(BEGIN.plus_ms((number - count) * 100));
        let name = ["page_viewed", "wishlist_added", "wishlist_removed"]
            [usize::try_from(chance.below(3)).expect("an index")];
        if name != "page_viewed" {
            let wish = wishes.entry(format!("{visit} {product}")).or_default();
            wish[usize::from(name == "wishlist_removed")] = at.clone();
        }
        let event = json!({ "name": name, "event_id": number.to_string(), "product_id": product, "occurred_at": at });
        events.push((visit, event));
    }
    (events, wishes)
}

/// Returns each event up to five times, in any order.
fn shuffled(chance: &mut Chance, events: Vec<(String, Value)>) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for event in events {
        let count = usize::try_from(chance.below(5)).expect("a few") + 1;
        all.extend(vec![event; count]);
    }
    for left in (1..all.len()).rev() {
        let other = chance.below(u32::try_from(left).expect("a place") + 1);
        all.swap(left, usize::try_from(other).expect("a place"));
    }
    all
}

#[tokio::test]
async fn events_of_many_at_once_in_any_order_are_each_counted_once() {
    let (server, _store) = TestServer::with_store().await;
    let list = server.get(&Person::admin(), "/admin/products").await.ok();
    let products = list["products"].as_array().expect("products").iter();
    let products: Vec<&str> = products.filter_map(|product| product["id"].as_str()).collect();
    let mut chance = Chance(12);
    let (events, expected) = random(&mut chance, &products);
    let count = i64::try_from(events.len()).expect("a count");
    let server = Arc::new(server);
    let mut sent = shuffled(&mut chance, events);
    while !sent.is_empty() {
        let mut calls = JoinSet::new();
        for (visit, event) in sent.split_off(sent.len().saturating_sub(CALLS)) {
            let server = Arc::clone(&server);
            calls.spawn(async move {
                let headers = [("x-session-id", visit.as_str())];
                server.track_with(&Person::visitor(), &headers, &event).await.status
            });
        }
        while let Some(status) = calls.join_next().await {
            assert_eq!(status.expect("an answer"), 202);
        }
    }

    assert_eq!(server.number("select count(*) from visit_event").await, count);
    assert_eq!(server.number("select count(*) from visit").await, i64::from(VISITS));
    let kept = server.wishes("?limit=200").await.into_iter().map(|wish| {
        let id = |name: &str| wish[name].as_str().expect("an id").to_owned();
        let wish_of = format!("{} {}", id("session_id"), id("product_id"));
        (wish_of, [wish["added_at"].clone(), wish["removed_at"].clone()])
    });
    assert_eq!(kept.collect::<Wishes>(), expected);
}
