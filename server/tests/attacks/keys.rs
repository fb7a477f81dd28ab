//! A server that is killed again and again while clients refund, capture, send, fill carts, and credit and debit an account
//! under idempotency keys.
//!
//! What is not answered is sent again with the same key. After each kill the audit finds nothing, of each account of store
//! credit neither: its balance is the sum of its entries. In the end everything that took effect has done so once: in the
//! books, and in the ledger of the payment provider. `QUOTIENT_KILLS` is the number of kills:
//!
//! ```console
//! QUOTIENT_KILLS=100 cargo test --workspace --locked --test api -- what_is_sent_again --nocapture
//! ```

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quotient_server::check;
use quotient_server::clock::Clock;
use quotient_server::database::{Db, Error};
use quotient_server::state::database_options;
use quotient_server::testing::rounds;
use serde_json::{Value, json};

use super::wire::{Wire, request};
use crate::harness::{Person, Store, TestServer};
use crate::reliability::process::Process;

const CLIENTS: usize = 8;

/// Limit: responses of one life of the server.
const MAX_ANSWERS: usize = 64;

/// Limit: time to wait for them.
const MAX_LIFE: Duration = Duration::from_secs(20);

/// Limit: time until a server has ended the refunds that the last kill interrupted.
const MAX_SETTLING: Duration = Duration::from_secs(30);

const ACCOUNTS: &str = "/admin/store-credit-accounts";

/// The pieces of the order that is refunded and sent.
const PIECES: i64 = 900;

/// What can be done again and again.
#[derive(Debug, Clone)]
struct Deeds {
    refund: String,
    capture: String,
    send: String,
    send_body: String,
    add: String,
    add_body: String,
    credit: String,
    debit: String,
}

/// A request with its key.
#[derive(Debug, Clone)]
struct Deed {
    path: String,
    body: String,
    key: String,
    is_admin: bool,
}

/// What became of the requests.
#[derive(Debug, Default)]
struct Record {
    next: AtomicUsize,
    answers: AtomicUsize,
    unanswered: Mutex<Vec<Deed>>,
    /// The keys of each path that took effect.
    done: Mutex<Vec<(String, String)>>,
    retried: AtomicUsize,
    lost: AtomicUsize,
}

