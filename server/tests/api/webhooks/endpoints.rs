//! Endpoints and the events that are sent to them.

use quotient_server::database::Error;
use serde_json::{Value, json};

use super::*;
use crate::harness::{Call, Person, Receiver, Store, TestServer};

const PATH: &str = "/admin/webhook-endpoints";
const PRIVATE: &str = "--webhook-private-targets=true";

pub(super) async fn open() -> (TestServer, Store) {
    let (server, store) = TestServer::with_store_and(&[PRIVATE]).await;
    server.follow().await;
    (server, store)
}

/// Registers an endpoint; returns its path and its secret.
pub(super) async fn register(server: &TestServer, url: &str, events: &[&str]) -> (String, String) {
    let body = json!({ "url": url, "events": events, "description": "Ours" });
    let made = server.post(&Person::program(), PATH, body).await.ok();
    let endpoint = &made["webhook_endpoint"];
    let id = endpoint["id"].as_str().expect("an id");
    (format!("{PATH}/{id}"), endpoint["secret"].as_str().expect("a secret").to_owned())
}

fn assert_signed(call: &Call, secret: &str) {
    let at_s: i64 = call.headers["webhook-timestamp"].parse().expect("seconds");
    let expected = standard(secret, (&call.headers["webhook-id"], at_s), &call.body);
    assert!(
        call.headers["webhook-signature"].split(' ').any(|one| one == expected[2].1),
        "{call:?}"
    );
}

/// Makes every waiting delivery due and sends it.
async fn send(server: &TestServer) {
    server.tell().await;
    server.work().await;
}

async fn buy(server: &TestServer, store: &Store) -> Paid {
    order_with(server, store, "pm_card_visa").await
}

#[tokio::test]
async fn an_event_is_sent_signed_to_the_endpoints_that_want_it() {
    let (server, store) = open().await;
    let (mut orders, mut payments) =
        (Receiver::answering(&[]).await, Receiver::answering(&[]).await);
    let (_path, secret) = register(&server, &orders.url(), &["order.placed"]).await;
    register(&server, &payments.url(), &["payment.*", "return.requested"]).await;
    let paid = buy(&server, &store).await;
    send(&server).await;

    let call = orders.next().await;
    assert_signed(&call, &secret);
    let body: Value = serde_json::from_str(&call.body).expect("JSON");
    assert_eq!((&body["type"], &body["data"]["id"]), (&json!("order.placed"), &json!(paid.order)));
    assert_eq!(body["timestamp"], "2026-11-21T12:00:00.000Z");
    assert!(body["data"]["version"].as_i64().is_some());
    for personal in ["ada", "High Street", "Shopper"] {
        assert!(!call.body.contains(personal), "{}", call.body);
    }
    assert!(payments.next().await.body.contains("payment.captured"));
    send(&server).await;
    assert!(orders.is_quiet() && payments.is_quiet());

    let rows = deliveries(&server, "direction=outbound").await;
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row["status"] == "handled" && row["attempt_count"] == 1));
    let row = rows.iter().find(|row| row["event"] == "order.placed").expect("a row");
    assert_eq!(
        (&row["external_id"], &row["order_id"]),
        (&json!(call.headers["webhook-id"]), &json!(paid.order))
    );
}

#[tokio::test]
async fn an_unacknowledged_delivery_is_repeated_with_the_same_id_until_it_is_accepted() {
    let (server, store) = open().await;
    let mut receiver = Receiver::answering(&[500, 302, 404]).await;
    let (path, secret) = register(&server, &receiver.url(), &["order.placed"]).await;
    buy(&server, &store).await;
    send(&server).await;
    let first = receiver.next().await;
    let endpoint = server.get(&Person::program(), &path).await.ok()["webhook_endpoint"].clone();
    assert_eq!(endpoint["failing_since"], "2026-11-21T12:00:00.000Z");
    for most_s in [6, 330, 1_980] {
        server.work().await;
        assert_eq!(jobs(&server).await, 1);
        server.clock.advance(most_s * 1_000);
        server.work().await;
        let again = receiver.next().await;
        assert_signed(&again, &secret);
        assert_eq!(again.headers["webhook-id"], first.headers["webhook-id"]);
        assert_eq!(again.body, first.body);
        assert!(again.headers["webhook-timestamp"] > first.headers["webhook-timestamp"]);
    }
    assert_eq!(jobs(&server).await, 0);
    let row = deliveries(&server, "status=handled").await.remove(0);
    let detail = format!("/admin/webhook-deliveries/{}", row["id"].as_str().expect("an id"));
    let detail = server.get(&Person::program(), &detail).await.ok()["delivery"].clone();
    let statuses: Vec<&Value> = detail["attempts"]
        .as_array()
        .expect("attempts")
        .iter()
        .map(|attempt| &attempt["status"])
        .collect();
    assert_eq!(statuses, [500, 302, 404, 200]);
    assert_eq!(detail["attempts"][1]["error"], "it answered 302 Found");
    let endpoint = server.get(&Person::program(), &path).await.ok()["webhook_endpoint"].clone();
    assert_eq!(endpoint["failing_since"], Value::Null);
}

