//! Questions that would take minutes and gigabytes.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use quotient_server::testing::rounds;

use super::Siege;
use super::shopper::milliseconds;
use super::wire::{Wire, request};
use crate::harness::{Person, TestServer};

/// Limit: bytes of an answer.
const MAX_ANSWER_BYTES: usize = 8 * 1024 * 1024;

/// Limit: growth of the server's memory.
const MAX_GROWTH_MIB: u64 = 300;

/// How long a client waits after a 429 or 503: the minimum of `Retry-After`.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Bombs: a formula, the buckets, the dimensions and the first day.
const BOMBS: [(&str, &str, &str, &str); 8] = [
    ("sum(items.quantity) * {n}", "day", r#"["product","variant"]"#, "2025-11-22"),
    ("sum(items.quantity) * {n}", "day", r#"["product","country"]"#, "2025-11-22"),
    ("sum(items.quantity) * {n}", "hour", r#"["variant"]"#, "2026-08-22"),
    ("trailing(sum(items.quantity) * {n}, 365 days)", "day", r#"["product"]"#, "2026-09-22"),
    ("trailing(trailing(count(orders) * {n}, 365 days), 365 days)", "day", "[]", "2025-11-22"),
    ("median(sum(items.quantity) * {n} per day, product)", "month", r#"["country"]"#, "2025-11-22"),
    ("max(sum(orders.total / {n}) per customer_id)", "none", "[]", "2025-11-22"),
    ("median(orders.total / {n})", "none", "[]", "2025-11-22"),
];

#[tokio::test(flavor = "multi_thread")]
async fn expensive_questions_do_not_stop_the_shop() {
    let server = TestServer::with_demo(rounds(200, 20_000)).await;
    super::sell_in_all_channels(&server).await;
    let siege = Siege::begin(server, &[]).await;
    let count = rounds(24, 100);
    let attack = tokio::task::spawn_blocking(move || {
        siege.run(&format!("{count} bombs at once, again and again"), |server| {
            let address = server.address;
            let end = Instant::now() + milliseconds((1_000, 60_000));
            // The threads are reused: a hundred new busy threads keep even a thread with the highest priority waiting,
            // and thereby the shopper.
            let headers = Person::program().header_lines();
            let throwers: Vec<_> = (0..count)
                .map(|first| {
                    let headers = headers.clone();
                    thread::spawn(move || {
                        let numbers = (first..).step_by(count);
                        let mut bombs = numbers.map(|number| throw(number, &headers, address));
                        let mut statuses: Vec<u16> = bombs.next().into_iter().collect();
                        while Instant::now() < end {
                            if matches!(statuses.last(), Some(429 | 503)) {
                                thread::sleep(RETRY_AFTER);
                            }
                            statuses.extend(bombs.next());
                        }
                        statuses
                    })
                })
                .collect();
            let statuses: Vec<u16> =
                throwers.into_iter().flat_map(|thrower| thrower.join().expect("answers")).collect();
            let counted = |status| statuses.iter().filter(|own| **own == status).count();
            let counts = [200, 422, 429, 503].map(|status| (status, counted(status)));
            println!("{counts:?}");
            let expected: usize = counts.iter().map(|(_, count)| count).sum();
            assert_eq!(expected, statuses.len(), "{statuses:?}");
        })
    });
    let outcome = attack.await.expect("the attack ends");

    assert_eq!(outcome.during.failures, 0, "{}", outcome.during);
    assert!(outcome.grown_mib < MAX_GROWTH_MIB, "+{} MiB", outcome.grown_mib);
}

/// Requests one of them, different from the others so that no cache helps; returns the status.
fn throw(number: usize, headers: &str, server: SocketAddr) -> u16 {
    let (formula, granularity, group_by, start) = BOMBS[number % BOMBS.len()];
    let formula = formula.replace("{n}", &(number + 1).to_string());
    let body = format!(
        r#"{{"formula":"{formula}","granularity":"{granularity}","group_by":{group_by},
            "start_date":"{start}","end_date":"2026-11-22"}}"#
    );
    let call = request("POST", "/admin/metrics/compute", headers, &body);
    let mut wire = Wire::open(1, server).expect("a connection");
    let answer = wire.call(&call).expect("an answer");
    assert!(answer.body.len() <= MAX_ANSWER_BYTES, "{} bytes", answer.body.len());
    answer.status
}
