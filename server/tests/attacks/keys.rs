//! A server that is killed again and again while clients refund, capture, send, fill carts, and credit and debit an account
//! under idempotency keys.
//!
//! An unanswered request is sent again with the same key. After each kill the audit finds nothing, and the balance of each
//! store credit account is the sum of its entries. In the end, everything that took effect did so once: in the database,
//! and in the payment provider's ledger. `QUOTIENT_KILLS` is the number of kills:
//!
//! ```console
//! QUOTIENT_KILLS=100 cargo test --workspace --locked --test api -- repeated_after_a_kill --nocapture
//! ```

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quotient_server::database::Error;
use serde_json::{Value, json};

use super::lives::{self, counted};
use super::wire::{Wire, request};
use crate::harness::{Person, Store, TestServer};
use crate::reliability::process::Process;

/// Limit: responses of one life of the server.
const MAX_ANSWERS: usize = 64;

const ACCOUNTS: &str = "/admin/store-credit-accounts";

/// So many requests in a row are for the same orders. An answer contains all earlier refunds, captures or shipments of its
/// order, and is kept under its key: with one order for all, they would fill the disk.
const REQUESTS_PER_ORDER: usize = 600;

/// The requests that the orders are enough for, per kill.
const REQUESTS_PER_KILL: usize = 60;

/// The number of pieces in an order that is refunded and shipped.
const PIECES: i64 = 200;

/// The repeatable requests.
#[derive(Debug, Clone)]
struct Deeds {
    orders: Vec<Orders>,
    add: String,
    add_body: String,
    credit: String,
    debit: String,
}

/// The requests for one paid order and one whose payment is only authorized.
#[derive(Debug, Clone)]
struct Orders {
    refund: String,
    capture: String,
    send: String,
    send_body: String,
}

/// A request with its key.
#[derive(Debug, Clone)]
struct Deed {
    effect: &'static str,
    path: String,
    body: String,
    key: String,
}

/// The results of the requests.
#[derive(Debug, Default)]
struct Record {
    next: AtomicUsize,
    answers: AtomicUsize,
    unanswered: Mutex<Vec<Deed>>,
    /// The effects with their keys.
    done: Mutex<Vec<(&'static str, String)>>,
    retried: AtomicUsize,
    lost: AtomicUsize,
}

impl Deeds {
    async fn prepare(server: &TestServer, store: &Store, kills: usize) -> Self {
        let other_process = server.other_process();
        let stocked = other_process.write::<_, Error>(|tx| {
            Ok(tx.execute_batch("update inventory_level set stocked_quantity = 1000000")?)
        });
        stocked.await.expect("a large stock");
        let visitor = Person::visitor();
        let mut orders = Vec::new();
        for _ in 0..=kills * REQUESTS_PER_KILL / REQUESTS_PER_ORDER {
            orders.push(Orders::place(server, store).await);
        }
        let cart = server.cart_with(&visitor, store, &store.lamp, 1).await;
        let account = json!({"currency_code": "gbp"});
        let account = server.post(&Person::admin(), ACCOUNTS, account).await.ok();
        let account = account["store_credit_account"]["id"].as_str().expect("an account");
        let account = format!("{ACCOUNTS}/{account}");
        let start = json!({"amount": 10_000});
        server.post(&Person::admin(), &format!("{account}/credit"), start).await.ok();
        Self {
            orders,
            add: format!("/store/carts/{cart}/line-items"),
            add_body: json!({"variant_id": store.mug, "quantity": 1}).to_string(),
            credit: format!("{account}/credit"),
            debit: format!("{account}/debit"),
        }
    }

    fn choose(&self, number: usize) -> Deed {
        let amount = || r#"{"amount":0.01}"#.to_owned();
        let orders = self.orders.get(number / REQUESTS_PER_ORDER).expect("enough orders");
        let (effect, path, body) = match number % 6 {
            0 => ("refunds", &orders.refund, amount()),
            1 => ("captures", &orders.capture, amount()),
            2 => ("parcels", &orders.send, orders.send_body.clone()),
            3 => ("credits", &self.credit, amount()),
            4 => ("debits", &self.debit, amount()),
            _ => ("pieces in the cart", &self.add, self.add_body.clone()),
        };
        Deed { effect, path: path.clone(), body, key: format!("key-{number}") }
    }
}

impl Orders {
    async fn place(server: &TestServer, store: &Store) -> Self {
        let bought = Self::order(server, store, "pm_card_visa").await;
        let reserved = Self::order(server, store, "pm_card_authorize_only").await;
        let line = &bought["items"][0]["id"];
        let id = bought["id"].as_str().expect("an order");
        let payment = |order: &Value| {
            let payment = &order["payment_collections"][0]["payments"][0]["id"];
            payment.as_str().expect("a payment").to_owned()
        };
        Self {
            refund: format!("/admin/payments/{}/refund", payment(&bought)),
            capture: format!("/admin/payments/{}/capture", payment(&reserved)),
            send: format!("/admin/orders/{id}/fulfillments"),
            send_body:
                json!({"items": [{"id": line, "quantity": 1}], "location_id": store.location})
                    .to_string(),
        }
    }

