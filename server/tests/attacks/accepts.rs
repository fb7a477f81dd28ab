//! A server that is killed again and again while clients accept offers after their orders.
//!
//! An unanswered press is repeated in the next life. After each kill the audit finds nothing. In the end, each claimed
//! press is settled or refused: an accepted one has one line in its order, one payment and one charge at the provider, and
//! a refused one has none of them. `QUOTIENT_KILLS` is the number of kills:
//!
//! ```console
//! QUOTIENT_KILLS=500 cargo test --workspace --locked --test api -- accepted_offers --nocapture
//! ```

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quotient_server::clock::Clock;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::lives;
use super::wire::{Wire, request};
use crate::harness::{Store, TestServer};
use crate::reliability::process::Process;

/// Limit: responses of one life of the server.
const MAX_ANSWERS: usize = 16;

/// The offers of a session, one after the other.
const OFFERS: usize = 40;

/// The kills after which each step must have been hit.
const MANY_KILLS: usize = 100;

const ACCEPT: &str = "/flow-builder/accept";

/// A shopper's path through the offers.
#[derive(Debug)]
struct Way {
    token: String,
    button: String,
    /// Whether the last press is unanswered.
    is_open: bool,
}

/// The results of the presses.
#[derive(Debug, Default)]
struct Record {
    ways: Mutex<VecDeque<Way>>,
    answers: AtomicUsize,
    repeated: AtomicUsize,
    /// The sessions and buttons whose acceptance was acknowledged.
    accepted: Mutex<BTreeSet<(String, String)>>,
    refused: AtomicUsize,
    closed: AtomicUsize,
}

/// Where kills have hit a press.
#[derive(Debug, Default)]
struct Hits {
    before_the_charge: usize,
    after_the_charge: usize,
}

/// Returns the draft of a flow with so many offers.
fn offers(store: &Store) -> Value {
    let offer = |number: usize| {
        let next = match number + 1 {
            OFFERS => "thanks".to_owned(),
            next => format!("offer_{next}"),
        };
        let price = json!({ "type": "fixed", "value": number + 1 });
        let offer = json!({
            "type": "offer", "title": "A print?", "offer": { "variant_id": store.print, "price": price },
            "accept_next": [{ "to": next }], "decline_next": [{ "to": next }],
        });
        (format!("offer_{number}"), offer)
    };
    let mut buttons: BTreeMap<String, Value> = (0..OFFERS).map(offer).collect();
    buttons.insert("thanks".to_owned(), json!({ "type": "end", "title": "Thank you" }));
    json!({ "entry": "offer_0", "buttons": buttons })
}

/// Places orders and starts a session after each. Every fifth card has since been replaced by a
/// refused one.
async fn begin(server: &TestServer, store: &Store, orders: usize) -> VecDeque<Way> {
    server.sql("update inventory_level set stocked_quantity = 1000000").await;
    let flow = server.flow("post_purchase", offers(store)).await;
    server.sql("update flow set offer_window_minutes = 1440").await;
    // The program that is killed reads the clock of the system; each beginning takes a second.
    let span_ms = 1_000 * i64::try_from(orders + 1).expect("a number");
    server
        .clock
        .advance(Clock::system().now().as_millis() - server.clock.now().as_millis() - span_ms);
    let mut ways = VecDeque::new();
    for _ in 0..orders {
        let (cart, order) = server.kept_order(store, "pm_card_visa").await;
        let begun = server.begin_after(&flow, &cart, &order).await;
        // Each shopper has their own address, because addresses are limited.
        server.sql("update flow_session set address_digest = null").await;
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let (token, button) =
            (text(&begun["session"]["token"]), text(&begun["entry_button"]["id"]));
        ways.push_back(Way { token, button, is_open: false });
    }
    server
        .sql("update payment set data = json_set(data, '$.payment_method', 'pm_card_declined') where rowid % 5 = 0")
        .await;
    ways
}

impl Record {
    fn next(&self) -> Way {
        self.ways.lock().expect("the ways").pop_front().expect("more offers than presses")
    }

    /// Accepts the offer of a way; returns whether there was an answer.
    fn act(&self, mut way: Way, wire: &mut Wire) -> bool {
        let body = json!({ "session_token": way.token, "button_id": way.button }).to_string();
        if way.is_open {
            self.repeated.fetch_add(1, Ordering::Relaxed);
        }
        let answer = wire.call(&request("POST", ACCEPT, "", &body)).ok();
        let answer = answer.and_then(|answer| {
            let body: Value = serde_json::from_slice(&answer.body).ok()?;
            Some((answer.status, body))
        });
        way.is_open = answer.is_none();
        let is_over =
            answer.as_ref().is_some_and(|(status, body)| self.note(&mut way, *status, body));
        if answer.is_some() {
            self.answers.fetch_add(1, Ordering::Relaxed);
        }
        if !is_over {
            self.ways.lock().expect("the ways").push_back(way);
        }
        answer.is_some()
    }

