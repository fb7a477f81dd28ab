//! What administrators see of deliveries, and their actions on them.

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;

use super::*;
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn deliveries_are_listed_without_bodies_and_shown_with_them() {
    let server = TestServer::with_settings(&SIGNED).await;
    let body =
        r#"{"type":"shipment.shipped","data":{"order_id":"order_none","name":"Ada Shopper"}}"#;
    let headers = standard(SECRET, ("msg_1", now_s(&server)), body);
    deliver(&server, PARTNER, &headers, body.as_bytes()).await.ok();
    deliver(&server, WAREHOUSE, &Vec::new(), b"\xff\xfe").await.ok();

    for query in [
        "direction=inbound",
        "receiver=fulfillment-partner",
        "event=shipment.shipped",
        "status=failed",
        "signature=valid",
        "external_id=msg_1",
        "received_at[$gte]=2026-11-21",
        "order=received_at",
    ] {
        let rows = deliveries(&server, query).await;
        assert!(rows.iter().any(|row| row["external_id"] == "msg_1"), "{query}: {rows:?}");
        assert!(rows.iter().all(|row| row.get("body").is_none() && row.get("headers").is_none()));
    }
    assert!(deliveries(&server, "direction=outbound").await.is_empty());
    for query in ["receiver=somebody", "status=lost", "body=x", "order=body", "limit=201"] {
        let path = format!("/admin/webhook-deliveries?{query}");
        assert_eq!(server.get(&Person::program(), &path).await.status, 400, "{query}");
    }

    let row = deliveries(&server, "external_id=msg_1").await.remove(0);
    let path = format!("/admin/webhook-deliveries/{}", row["id"].as_str().expect("an id"));
    let shown = server.get(&Person::program(), &path).await.ok()["delivery"].clone();
    assert_eq!((&shown["body"], &shown["body_encoding"]), (&json!(body), &json!("text")));
    assert_eq!(shown["headers"]["webhook-id"], "msg_1");
    assert_eq!(shown["attempts"][0]["error"], "its order is not known");
    assert_eq!(server.get(&Person::viewer(), &path).await.status, 403);
    let row = deliveries(&server, "receiver=warehouse-integration").await.remove(0);
    let path = format!("/admin/webhook-deliveries/{}", row["id"].as_str().expect("an id"));
    let shown = server.get(&Person::program(), &path).await.ok()["delivery"].clone();
    assert_eq!((&shown["body"], &shown["body_encoding"]), (&json!("//4="), &json!("base64")));
    let none = "/admin/webhook-deliveries/wh_01JD2Q8Z5M6T3W9XKCV4B7NZZZ";
    assert_eq!(server.get(&Person::program(), none).await.status, 404);
}

#[tokio::test]
async fn unverified_webhooks_never_take_effect() {
    let server = TestServer::with_settings(&SIGNED).await;
    let body = "{}";
    let headers = standard(SECRET, ("msg_1", now_s(&server)), "something else");
    assert_eq!(deliver(&server, PARTNER, &headers, body.as_bytes()).await.status, 401);
    let row = deliveries(&server, "signature=invalid").await.remove(0);
    let refused = redeliver(&server, &row).await;
    assert!(refused.refused(400).contains("was not verified"));
    // A forged delivery does not take the place of the real one.
    let headers = standard(SECRET, ("msg_1", now_s(&server)), body);
    let kept = deliver(&server, PARTNER, &headers, body.as_bytes()).await.ok();
    assert_eq!(kept["signature_valid"], true);
}

