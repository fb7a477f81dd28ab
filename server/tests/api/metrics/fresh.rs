//! A read never returns values older than the writes acknowledged before it began: concurrent edits of metrics and
//! orders, and reads.
#![expect(clippy::arithmetic_side_effects, reason = "numbers of a test are small")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quotient_server::testing::rounds;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use super::active;
use super::registry::send;
use crate::harness::{Person, TestServer};

const DEFINITIONS: &str = "/admin/metrics-registry/definitions";

/// How much more an order counts than an edit, in the values of the race.
const ORDER: u64 = 100_000;

/// Sets the formula of a metric; returns its new version.
async fn say(server: &TestServer, key: &str, formula: &str) -> u64 {
    let path = format!("{DEFINITIONS}/{key}");
    let body = json!({"formula": formula});
    let done = send(server, &Person::admin(), ("PATCH", &path), body).await.ok();
    done["metric"]["version"].as_u64().expect("a version")
}

async fn value(server: &TestServer, key: &str) -> u64 {
    let body = json!({"metrics": [key], "currency_code": "gbp"});
    let answer = server.post(&Person::viewer(), "/admin/metrics/compute", body).await.ok();
    let value = &answer["metrics"][key]["value"];
    value.as_u64().unwrap_or_else(|| panic!("{answer:#}"))
}

/// Returns the number of orders on the dashboard, and checks that its days add up.
async fn shown_orders(server: &TestServer) -> u64 {
    let path = "/admin/metrics/dashboard/summary?currency_code=gbp&end_date=2026-11-21";
    let board = server.get(&Person::viewer(), path).await.ok();
    let cards = board["cards"].as_array().expect("cards");
    let card = cards.iter().find(|card| card["key"] == "orders").expect("a card");
    let days = card["trend"].as_array().expect("days").iter();
    let sum: u64 = days.map(|day| day["value"].as_u64().expect("a count")).sum();
    assert_eq!(card["value"], sum, "{card:#}");
    sum
}

#[tokio::test]
async fn an_edit_changes_everything_that_is_built_on_it_at_once_and_everywhere() {
    let (server, store) = TestServer::with_store().await;
    super::order_of_yesterday(&server, &store, &store.mug, 3).await;
    let admin = Person::admin();
    active(&server, "Base", "count(orders)").await;
    active(&server, "Middle", "10 * base").await;
    active(&server, "Top", "middle + base").await;
    let everywhere = async || -> Vec<Value> {
        let query =
            "/admin/metrics?metrics=top&granularity=month&group_by=country&currency_code=gbp";
        let listed = server.get(&admin, query).await.ok();
        let record = &listed["metrics"]["top"];
        let body = json!({"formula": "top", "currency_code": "gbp"});
        let formula = server.post(&admin, "/admin/metrics/compute", body).await.ok();
        let item = json!({"id": "a", "type": "metric", "metric": "top",
            "filters": {"currency_code": "gbp"}});
        let batch =
            server.post(&admin, "/admin/metrics/batch", json!({"requests": [item]})).await.ok();
        let body = json!({"metrics": ["top"], "currency_code": "gbp"});
        let report = server.post(&admin, "/admin/metrics/report", body).await.ok();
        let body = json!({"metrics": ["top"], "filters": {"currency_code": "gbp"},
            "date": "2026-11-20", "force": true});
        let created = server.post(&admin, "/admin/metrics", body).await.ok();
        let explained =
            server.get(&admin, &format!("{DEFINITIONS}/top/explain?currency_code=gbp")).await.ok();
        vec![
            record["value"].clone(),
            record["series"].as_array().and_then(|all| all.last()).expect("a month")["value"]
                .clone(),
            record["groups"][0]["value"].clone(),
            formula["metrics"]["formula"]["value"].clone(),
            batch["results"]["a"]["data"]["value"].clone(),
            report["report"]["totals"]["top"]["value"].clone(),
            created["metrics"]["top"]["value"].clone(),
            explained["explanation"]["value"].clone(),
        ]
    };
    assert_eq!(everywhere().await, vec![json!(11); 8]);

    say(&server, "base", "sum(orders.quantity)").await;
    assert_eq!(everywhere().await, vec![json!(33); 8]);
    say(&server, "middle", "base + 1").await;
    assert_eq!(everywhere().await, vec![json!(7); 8]);
    let back = json!({"version": 1});
    server.post(&admin, &format!("{DEFINITIONS}/base/versions"), back).await.ok();
    // Five batches per minute are allowed.
    server.clock.advance(60_000);
    assert_eq!(everywhere().await, vec![json!(3); 8]);
}

/// The state that the tasks of the race share.
struct Race {
    server: TestServer,
    /// The last acknowledged version of the metric.
    edited: AtomicU64,
    /// The number of acknowledged orders.
    ordered: AtomicU64,
    /// Versions by the constant in their formula.
    versions: Mutex<BTreeMap<u64, u64>>,
    /// The reads: what was acknowledged before each, and the value.
    reads: Mutex<Vec<Read>>,
}

/// Returns how often each task of the race acts.
fn turns() -> u64 {
    rounds(8, 20)
}

struct Read {
    reader: u64,
    edited: u64,
    ordered: u64,
    value: u64,
}