    async fn order(server: &TestServer, store: &Store, test_card: &str) -> Value {
        let visitor = Person::visitor();
        let cart = server.cart_with(&visitor, store, &store.mug, PIECES).await;
        server.ship(&visitor, store, &cart).await;
        server.pay(&visitor, &cart, test_card).await;
        let placed = server.complete(&visitor, &cart).await.ok();
        let id = placed["order"]["id"].as_str().expect("an order");
        let path = format!("/admin/orders/{id}?fields=+payment_collections.payments.id");
        server.get(&Person::admin(), &path).await.ok()["order"].take()
    }
}

impl Deed {
    /// Sends it; returns the status and the code of an error, or none without an answer.
    fn send(&self, wire: &mut Wire) -> Option<(u16, String)> {
        let is_admin = self.path.starts_with("/admin/");
        let person = if is_admin { Person::program() } else { Person::visitor() };
        let headers = format!("{}idempotency-key: {}\r\n", person.header_lines(), self.key);
        let answer = wire.call(&request("POST", &self.path, &headers, &self.body)).ok()?;
        let body: Value = serde_json::from_slice(&answer.body).ok()?;
        Some((answer.status, body["message"].as_str().unwrap_or_default().to_owned()))
    }
}

impl Record {
    /// Records a response; returns whether it is final.
    fn note(&self, deed: &Deed, status: u16, message: &str) -> bool {
        let is_lost = status == 409 && message.contains("took effect");
        match status {
            200 | 201 => {}
            409 if is_lost => drop(self.lost.fetch_add(1, Ordering::Relaxed)),
            // It is in progress, or the server is at capacity.
            409 | 429 | 503 => return false,
            // The goods have been shipped, or the money has been refunded.
            400 | 422 => return true,
            _ => panic!("{}: {status} {message}", deed.path),
        }
        self.done.lock().expect("the list").push((deed.effect, deed.key.clone()));
        true
    }

    fn act(&self, deed: Deed, wire: &mut Wire) -> bool {
        let answer = deed.send(wire);
        let is_answered = answer.is_some();
        if is_answered {
            self.answers.fetch_add(1, Ordering::Relaxed);
        }
        if !answer.is_some_and(|(status, message)| self.note(&deed, status, &message)) {
            self.unanswered.lock().expect("the list").push(deed);
        }
        is_answered
    }

    /// Repeats requests without a final response until they have one.
    fn retry(&self, server: &Process) {
        let mut wire = Wire::open(1, server.address).expect("a connection");
        let begun = Instant::now();
        loop {
            let open = std::mem::take(&mut *self.unanswered.lock().expect("the list"));
            if open.is_empty() {
                return;
            }
            assert!(begun.elapsed() < Duration::from_mins(1), "{open:?}");
            for deed in open {
                self.retried.fetch_add(1, Ordering::Relaxed);
                self.act(deed, &mut wire);
            }
        }
    }

    fn done(&self, effect: &str) -> i64 {
        let done = self.done.lock().expect("the list");
        let keys: BTreeSet<_> = done.iter().filter(|(own, _)| *own == effect).collect();
        i64::try_from(keys.len()).expect("a number")
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_repeated_after_a_kill_take_effect_once() {
    let cycles = lives::kills();
    let (server, store) = TestServer::with_store().await;
    let deeds = Deeds::prepare(&server, &store, cycles).await;
    let (folder, path) = server.copied().await;
    let ledger = folder.path().join("ledger");
    let (own, own_ledger) = (path.clone(), ledger.clone());
    let lives = tokio::task::spawn_blocking(move || {
        let (record, mut interrupted) = (Record::default(), 0);
        for cycle in 0..cycles {
            let mut server = lives::start(&own, &own_ledger);
            record.retry(&server);
            let enough = (cycle.wrapping_mul(37) % MAX_ANSWERS).saturating_add(1);
            lives::live_and_die(&mut server, (&record.answers, enough), |wire| {
                let number = record.next.fetch_add(1, Ordering::Relaxed);
                record.act(deeds.choose(number), wire)
            });
            let left =
                lives::audit(&own, cycle, "select key from job where kind = 'payments.refund'");
            interrupted += tokio::runtime::Handle::current().block_on(left).len();
        }
        let last = lives::start(&own, &own_ledger);
        record.retry(&last);
        (record, interrupted, last)
    });
    let (record, interrupted, last) = lives.await.expect("the lives of the server");
    lives::settled(&path, "select count(*) from job where kind = 'payments.refund'").await;
    drop(last);

    let moves = lives::movements(&ledger);
    let refunds = "select count(*) from refund where amount_minor = 1";
    let captures = "select count(*) from capture where amount_minor = 1";
    let sent = "select count(*) from fulfillment";
    let added = "select coalesce(sum(quantity), 0) from cart_line l join cart c on c.id = l.cart_id
                 where c.completed_at is null and quantity > 1";
    let credits = "select count(*) from credit_entry where kind = 'CREDIT' and amount_minor = 1";
    let debits = "select count(*) from credit_entry where kind = 'DEBIT'";
    for (name, sql, provider) in [
        ("refunds", refunds, Some("refund")),
        ("captures", captures, Some("capture")),
        ("parcels", sent, None),
        ("pieces in the cart", added, None),
        ("credits", credits, None),
        ("debits", debits, None),
    ] {
        let (done, books) = (record.done(name), counted(&path, sql).await);
        println!("{name}: {done} acknowledged, {books} in the books");
        assert_eq!(done, books, "{name}");
        if let Some(kind) = provider {
            let own = moves.iter().filter(|one| one.kind == kind && one.amount_minor == 1);
            assert_eq!(i64::try_from(own.count()), Ok(books), "{name} at the provider");
        }
    }
    println!(
        "{cycles} kills, {} requests, {} sent again, {} answers lost, {interrupted} refunds interrupted",
        record.next.load(Ordering::Relaxed),
        record.retried.load(Ordering::Relaxed),
        record.lost.load(Ordering::Relaxed)
    );
    assert!(record.next.load(Ordering::Relaxed) > cycles);
}