    /// Records a response; returns whether the path has ended.
    fn note(&self, way: &mut Way, status: u16, body: &Value) -> bool {
        // The server has no room.
        if matches!(status, 429 | 503) {
            return false;
        }
        assert_eq!(status, 200, "{body}");
        let notice = body["nextButton"]["notice"].as_str();
        match (body["success"].as_bool(), notice) {
            (Some(true), None) => {
                let press = (way.token.clone(), way.button.clone());
                self.accepted.lock().expect("the list").insert(press);
            }
            (Some(false), Some("payment_declined")) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
            }
            (Some(false), Some("offer_closed")) => {
                self.closed.fetch_add(1, Ordering::Relaxed);
            }
            _ => panic!("{body}"),
        }
        body["next_button_id"].as_str().expect("a button").clone_into(&mut way.button);
        body["isTerminal"] == true
    }

    /// Repeats unanswered presses until they are answered.
    fn finish(&self, server: &Process) {
        let mut wire = Wire::open(1, server.address).expect("a connection");
        let begun = Instant::now();
        loop {
            let mut ways = self.ways.lock().expect("the ways");
            let open = ways.iter().position(|way| way.is_open);
            let Some(way) = open.and_then(|open| ways.remove(open)) else { return };
            drop(ways);
            assert!(begun.elapsed() < Duration::from_mins(1), "{way:?}");
            self.act(way, &mut wire);
        }
    }
}

/// Runs the server and kills it; returns the last life, in which everything is answered.
fn live(cycles: usize, record: &Record, path: &Path, ledger: &Path) -> (Hits, Process) {
    let mut hits = Hits::default();
    for cycle in 0..cycles {
        let mut server = lives::start(path, ledger);
        let enough = cycle.wrapping_mul(37) % MAX_ANSWERS + 1;
        lives::live_and_die(&mut server, (&record.answers, enough), |wire| {
            record.act(record.next(), wire)
        });
        let claimed = "select id from flow_press where state = 'claimed'";
        let claimed = Handle::current().block_on(lives::audit(path, cycle, claimed));
        let movements = lives::movements(ledger);
        for press in claimed {
            if movements.iter().any(|movement| movement.key == press) {
                hits.after_the_charge += 1;
            } else {
                hits.before_the_charge += 1;
            }
        }
    }
    let last = lives::start(path, ledger);
    record.finish(&last);
    (hits, last)
}

/// Asserts that each press that was accepted is one charge, one payment and one line; returns their number.
async fn assert_once(record: &Record, path: &Path, ledger: &Path, orders: usize) -> usize {
    let charges = lives::movements(ledger).into_iter();
    let charges: BTreeSet<String> =
        charges.map(|one| format!("{} {}", one.key, one.amount_minor)).collect();
    for sql in [
        "select id || ' ' || amount_minor from flow_press where action = 'accepted' and state = 'settled'",
        "select p.id || ' ' || c.amount_minor from flow_press p
           join payment y on y.payment_session_id = p.payment_session_id
           join capture c on c.payment_id = y.id",
        "select p.id || ' ' || p.amount_minor from flow_press p
           join flow_session s on s.id = p.session_id
           join order_line l on l.id = p.line_id and l.order_id = s.order_id",
    ] {
        let found = lives::texts(path, sql).await;
        assert_eq!(found.len(), charges.len(), "{sql}");
        assert_eq!(BTreeSet::from_iter(found), charges, "{sql}");
    }
    assert_eq!(record.accepted.lock().expect("the list").len(), charges.len(), "acknowledged");
    let all = i64::try_from(orders + charges.len()).expect("a number");
    for (sql, expected) in [
        ("select count(*) from order_line", all),
        ("select count(*) from payment", all),
        ("select count(*) from orders where status = 'draft'", 0),
    ] {
        assert_eq!(lives::counted(path, sql).await, expected, "{sql}");
    }
    charges.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn accepted_offers_are_charged_once_whenever_the_server_is_killed() {
    let cycles = lives::kills();
    let (server, store) = TestServer::with_store().await;
    let orders = cycles / 2 + 16;
    let ways = Mutex::new(begin(&server, &store, orders).await);
    let (folder, path) = server.copied().await;
    drop(server);
    let ledger = folder.path().join("ledger");
    let (own, own_ledger) = (path.clone(), ledger.clone());
    let lives = tokio::task::spawn_blocking(move || {
        let record = Record { ways, ..Record::default() };
        let (hits, last) = live(cycles, &record, &own, &own_ledger);
        (record, hits, last)
    });
    let (record, hits, last) = lives.await.expect("the lives of the server");
    lives::settled(&path, "select count(*) from flow_press where state = 'claimed'").await;
    drop(last);

    let charged = assert_once(&record, &path, &ledger, orders).await;
    println!(
        "{cycles} kills, presses left claimed: {hits:?}; {} answers, {} presses repeated; {charged} accepted, \
         {} refused, {} closed",
        record.answers.load(Ordering::Relaxed),
        record.repeated.load(Ordering::Relaxed),
        record.refused.load(Ordering::Relaxed),
        record.closed.load(Ordering::Relaxed),
    );
    assert!(cycles < MANY_KILLS || hits.before_the_charge.min(hits.after_the_charge) > 0);
}
