//! One payment that admins capture while the processor reports its capture.

#![expect(clippy::arithmetic_side_effects, reason = "the numbers of deliveries are small")]

use std::collections::BTreeSet;
use std::path::Path;

use quotient_server::testing::rounds;
use serde_json::{Value, json};

use super::payments::{CAPTURED, futures, state};
use super::*;
use crate::harness::{Person, TestServer};

/// Returns the keys of the captures in the sandbox's ledger: a key is one capture.
fn captures(ledger: &Path) -> BTreeSet<String> {
    let text = std::fs::read_to_string(ledger).unwrap_or_default();
    text.lines().filter(|line| line.starts_with("capture")).map(str::to_owned).collect()
}

/// Captures the payment of an order, by as many admins at once.
async fn capture(server: &TestServer, paid: &Paid, admins: usize) -> Vec<Reply> {
    let admin = Person::admin();
    let path = format!("/admin/payments?order_id={}", paid.order);
    let listed = server.get(&admin, &path).await.ok();
    let payment = listed["payments"][0]["id"].as_str().expect("a payment");
    let path = format!("/admin/payments/{payment}/capture");
    futures((0..admins).map(|_| server.post(&admin, &path, json!({})))).await
}

/// Returns how many have captured; all others are told that nothing is left.
fn done(replies: Vec<Reply>) -> usize {
    let (done, refused): (Vec<_>, Vec<_>) =
        replies.into_iter().partition(|reply| reply.status == 200);
    for reply in refused {
        assert_eq!(reply.refused(400), "Nothing is left to capture");
    }
    done.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_sixteen_admins_who_capture_a_payment_at_once_one_does() {
    let (server, store, ledger) = TestServer::with_ledger(&SIGNED).await;
    let paid = order_with(&server, &store, "pm_card_authorize_only").await;

    let replies = capture(&server, &paid, 16).await;

    assert_eq!(done(replies), 1);
    assert_eq!(captures(&ledger).len(), 1);
    assert_eq!(server.number("select count(*) from capture").await, 1);
    assert_eq!(server.number("select sum(amount_minor) from capture").await, paid.amount_minor);
    assert_eq!(server.events_named("payment.captured").await, 1);
    server.assert_sound().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn admins_and_events_that_capture_a_payment_at_once_make_one_capture() {
    let (server, store, ledger) = TestServer::with_ledger(&SIGNED).await;
    server.sql("update inventory_level set stocked_quantity = 1000000").await;
    let (mut asked, mut sum) = (0, 0);
    for round in 0..rounds(8, 100) {
        let paid = order_with(&server, &store, "pm_card_authorize_only").await;
        let events: Vec<Value> = (0..8)
            .map(|number| {
                let id = format!("evt_{round}_{}", number % 4);
                let mut event = intent(&paid, (&id, CAPTURED), 10, paid.amount_minor);
                event["data"]["object"]["id"] = json!(format!("pi_{round}"));
                event
            })
            .collect();
        let report = futures(events.iter().map(|event| charge(&server, event)));
        let capture = capture(&server, &paid, 4);

        // Whoever begins is ahead.
        let (told, captured) = if round % 2 == 0 {
            tokio::join!(report, capture)
        } else {
            let (captured, told) = tokio::join!(capture, report);
            (told, captured)
        };

        assert!(told.iter().all(|reply| reply.status == 200), "{told:?}");
        asked += done(captured);
        sum += paid.amount_minor;
        // The job applies what waited for the payment.
        server.clock.advance(10_000);
        server.work().await;
        assert_eq!(state(&server, &paid).await, "captured");
        assert_eq!(captures(&ledger).len(), asked, "the processor is asked at most once");
        assert_eq!(
            usize::try_from(server.number("select count(*) from capture").await),
            Ok(round + 1)
        );
        assert_eq!(server.number("select sum(amount_minor) from capture").await, sum);
    }
    let open = "select count(*) from webhook_delivery where status not in ('handled', 'skipped')";
    assert_eq!(server.number(open).await, 0);
    server.assert_sound().await;
}
