//! More requests than the server can answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quotient_server::testing::rounds;

use super::shopper::Times;
use super::wire::{Wire, request};
use super::{Siege, peak_memory_mib};
use crate::harness::{Person, TestServer};

/// The time that the load lasts.
const LASTS: Duration = Duration::from_secs(3);

/// The times of the accepted and of the refused requests.
#[derive(Default)]
struct Record {
    accepted: Mutex<Vec<Option<Duration>>>,
    refused: Mutex<Vec<Option<Duration>>>,
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_much_is_refused_at_once_and_the_server_recovers() {
    const LIMITS: &[&str] = &["--store-per-minute", "100000000"];
    let siege = Siege::begin(TestServer::with_store().await.0, LIMITS).await;
    let clients = rounds(300, 1_500);
    let attack = tokio::task::spawn_blocking(move || {
        let outcome = siege.run(&format!("{clients} clients without a pause"), |server| {
            let (record, is_done) = (Arc::new(Record::default()), Arc::new(AtomicBool::new(false)));
            let threads: Vec<_> = (0..clients)
                .map(|number| {
                    let (record, is_done) = (Arc::clone(&record), Arc::clone(&is_done));
                    let host = u16::try_from(number / 200).expect("an address") + 32;
                    let wire = Wire::open(host, server.address).expect("a connection");
                    std::thread::spawn(move || load(wire, &record, &is_done))
                })
                .collect();
            std::thread::sleep(LASTS);
            is_done.store(true, Ordering::Relaxed);
            for thread in threads {
                thread.join().expect("every request is answered");
            }
            let of = |list: &Mutex<Vec<_>>| Times::of(list.lock().expect("the list").clone());
            println!("accepted: {}; refused: {}", of(&record.accepted), of(&record.refused));
            println!("peak {} MiB", peak_memory_mib(server));
            let mut wire = Wire::open(5, server.address).expect("a connection");
            let call = request("GET", "/store/regions", &Person::visitor().header_lines(), "");
            assert_eq!(wire.call(&call).expect("an answer").status, 200, "after the load");
        });
        assert!(outcome.during.count() > 0, "the shopper is answered now and then");
    });
    attack.await.expect("the attack ends");
}

/// Asks without a pause until it is done. Any other answer than 200 and 503 is a failure.
fn load(mut wire: Wire, record: &Record, is_done: &AtomicBool) {
    let call = request("GET", "/store/products?limit=12", &Person::visitor().header_lines(), "");
    while !is_done.load(Ordering::Relaxed) {
        let begun = Instant::now();
        let answer = wire.call(&call).expect("an answer");
        let list = match answer.status {
            200 => &record.accepted,
            503 => &record.refused,
            status => panic!("{status}"),
        };
        list.lock().expect("the list").push(Some(begun.elapsed()));
    }
}