impl Race {
    async fn edit(&self, writer: u64) {
        for round in 0..turns() {
            let constant = 1 + writer * 100 + round;
            // The constant is in the sum over rows too, so that versions share no cached parts.
            let formula = format!(
                "{ORDER} * count(orders where quantity > -{constant} and status != 'canceled') + {constant}"
            );
            let version = say(&self.server, "base", &formula).await;
            self.versions.lock().await.insert(constant, version);
            self.edited.fetch_max(version, Ordering::SeqCst);
        }
    }

    async fn order(&self, carts: Vec<String>) {
        for cart in carts {
            self.server.complete(&Person::visitor(), &cart).await.ok();
            // The current millisecond does not count yet.
            self.server.clock.advance(1);
            self.ordered.fetch_add(1, Ordering::SeqCst);
        }
    }

    async fn read(&self, reader: u64) {
        for _ in 0..turns() {
            let edited = self.edited.load(Ordering::SeqCst);
            let ordered = self.ordered.load(Ordering::SeqCst);
            let value = value(&self.server, "dependent").await / 2;
            self.reads.lock().await.push(Read { reader, edited, ordered, value });
            let ordered = self.ordered.load(Ordering::SeqCst);
            let view = shown_orders(&self.server).await;
            assert!(view >= ordered, "the dashboard shows {view} orders after {ordered}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 16)]
async fn sixteen_clients_that_read_edit_and_order_at_once_read_nothing_stale() {
    let (server, store) = TestServer::with_store().await;
    active(&server, "Base", "0").await;
    active(&server, "Dependent", "base + base").await;
    let mut carts: Vec<Vec<String>> = Vec::new();
    for _ in 0..2 {
        let mut own = Vec::new();
        for _ in 0..6 {
            own.push(server.ready_cart(&Person::visitor(), &store, &store.mug, 1).await);
        }
        carts.push(own);
    }
    let race = Arc::new(Race {
        server,
        edited: AtomicU64::new(1),
        ordered: AtomicU64::new(0),
        versions: Mutex::new(BTreeMap::from([(0, 1)])),
        reads: Mutex::default(),
    });

    let mut running = JoinSet::new();
    for own in carts {
        let race = Arc::clone(&race);
        running.spawn(async move { race.order(own).await });
    }
    for number in 0..14 {
        let race = Arc::clone(&race);
        running.spawn(async move {
            if number < 4 { race.edit(number).await } else { race.read(number).await }
        });
    }
    while let Some(done) = running.join_next().await {
        done.expect("a task");
    }

    let (versions, reads) = (race.versions.lock().await, race.reads.lock().await);
    let version_count = 1 + 4 * turns();
    let numbers: Vec<u64> = {
        let mut numbers: Vec<u64> = versions.values().copied().collect();
        numbers.sort_unstable();
        numbers
    };
    assert_eq!(numbers, (1..=version_count).collect::<Vec<_>>());
    let mut before: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for read in reads.iter() {
        let version = versions[&(read.value % ORDER)];
        assert!(version >= read.edited, "version {version} after {}", read.edited);
        // The first version counts no orders.
        let orders = if version == 1 { 0 } else { read.value / ORDER };
        assert!(version == 1 || orders >= read.ordered, "{orders} orders after {}", read.ordered);
        let last = before.insert(read.reader, (version, orders)).unwrap_or_default();
        assert!(version >= last.0 && orders >= last.1, "back from {last:?} to {version}, {orders}");
    }
    assert_eq!(u64::try_from(reads.len()), Ok(10 * turns()));
    assert_eq!(value(&race.server, "dependent").await / 2 / ORDER, 12);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_read_that_began_before_a_write_and_ends_after_it_leaves_nothing_stale_behind() {
    let (server, store) = TestServer::with_store().await;
    active(&server, "Base", "count(orders where quantity > 0)").await;
    active(&server, "Wide", "sum(items.quantity where order.quantity > 0) + 0 * base").await;
    let server = Arc::new(server);
    let question = json!({"metrics": ["base", "wide"], "currency_code": "gbp", "granularity": "day",
        "start_date": "2025-11-22", "end_date": "2026-11-21", "group_by": ["country"]});
    for round in 1..=6_u64 {
        let cart = server.ready_cart(&Person::visitor(), &store, &store.mug, 1).await;
        let mut slow = JoinSet::new();
        for _ in 0..3 {
            let (server, question) = (Arc::clone(&server), question.clone());
            slow.spawn(async move {
                server.post(&Person::viewer(), "/admin/metrics/compute", question).await.ok()
            });
        }
        // Waits until the requests are visibly in progress.
        for _ in 0..20 {
            let figures = server.get(&Person::viewer(), "/admin/metrics/cache").await.ok();
            if figures["cache"]["in_flight"].as_u64() > Some(0) {
                break;
            }
        }
        server.complete(&Person::visitor(), &cart).await.ok();
        server.clock.advance(1);
        let read = async || {
            let path = "/admin/metrics/compute";
            let answer = server.post(&Person::viewer(), path, question.clone()).await.ok();
            answer["metrics"]["wide"].clone()
        };
        let at_once = read().await;
        while let Some(done) = slow.join_next().await {
            done.expect("a read");
        }
        let after = read().await;
        for record in [&at_once, &after] {
            assert_eq!(record["value"], round, "round {round}: {record}");
            assert_eq!(
                record["series"].as_array().and_then(|days| days.last()).expect("today")["value"],
                round
            );
        }
    }
}
