//! Clients that shop at a failing server, and the writes that were acknowledged to them.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use quotient_server::check;
use quotient_server::clock::Clock;
use quotient_server::database::{self, Db};
use quotient_server::state::database_options;
use serde_json::{Value, json};

use crate::harness::{Person, Store, address};

/// The acknowledged writes, and the number of refusals.
#[derive(Debug, Default)]
pub(super) struct Acknowledged {
    carts: Mutex<Vec<Written>>,
    orders: Mutex<Vec<Written>>,
    refused: AtomicUsize,
    answered: AtomicUsize,
}

/// An id in a response, and when the response arrived.
type Written = (SystemTime, String);

/// Returns the time by the clock of the tracer.
#[expect(clippy::disallowed_methods, reason = "what is compared is what happened on this machine")]
fn now() -> SystemTime {
    SystemTime::now()
}

impl Acknowledged {
    pub(super) fn order_count(&self) -> usize {
        self.orders.lock().expect("the list").len()
    }

    /// Returns the number of acknowledged writes.
    pub(super) fn answer_count(&self) -> usize {
        self.answered.load(Ordering::Relaxed)
    }

    pub(super) fn refusal_count(&self) -> usize {
        self.refused.load(Ordering::Relaxed)
    }

    /// Checks that all acknowledged writes are in the database, and that it has no bad rows.
    pub(super) async fn verify(&self, path: &Path, when: &str) {
        self.verify_until(now(), path, when).await;
    }

    /// Checks that the writes acknowledged before a time are in the database, and that it has no bad rows.
    pub(super) async fn verify_until(&self, end: SystemTime, path: &Path, when: &str) {
        let db =
            Db::open(&database_options(path, Clock::system())).expect("the database opens again");
        let list = |written: &Mutex<Vec<Written>>| {
            let written = written.lock().expect("the list");
            let ids = written.iter().filter(|(at, _)| *at < end).map(|(_, id)| id.as_str());
            json!(ids.collect::<Vec<_>>()).to_string()
        };
        let (carts, orders) = (list(&self.carts), list(&self.orders));
        let missing = db.read::<_, database::Error>(move |tx| {
            let missing =
                "select count(*) from json_each(?1) where value not in (select id from cart)";
            let carts: i64 = tx.query_row(missing, [carts], |row| row.get(0))?;
            let missing =
                "select count(*) from json_each(?1) where value not in (select id from orders)";
            let orders: i64 = tx.query_row(missing, [orders], |row| row.get(0))?;
            Ok((carts, orders))
        });
        assert_eq!(missing.await.expect("a count"), (0, 0), "{when}");
        let findings = check::check(&db).await.expect("the check runs");
        assert!(findings.is_empty(), "{when}: {findings:#?}");
        db.close().await;
    }
}

/// The number of clients that shop at once.
pub(super) const WRITERS: usize = 8;

/// Lets [`WRITERS`] clients shop, one order after another, while something happens; every response must be a
/// success, or a rejection that is the server's own fault.
pub(super) fn shop_during<T>(
    url: &str,
    store: &Store,
    acknowledged: &Arc<Acknowledged>,
    meanwhile: impl FnOnce() -> T,
) -> T {
    let done = Arc::new(AtomicBool::new(false));
    let clients: Vec<_> = (0..WRITERS)
        .map(|_| {
            let (client, store) = (Client::new(url), store.clone());
            let (acknowledged, done) = (Arc::clone(acknowledged), Arc::clone(&done));
            std::thread::spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    let _refused = client.shop(&store, &acknowledged);
                }
            })
        })
        .collect();
    let outcome = meanwhile();
    done.store(true, Ordering::Relaxed);
    for client in clients {
        client.join().expect("a client saw only answers and refusals");
    }
    outcome
}

/// A client with its own connection.
pub(super) struct Client {
    agent: ureq::Agent,
    url: String,
}

impl Client {
    pub(super) fn new(url: &str) -> Self {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(10)))
            .build()
            .into();
        Self { agent, url: url.to_owned() }
    }

    /// Returns the status of a visitor's GET; none without a response.
    pub(super) fn get(&self, path: &str) -> Option<u16> {
        let mut request = self.agent.get(format!("{}{path}", self.url));
        for (name, value) in Person::visitor().headers() {
            request = request.header(name, value);
        }
        request.call().ok().map(|response| response.status().as_u16())
    }

    /// Returns the response, unless the server refuses the request through its own fault or dies before it responds.
    fn post(&self, path: &str, body: &Value, acknowledged: &Acknowledged) -> Option<Value> {
        let mut request = self
            .agent
            .post(format!("{}{path}", self.url))
            .header("content-type", "application/json");
        for (name, value) in Person::visitor().headers() {
            request = request.header(name, value);
        }
        let response = request.send(body.to_string()).ok()?;
        let status = response.status();
        let can_retry = response.headers().contains_key("retry-after");
        let text = response.into_body().read_to_vec().ok()?;
        let body: Value = serde_json::from_slice(&text).ok()?;
        if status.is_success() {
            acknowledged.answered.fetch_add(1, Ordering::Relaxed);
            return Some(body);
        }
        let kind = body["type"].as_str().unwrap_or_default();
        let is_ours = match status.as_u16() {
            500 => kind == "unexpected_state",
            503 => kind == "unavailable" && can_retry,
            _ => false,
        };
        assert!(is_ours && body["request_id"].is_string(), "{path}: {status} {body}");
        acknowledged.refused.fetch_add(1, Ordering::Relaxed);
        None
    }

    /// Shops from an empty cart to an order; returns none if a step failed.
    pub(super) fn shop(&self, store: &Store, acknowledged: &Acknowledged) -> Option<()> {
        let post = |path: &str, body: Value| self.post(path, &body, acknowledged);
        let new = json!({"region_id": store.britain, "email": "ada@example.com"});
        let cart = post("/store/carts", new)?["cart"]["id"].as_str()?.to_owned();
        acknowledged.carts.lock().expect("the list").push((now(), cart.clone()));
        let line = json!({"variant_id": store.mug, "quantity": 1});
        post(&format!("/store/carts/{cart}/line-items"), line)?;
        post(&format!("/store/carts/{cart}"), json!({"shipping_address": address()}))?;
        let option = json!({"option_id": store.postage});
        post(&format!("/store/carts/{cart}/shipping-methods"), option)?;
        let made = post("/store/payment-collections", json!({"cart_id": cart}))?;
        let collection = made["payment_collection"]["id"].as_str()?;
        let path = format!("/store/payment-collections/{collection}/payment-sessions");
        post(&path, json!({"provider_id": "pp_sandbox"}))?;
        let placed = post(&format!("/store/carts/{cart}/complete"), json!({}))?;
        let order = placed["order"]["id"].as_str()?.to_owned();
        acknowledged.orders.lock().expect("the list").push((now(), order));
        Some(())
    }
}