#[tokio::test]
async fn a_delivery_is_discarded_for_a_reason_that_the_log_has() {
    let server = TestServer::with_settings(&SIGNED).await;
    update(&server, &json!({ "cust_ref": "1", "order_status": "shipped" })).await;
    let row = deliveries(&server, "status=failed").await.remove(0);
    let path = format!("/admin/webhook-deliveries/{}", row["id"].as_str().expect("an id"));
    let discard = format!("{path}/discard");
    assert_eq!(server.post(&Person::program(), &discard, json!({})).await.status, 400);
    assert_eq!(
        server.post(&Person::analyst(), &discard, json!({ "reason": "x" })).await.status,
        403
    );
    let discarded = server
        .post(&Person::program(), &discard, json!({ "reason": "a test of theirs" }))
        .await
        .ok();
    assert_eq!(discarded["delivery"]["status"], "skipped");
    server.clock.advance(60_000);
    server.work().await;
    let shown: Value = server.get(&Person::program(), &path).await.ok();
    assert_eq!(shown["delivery"]["last_error"], "a test of theirs");
    let log = server
        .get(&Person::program(), "/admin/metrics/audit?entity_type=webhook_delivery")
        .await
        .ok();
    assert_eq!(log["changes"][0]["action"], "discard");
    assert_eq!(log["changes"][0]["after"]["reason"], "a test of theirs");
}

#[tokio::test]
async fn an_announced_delivery_that_is_discarded_takes_no_effect() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    let news = json!({ "cust_ref": paid.number, "order_status": "shipped", "tracking_no": "TRK1" });
    update(&server, &news).await;
    let row = deliveries(&server, "status=received").await.remove(0);
    let id = row["id"].as_str().expect("an id");
    let path = format!("/admin/webhook-deliveries/{id}/discard");
    server.post(&Person::program(), &path, json!({ "reason": "a test of theirs" })).await.ok();

    server.tell().await;

    assert_eq!(order(&server, &paid.order).await["fulfillment_status"], "not_fulfilled");
    assert_eq!(deliveries(&server, "status=skipped").await.len(), 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn many_deliveries_are_repeated_at_a_limited_rate() {
    let server = TestServer::with_settings(&SIGNED).await;
    for number in 0..30 {
        update(
            &server,
            &json!({ "cust_ref": format!("none {number}"), "order_status": "shipped" }),
        )
        .await;
    }
    let path = "/admin/webhook-deliveries/redeliver";
    for (filter, matched) in [
        (json!({}), 30),
        (json!({ "receiver": "warehouse-integration", "status": "failed" }), 30),
        (json!({ "status": "dead" }), 0),
        (json!({ "direction": "outbound" }), 0),
        (json!({ "received_at": { "$gte": "2026-11-22T00:00:00Z" } }), 0),
    ] {
        let body = json!({ "filter": filter, "dry_run": true });
        let counted = server.post(&Person::program(), path, body).await.ok();
        assert_eq!(counted, json!({ "matched": matched, "queued": 0 }), "{filter}");
    }
    let body = json!({ "filter": {}, "limit": 25 });
    let queued = server.post(&Person::program(), path, body).await.ok();
    assert_eq!(queued, json!({ "matched": 25, "queued": 25 }));
    let first =
        "select count(*) from job where kind = 'webhooks.handle' and run_at <= 1795262401000";
    assert_eq!(server.number(first).await, 21);
    // More than one write queues.
    server
        .sql(
            "with recursive n (i) as (select 1 union all select i + 1 from n where i < 1200)
             insert into webhook_delivery (id, direction, receiver, external_id, is_verified, body, status, received_at)
             select 'wh_' || i, direction, receiver, 'wh_' || i, is_verified, body, status, received_at
               from webhook_delivery, n where status = 'failed' and external_id =
                 (select max(external_id) from webhook_delivery where status = 'failed')",
        )
        .await;
    let body = json!({ "filter": {}, "limit": 10_000 });
    let queued = server.post(&Person::program(), path, body).await.ok();
    assert_eq!(queued, json!({ "matched": 1_205, "queued": 1_205 }));
    let last = "select max(run_at) from job where kind = 'webhooks.handle'";
    assert_eq!(server.number(last).await, 1_795_262_400_000 + 1_204 * 50);
    for body in [
        json!({}),
        json!({ "filter": {}, "limit": 10_001 }),
        json!({ "filter": { "status": "handled" } }),
    ] {
        assert_eq!(server.post(&Person::program(), path, body.clone()).await.status, 400, "{body}");
    }
}

#[tokio::test]
async fn old_webhooks_are_deleted_bodies_first() {
    let server = TestServer::with_settings(&SIGNED).await;
    let day_ms = 24 * 60 * 60 * 1_000;
    update(&server, &json!({ "cust_ref": "1", "order_status": "lost" })).await;
    let forged = standard(SECRET, ("msg_1", now_s(&server)), "something else");
    deliver(&server, PARTNER, &forged, b"{}").await;
    // More than one write deletes.
    server
        .sql(
            "with recursive n (i) as (select 1 union all select i + 1 from n where i < 2500)
             insert into webhook_delivery (id, direction, receiver, external_id, is_verified, signature, status, received_at)
             select 'wh_' || i, direction, receiver, 'wh_' || i, is_verified, signature, status, received_at
               from webhook_delivery, n where signature = 'invalid'",
        )
        .await;
    only_webhooks(&server).await;
    for (days, rows, bodies) in [(2, 1, 1), (29, 1, 0), (370, 0, 0)] {
        server.clock.advance(days * day_ms);
        server.work().await;
        assert_eq!(server.number("select count(*) from webhook_delivery").await, rows, "{days}");
        assert_eq!(
            server.number("select count(body) from webhook_delivery").await,
            bodies,
            "{days}"
        );
    }
    // The deliveries that have lost their bodies are not read again.
    let steps = server.plans("set body = null").await;
    assert!(steps.iter().any(|step| step.contains("webhook_delivery_with_body")), "{steps:?}");
}

#[tokio::test]
async fn formulas_count_deliveries_and_measure_how_long_they_took() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    update(&server, &json!({ "cust_ref": paid.number, "order_status": "shipped" })).await;
    update(&server, &json!({ "cust_ref": "none", "order_status": "shipped" })).await;
    server.clock.advance(4_000);
    server.tell().await;

    for (formula, expected) in [
        ("count(webhook_deliveries)", "2"),
        ("count(webhook_deliveries where status = 'failed') / count(webhook_deliveries)", "0.5"),
        ("sum(webhook_deliveries.attempts where receiver = 'warehouse-integration')", "3"),
        ("count(webhook_deliveries where direction = 'outbound')", "0"),
        ("sum(webhook_deliveries.order.quantity)", "2"),
        ("avg(webhook_deliveries.handled_at - webhook_deliveries.received_at) / 1 second", "4"),
    ] {
        let body = json!({ "formula": formula, "currency_code": "gbp" });
        let answer = server.post(&Person::viewer(), "/admin/metrics/compute", body).await.ok();
        let value = &answer["metrics"]["formula"]["value"];
        assert_eq!(value.to_string(), expected, "{formula}: {answer}");
    }
}