async fn jobs(server: &TestServer) -> i64 {
    server.number("select count(*) from job where kind = 'webhooks.send'").await
}

#[tokio::test]
async fn after_ten_attempts_a_delivery_is_dead_and_can_be_sent_again() {
    let (server, store) = open().await;
    let mut receiver = Receiver::answering(&[503; 10]).await;
    register(&server, &receiver.url(), &["order.placed"]).await;
    buy(&server, &store).await;
    send(&server).await;
    only_webhooks(&server).await;
    for minutes in [1, 6, 33, 132, 330, 660, 660, 1_584, 1_584] {
        receiver.next().await;
        server.clock.advance(minutes * 60 * 1_000);
        server.work().await;
    }
    receiver.next().await;
    let rows = deliveries(&server, "status=dead").await;
    assert_eq!((rows.len(), &rows[0]["attempt_count"]), (1, &json!(10)));
    redeliver(&server, &rows[0]).await.ok();
    server.work().await;
    receiver.next().await;
    assert_eq!(deliveries(&server, "status=handled").await.len(), 1);
    assert!(receiver.is_quiet());
    assert!(events(&server, "webhook.").await.contains(&"webhook.dead".to_owned()));
}

#[tokio::test]
async fn an_endpoint_that_is_gone_or_fails_for_five_days_is_switched_off() {
    let (server, store) = open().await;
    let mut gone = Receiver::answering(&[410]).await;
    let (gone_path, _) = register(&server, &gone.url(), &["order.placed"]).await;
    let mut failing = Receiver::answering(&[500; 20]).await;
    let (failing_path, _) = register(&server, &failing.url(), &["order.placed"]).await;
    buy(&server, &store).await;
    send(&server).await;
    gone.next().await;
    failing.next().await;
    let view = |path: String| {
        let server = &server;
        async move { server.get(&Person::program(), &path).await.ok()["webhook_endpoint"].clone() }
    };
    let endpoint = view(gone_path.clone()).await;
    assert_eq!(
        (&endpoint["is_active"], &endpoint["disabled_reason"]),
        (&json!(false), &json!("it answered 410 Gone"))
    );
    assert_eq!(view(failing_path.clone()).await["is_active"], true);

    only_webhooks(&server).await;
    server.clock.advance(5 * 24 * 60 * 60 * 1_000);
    server.work().await;
    failing.next().await;
    let endpoint = view(failing_path.clone()).await;
    assert_eq!(endpoint["is_active"], false);
    assert_eq!(endpoint["disabled_reason"], "five days of nothing but failures");
    assert_eq!(events(&server, "webhook.endpoint_disabled").await.len(), 2);

    // A waiting delivery is dead when its turn comes; once the endpoint is enabled again, it gets
    // the delivery.
    server.clock.advance(24 * 60 * 60 * 1_000);
    server.work().await;
    assert_eq!(deliveries(&server, "status=dead").await.len(), 2);
    let on =
        server.post(&Person::program(), &failing_path, json!({ "is_active": true })).await.ok();
    assert_eq!(on["webhook_endpoint"]["disabled_reason"], Value::Null);
    let all = json!({ "filter": { "direction": "outbound" }, "dry_run": true });
    let counted =
        server.post(&Person::program(), "/admin/webhook-deliveries/redeliver", all).await.ok();
    assert_eq!(counted, json!({ "matched": 2, "queued": 0 }));
    let all = json!({ "filter": { "direction": "outbound", "status": "dead" } });
    let queued =
        server.post(&Person::program(), "/admin/webhook-deliveries/redeliver", all).await.ok();
    assert_eq!(
        queued,
        json!({ "matched": 2, "queued": 1 }),
        "the endpoint that is gone is still off"
    );
    server.clock.advance(1_000);
    server.work().await;
    failing.next().await;
    assert!(gone.is_quiet());
}

