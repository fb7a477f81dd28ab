//! More requests than the server can answer.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quotient_server::testing::rounds;

use super::shopper::{Times, milliseconds};
use super::wire::{Wire, request};
use super::{Siege, peak_memory_mib, processor_time};
use crate::harness::{Person, TestServer};
use crate::reliability::process::Process;

/// The number of milliseconds that a load lasts, in short and in full tests.
const LASTS_MS: (u64, u64) = (1_000, 3_000);

/// As many clients as keep the server busy, and no more.
const BUSY: u32 = 8;

/// The times of the accepted and of the refused requests.
#[derive(Default)]
struct Record {
    accepted: Mutex<Vec<Option<Duration>>>,
    refused: Mutex<Vec<Option<Duration>>>,
    /// Requests sent later than planned because the attacker had no time.
    late: AtomicUsize,
}

#[tokio::test(flavor = "multi_thread")]
async fn excess_requests_are_refused_at_once_and_the_server_recovers() {
    let siege = Siege::begin(TestServer::with_store().await.0, &[]).await;
    let clients = rounds(300, 1_500);
    let attack = tokio::task::spawn_blocking(move || {
        let outcome = siege.run(&format!("five times the load, of {clients} clients"), |server| {
            let before = processor_time(server);
            let peak =
                load(server, BUSY, Duration::ZERO).accepted.into_inner().expect("a list").len();
            let used = processor_time(server).saturating_sub(before);
            let lasts = milliseconds(LASTS_MS);
            println!("peak of {BUSY} clients: {peak} in {lasts:?}, {used:?} of processors");
            let period = lasts * clients / u32::try_from(5 * peak.max(1)).expect("a count");
            let before = processor_time(server);
            let record = load(server, clients, period);
            let used = processor_time(server).saturating_sub(before);
            let [accepted, refused] = [record.accepted, record.refused]
                .map(|list| Times::of(list.into_inner().expect("the list")));
            println!("accepted: {accepted}; refused: {refused}; late: {:?}", record.late);
            assert!(clients < 1_500 || refused.count() > 0, "overload is shed");
            println!("{used:?} of processors");
            println!("peak {} MiB", peak_memory_mib(server));
            let mut wire = Wire::open(5, server.address).expect("a connection");
            let call = request("GET", "/store/regions", &Person::visitor().header_lines(), "");
            assert_eq!(wire.call(&call).expect("an answer").status, 200, "after the load");
        });
        assert!(outcome.during.count() > 0, "the shopper is answered now and then");
    });
    attack.await.expect("the attack ends");
}

/// Lets clients send requests for a while, each once per period.
fn load(server: &Process, clients: u32, period: Duration) -> Record {
    let record = Arc::new(Record::default());
    let begin = Instant::now();
    let end = begin + milliseconds(LASTS_MS);
    let threads: Vec<_> = (0..clients)
        .map(|number| {
            let host = u16::try_from(number / 200).expect("an address") + 32;
            let wire = Wire::open(host, server.address).expect("a connection");
            let record = Arc::clone(&record);
            let first = begin + period * number / clients;
            let call = if number.is_multiple_of(2) { list() } else { new_cart() };
            std::thread::spawn(move || ask(wire, &call, &record, (first, end), period))
        })
        .collect();
    for thread in threads {
        thread.join().expect("every request is answered");
    }
    Arc::into_inner(record).expect("the clients are gone")
}

/// A read, which is answered at once: under any load, the responses only come later.
fn list() -> Vec<u8> {
    request("GET", "/store/products?limit=12", &Person::visitor().header_lines(), "")
}

/// A write, which waits for the writer and is refused if too many wait.
fn new_cart() -> Vec<u8> {
    request("POST", "/store/carts", &Person::visitor().header_lines(), "{}")
}

/// Sends requests until the end. Any response other than 200 and 503 is a failure.
fn ask(
    mut wire: Wire,
    call: &[u8],
    record: &Record,
    (mut due, end): (Instant, Instant),
    period: Duration,
) {
    loop {
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        let begun = Instant::now();
        if begun >= end {
            return;
        }
        if period > Duration::ZERO && begun > due + period {
            record.late.fetch_add(1, Ordering::Relaxed);
        }
        let answer = wire.call(call).expect("an answer");
        let list = match answer.status {
            200 => &record.accepted,
            503 => &record.refused,
            status => panic!("{status}"),
        };
        list.lock().expect("the list").push(Some(begun.elapsed()));
        due = (due + period).max(begun);
    }
}