#[tokio::test]
async fn a_delivery_that_is_discarded_during_an_attempt_stays_discarded() {
    for answer in ["200 OK", "500 Broken"] {
        let (server, store) = endpoints::open().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/hooks", listener.local_addr().expect("an address"));
        endpoints::register(&server, &url, &["order.placed"]).await;
        order_with(&server, &store, "pm_card_visa").await;
        server.tell().await;

        let discard = async {
            let (mut stream, _) = listener.accept().await.expect("a call");
            let row = deliveries(&server, "direction=outbound").await.remove(0);
            let path =
                format!("/admin/webhook-deliveries/{}/discard", row["id"].as_str().expect("an id"));
            let reason = json!({ "reason": "not needed" });
            server.post(&Person::program(), &path, reason).await.ok();
            let answer = format!("HTTP/1.1 {answer}\r\ncontent-length: 0\r\n\r\n");
            stream.write_all(answer.as_bytes()).await.expect("it listens");
            stream
        };
        tokio::join!(server.work(), discard);

        let row = deliveries(&server, "direction=outbound").await.remove(0);
        let outcome = ["status", "last_error", "attempt_count"].map(|name| &row[name]);
        assert_eq!(outcome, [&json!("skipped"), &json!("not needed"), &json!(1)], "{answer}");
        assert_eq!(server.number("select count(*) from webhook_attempt").await, 1);
        assert_eq!(server.number("select count(*) from job where kind = 'webhooks.send'").await, 0);
    }
}