#[tokio::test]
async fn a_secret_is_shown_once_and_both_sign_while_it_is_replaced() {
    let (server, store) = open().await;
    let mut receiver = Receiver::answering(&[]).await;
    let body = json!({ "url": receiver.url(), "events": ["order.placed"] });
    let once = Person::program().with_header("idempotency-key", "endpoint-1");
    let made = server.post(&once, PATH, body.clone()).await.ok()["webhook_endpoint"].clone();
    let again = server.post(&once, PATH, body).await.ok()["webhook_endpoint"].clone();
    assert_eq!((&again["id"], &again["secret"]), (&made["id"], &Value::Null));
    let path = format!("{PATH}/{}", made["id"].as_str().expect("an id"));
    assert_eq!(
        server.get(&Person::program(), &path).await.ok()["webhook_endpoint"]["secret"],
        Value::Null
    );
    let list = server.get(&Person::program(), PATH).await.ok();
    assert_eq!(
        (&list["count"], &list["webhook_endpoints"][0]["secret"]),
        (&json!(1), &Value::Null)
    );

    let old = made["secret"].as_str().expect("a secret");
    let rotate = format!("{path}/rotate-secret");
    let rotated =
        server.post(&Person::program(), &rotate, json!({})).await.ok()["webhook_endpoint"].clone();
    let new = rotated["secret"].as_str().expect("a secret");
    assert_eq!(rotated["previous_secret_until"], "2026-11-22T12:00:00.000Z");
    buy(&server, &store).await;
    send(&server).await;
    let call = receiver.next().await;
    assert_signed(&call, new);
    assert_signed(&call, old);

    only_webhooks(&server).await;
    server.clock.advance(24 * 60 * 60 * 1_000);
    buy(&server, &store).await;
    send(&server).await;
    let call = receiver.next().await;
    assert_signed(&call, new);
    assert_eq!(call.headers["webhook-signature"].split(' ').count(), 1);
    let at_once = json!({ "overlap_hours": 0 });
    let rotated = server.post(&Person::program(), &rotate, at_once).await.ok();
    assert_eq!(rotated["webhook_endpoint"]["previous_secret_until"], Value::Null);
    for hours in [json!(-1), json!(169), json!("24")] {
        let refused =
            server.post(&Person::program(), &rotate, json!({ "overlap_hours": hours })).await;
        assert_eq!(refused.status, 400, "{hours}");
    }
    let log = server
        .get(&Person::program(), "/admin/metrics/audit?entity_type=webhook_endpoint")
        .await
        .ok();
    assert!(!log.to_string().contains("whsec_"), "{log}");
}

#[tokio::test]
async fn a_test_shows_the_answer_of_the_endpoint() {
    let (server, _store) = open().await;
    let mut receiver = Receiver::answering(&[204, 500]).await;
    let (path, secret) = register(&server, &receiver.url(), &["*"]).await;
    let test = format!("{path}/test");
    let taken = server.post(&Person::program(), &test, json!({})).await.ok();
    assert_eq!(
        (&taken["delivered"], &taken["status"], &taken["error"]),
        (&json!(true), &json!(204), &Value::Null)
    );
    let call = receiver.next().await;
    assert_signed(&call, &secret);
    assert!(call.body.contains("webhook.test"));
    let refused = server.post(&Person::program(), &test, json!({})).await.ok();
    assert_eq!(
        (&refused["delivered"], &refused["error"]),
        (&json!(false), &json!("it answered 500 Internal Server Error"))
    );
    assert_eq!(deliveries(&server, "direction=outbound").await.len(), 0);
}

#[tokio::test]
async fn the_failures_of_an_endpoint_are_those_of_its_url() {
    let (server, store) = open().await;
    let mut failing = Receiver::answering(&[500; 20]).await;
    let (path, _) = register(&server, &failing.url(), &["order.placed"]).await;
    buy(&server, &store).await;
    send(&server).await;
    failing.next().await;
    let endpoint = server.get(&Person::program(), &path).await.ok()["webhook_endpoint"].clone();
    assert!(endpoint["failing_since"].is_string(), "{endpoint}");

    let described = json!({ "description": "Still failing" });
    let changed = server.post(&Person::program(), &path, described).await.ok();
    assert_eq!(changed["webhook_endpoint"]["failing_since"], endpoint["failing_since"]);
    let other = Receiver::answering(&[]).await;
    let moved = server.post(&Person::program(), &path, json!({ "url": other.url() })).await.ok();
    assert_eq!(moved["webhook_endpoint"]["failing_since"], Value::Null);
}