impl Deeds {
    async fn prepare(server: &TestServer, store: &Store) -> Self {
        let other_process = server.other_process();
        let stocked = other_process.write::<_, Error>(|tx| {
            Ok(tx.execute_batch("update inventory_level set stocked_quantity = 1000000")?)
        });
        stocked.await.expect("a large stock");
        let visitor = Person::visitor();
        let bought = Self::order(server, store, "pm_card_visa").await;
        let reserved = Self::order(server, store, "pm_card_authorize_only").await;
        let line = bought["items"][0]["id"].clone();
        let cart = server.cart_with(&visitor, store, &store.lamp, 1).await;
        let account = json!({"currency_code": "gbp"});
        let account = server.post(&Person::admin(), ACCOUNTS, account).await.ok();
        let account = account["store_credit_account"]["id"].as_str().expect("an account");
        let account = format!("{ACCOUNTS}/{account}");
        let start = json!({"amount": 10_000});
        server.post(&Person::admin(), &format!("{account}/credit"), start).await.ok();
        let id = |order: &Value| order["id"].as_str().expect("an order").to_owned();
        let payment = |order: &Value| {
            let payment = &order["payment_collections"][0]["payments"][0]["id"];
            payment.as_str().expect("a payment").to_owned()
        };
        Self {
            refund: format!("/admin/payments/{}/refund", payment(&bought)),
            capture: format!("/admin/payments/{}/capture", payment(&reserved)),
            send: format!("/admin/orders/{}/fulfillments", id(&bought)),
            send_body:
                json!({"items": [{"id": line, "quantity": 1}], "location_id": store.location})
                    .to_string(),
            add: format!("/store/carts/{cart}/line-items"),
            add_body: json!({"variant_id": store.mug, "quantity": 1}).to_string(),
            credit: format!("{account}/credit"),
            debit: format!("{account}/debit"),
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

    fn choose(&self, number: usize) -> Deed {
        let amount = || r#"{"amount":0.01}"#.to_owned();
        let (path, body, is_admin) = match number % 6 {
            0 => (&self.refund, amount(), true),
            1 => (&self.capture, amount(), true),
            2 => (&self.send, self.send_body.clone(), true),
            3 => (&self.credit, amount(), true),
            4 => (&self.debit, amount(), true),
            _ => (&self.add, self.add_body.clone(), false),
        };
        Deed { path: path.clone(), body, key: format!("key-{number}"), is_admin }
    }
}

impl Deed {
    /// Sends it; returns the status and the code of an error, or none without an answer.
    fn send(&self, wire: &mut Wire) -> Option<(u16, String)> {
        let person = if self.is_admin { Person::program() } else { Person::visitor() };
        let headers = format!("{}idempotency-key: {}\r\n", person.header_lines(), self.key);
        let answer = wire.call(&request("POST", &self.path, &headers, &self.body)).ok()?;
        let body: Value = serde_json::from_slice(&answer.body).ok()?;
        Some((answer.status, body["message"].as_str().unwrap_or_default().to_owned()))
    }
}

impl Record {
    /// Notes an answer; returns whether it is final.
    fn note(&self, deed: &Deed, status: u16, message: &str) -> bool {
        let is_lost = status == 409 && message.contains("took effect");
        match status {
            200 | 201 => {}
            409 if is_lost => drop(self.lost.fetch_add(1, Ordering::Relaxed)),
            // It is under way, or the server has no room.
            409 | 429 | 503 => return false,
            // The goods are sent, or the money is given back.
            400 | 422 => return true,
            _ => panic!("{}: {status} {message}", deed.path),
        }
        self.done.lock().expect("the list").push((deed.path.clone(), deed.key.clone()));
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

    /// Sends again what has no final answer, until it has one.
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

    fn done_at(&self, path: &str) -> i64 {
        let done = self.done.lock().expect("the list");
        let keys: BTreeSet<_> = done.iter().filter(|(own, _)| own == path).collect();
        i64::try_from(keys.len()).expect("a number")
    }
}

/// One life: clients act until the server is killed.
fn live_and_die(server: &mut Process, deeds: &Deeds, record: &Record, cycle: usize) {
    let enough = (cycle.wrapping_mul(37) % MAX_ANSWERS).saturating_add(1);
    let enough = record.answers.load(Ordering::Relaxed).saturating_add(enough);
    let (is_dead, address) = (AtomicBool::new(false), server.address);
    std::thread::scope(|scope| {
        for client in 0..CLIENTS {
            let is_dead = &is_dead;
            scope.spawn(move || {
                let host = u16::try_from(client).expect("an address") + 16;
                let mut wire = Wire::open(host, address).expect("a connection");
                while !is_dead.load(Ordering::Relaxed) {
                    let number = record.next.fetch_add(1, Ordering::Relaxed);
                    if !record.act(deeds.choose(number), &mut wire) {
                        break;
                    }
                }
            });
        }
        let begun = Instant::now();
        while record.answers.load(Ordering::Relaxed) < enough && begun.elapsed() < MAX_LIFE {
            std::thread::sleep(Duration::from_millis(1));
        }
        server.kill();
        is_dead.store(true, Ordering::Relaxed);
    });
}

/// Starts the program with a ledger of its payment provider.
fn start(path: &Path, ledger: &Path) -> Process {
    let ledger = ledger.display().to_string();
    let limits = ["--store-per-minute", "100000000", "--admin-per-minute", "100000000"];
    Process::start_with(&[], path, &[&limits[..], &["--sandbox-ledger", &ledger]].concat())
}

/// Returns the number of kills.
#[expect(clippy::disallowed_methods, reason = "it is for the person who runs the tests")]
fn kills() -> usize {
    std::env::var("QUOTIENT_KILLS")
        .map_or_else(|_unset| rounds(6, 500), |kills| kills.parse().expect("a number"))
}

/// Audits what a kill has left. Reads a copy, so that the server itself recovers the file.
async fn audit(path: &Path, cycle: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let copy = folder.path().join("store.db");
    for suffix in ["", "-wal"] {
        let name = |path: &Path| format!("{}{suffix}", path.display());
        std::fs::copy(name(path), name(&copy)).expect("a copy");
    }
    let db = Db::open(&database_options(&copy, Clock::system())).expect("the copy opens");
    let findings = check::check(&db).await.expect("the audit runs");
    assert!(findings.is_empty(), "after kill {cycle}: {findings:#?}");
    db.close().await;
}

/// Counts what the books and the provider have.
async fn counted(path: &Path, sql: &'static str) -> i64 {
    let db = Db::open(&database_options(path, Clock::system())).expect("the database opens");
    let count = db.read::<_, Error>(move |tx| Ok(tx.query_row(sql, [], |row| row.get(0))?));
    let count = count.await.expect("a count");
    db.close().await;
    count
}

/// Returns the number of movements of a kind and an amount of one in a ledger.
fn moved(ledger: &str, kind: &str) -> i64 {
    let keys: BTreeSet<&str> = ledger
        .lines()
        .filter_map(|line| {
            let mut words = line.split('\t');
            let (own, key, amount) = (words.next()?, words.next()?, words.next()?);
            (own == kind && amount == "1").then_some(key)
        })
        .collect();
    i64::try_from(keys.len()).expect("a number")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_sent_again_after_a_kill_is_done_once() {
    let cycles = kills();
    let (server, store) = TestServer::with_store().await;
    let deeds = Deeds::prepare(&server, &store).await;
    let (folder, path) = server.copied().await;
    let ledger = folder.path().join("ledger");
    let (own, own_ledger, acts) = (path.clone(), ledger.clone(), deeds.clone());
    let lives = tokio::task::spawn_blocking(move || {
        let record = Record::default();
        for cycle in 0..cycles {
            let mut server = start(&own, &own_ledger);
            record.retry(&server);
            live_and_die(&mut server, &acts, &record, cycle);
            tokio::runtime::Handle::current().block_on(audit(&own, cycle));
        }
        let last = start(&own, &own_ledger);
        record.retry(&last);
        (record, last)
    });
    let (record, last) = lives.await.expect("the lives of the server");
    let open = "select count(*) from job where kind = 'payments.refund'";
    let begun = Instant::now();
    while counted(&path, open).await > 0 {
        assert!(begun.elapsed() < MAX_SETTLING, "refunds are still open");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    drop(last);

    let moves = std::fs::read_to_string(&ledger).expect("the ledger");
    let refunds = "select count(*) from refund where amount_minor = 1";
    let captures = "select count(*) from capture where amount_minor = 1";
    let sent = "select count(*) from fulfillment";
    let added = "select coalesce(sum(quantity), 0) from cart_line l join cart c on c.id = l.cart_id
                 where c.completed_at is null and quantity > 1";
    let credits = "select count(*) from credit_entry where kind = 'CREDIT' and amount_minor = 1";
    let debits = "select count(*) from credit_entry where kind = 'DEBIT'";
    for (name, path_of, sql, provider) in [
        ("refunds", &deeds.refund, refunds, Some("refund")),
        ("captures", &deeds.capture, captures, Some("capture")),
        ("parcels", &deeds.send, sent, None),
        ("pieces in the cart", &deeds.add, added, None),
        ("credits", &deeds.credit, credits, None),
        ("debits", &deeds.debit, debits, None),
    ] {
        let (done, books) = (record.done_at(path_of), counted(&path, sql).await);
        println!("{name}: {done} acknowledged, {books} in the books");
        assert_eq!(done, books, "{name}");
        if let Some(kind) = provider {
            assert_eq!(moved(&moves, kind), books, "{name} at the provider");
        }
    }
    println!(
        "{cycles} kills, {} requests, {} sent again, {} answers lost",
        record.next.load(Ordering::Relaxed),
        record.retried.load(Ordering::Relaxed),
        record.lost.load(Ordering::Relaxed)
    );
    assert!(record.next.load(Ordering::Relaxed) > cycles);
}