#[tokio::test]
async fn an_endpoint_is_changed_and_deleted_and_its_pending_deliveries_are_dropped() {
    let (server, store) = open().await;
    let receiver = Receiver::answering(&[]).await;
    let (path, secret) = register(&server, &receiver.url(), &["order.placed"]).await;
    let change = json!({ "events": ["payment.captured"], "description": null });
    let changed =
        server.post(&Person::program(), &path, change).await.ok()["webhook_endpoint"].clone();
    assert_eq!(
        (&changed["events"], &changed["description"]),
        (&json!(["payment.captured"]), &Value::Null)
    );
    buy(&server, &store).await;
    server.tell().await;
    let deleted = server.delete(&Person::program(), &path).await.ok();
    assert_eq!(deleted["deleted"], true);
    server.work().await;
    let rows = deliveries(&server, "direction=outbound").await;
    assert_eq!((&rows[0]["status"], &rows[0]["endpoint_id"]), (&json!("dead"), &Value::Null));
    let message = redeliver(&server, &rows[0]).await.refused(400);
    assert!(message.contains("no active endpoint"), "{message}");
    assert_eq!(server.get(&Person::program(), &path).await.status, 404);
    assert_eq!(server.delete(&Person::program(), &path).await.status, 404);

    let path = "/admin/metrics/audit?entity_type=webhook_endpoint&order=at";
    let audit = server.get(&Person::admin(), path).await.ok();
    let entries = audit["changes"].as_array().expect("entries");
    let actions: Vec<&Value> = entries.iter().map(|entry| &entry["action"]).collect();
    assert_eq!(actions, ["create", "update", "delete"]);
    assert_eq!(entries[1]["before"]["events"], json!(["order.placed"]));
    assert!(!audit.to_string().contains(&secret), "{audit}");
}

#[tokio::test]
async fn invalid_endpoints_are_refused() {
    let server = TestServer::empty().await;
    for (url, events) in [
        ("http://127.0.0.1:9000/", json!(["*"])),
        ("http://169.254.169.254/latest", json!(["*"])),
        ("http://[::ffff:10.0.0.1]/", json!(["*"])),
        ("http://2130706433/", json!(["*"])),
        ("ftp://hooks.shop.example/", json!(["*"])),
        ("https://user:word@hooks.shop.example/", json!(["*"])),
        ("https://hooks.shop.example/", json!([])),
        ("https://hooks.shop.example/", json!(["Order"])),
        ("https://hooks.shop.example/", json!("*")),
        ("", json!(["*"])),
    ] {
        let body = json!({ "url": url, "events": events });
        assert_eq!(server.post(&Person::program(), PATH, body).await.status, 400, "{url} {events}");
    }
    let wrong = json!({ "url": "https://hooks.shop.example/", "events": ["*", "return.recieved"] });
    assert_eq!(
        server.post(&Person::program(), PATH, wrong).await.refused(400),
        "No event `return.recieved` goes out. Possible are `return.canceled`, `return.created`, \
         `return.received`, `return.requested`, `return.*`; all are `*`"
    );
    let good = json!({ "url": "https://hooks.shop.example/", "events": ["*"], "secret": "mine" });
    assert!(server.post(&Person::program(), PATH, good).await.refused(400).contains("secret"));
    let good = json!({ "url": "https://hooks.shop.example/", "events": ["*"] });
    assert_eq!(server.post(&Person::viewer(), PATH, good.clone()).await.status, 403);
    for _ in 0..50 {
        server.post(&Person::program(), PATH, good.clone()).await.ok();
    }
    assert!(server.post(&Person::program(), PATH, good).await.refused(400).contains("50"));
}

#[tokio::test]
async fn a_name_that_leads_to_this_machine_is_not_called() {
    let (server, store) = TestServer::with_store().await;
    server.follow().await;
    let receiver = Receiver::answering(&[]).await;
    let url = receiver.url().replace("127.0.0.1", "localhost");
    register(&server, &url, &["order.placed"]).await;
    buy(&server, &store).await;
    send(&server).await;
    let row = deliveries(&server, "direction=outbound").await.remove(0);
    assert_eq!(row["last_error"], "localhost is not a host with a public address");
    let other = server.other_process();
    let calls = other.read::<_, Error>(|tx| {
        Ok(tx.query_row(
            "select count(*) from webhook_attempt where status is not null",
            [],
            |row| row.get::<_, i64>(0),
        )?)
    });
    assert_eq!(calls.await.expect("a number"), 0);
}
