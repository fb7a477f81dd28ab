//! The five routes: happy path, bad input, wrong caller, in capture and in record.

use axum::http::Request;
use quotient_server::database::Error;
use serde_json::{Value, json};

use super::*;
use crate::harness::{Person, TestServer};

const SHIPPED: &str = r#"{"type":"shipment.shipped","data":{"order_id":"order_none"}}"#;

#[tokio::test]
async fn without_secrets_everything_is_stored_and_nothing_is_trusted() {
    let server = TestServer::empty().await;
    let none = Vec::new();
    let mail = standard(SECRET, ("msg_1", 7), "{}");

    let kept = deliver(&server, PARTNER, &none, SHIPPED.as_bytes()).await.ok();
    let expected = json!({ "received": true, "mode": "capture", "signature_checked": false, "signature_valid": false });
    assert_eq!(kept, expected);
    let kept = deliver(&server, EMAIL, &mail, b"{}").await.ok();
    assert_eq!(kept, json!({ "received": true, "mode": "capture" }));
    let kept = deliver(&server, TRACKING, &none, b"{}").await.ok();
    assert_eq!(kept, json!({ "received": true, "mode": "capture" }));
    let kept = deliver(&server, WAREHOUSE, &none, b"{}").await.ok();
    assert_eq!(kept, json!({ "received": true, "mode": "capture" }));
    let refused = deliver(&server, PROCESSOR, &processor(SECRET, 7, "{}"), b"{}").await;
    assert_eq!(
        (refused.status, &refused.body),
        (500, &json!({ "error": "the webhook has no secret" }))
    );

    let rows = deliveries(&server, "limit=50").await;
    assert_eq!(rows.len(), 4);
    for row in rows {
        assert_eq!((&row["status"], &row["last_error"]), (&json!("skipped"), &json!("captured")));
        assert_eq!(row["is_verified"], row["receiver"] == "warehouse-integration");
    }
}

#[tokio::test]
async fn signed_webhooks_are_accepted_and_others_refused() {
    let server = TestServer::with_settings(&SIGNED).await;
    let at_s = now_s(&server);
    let body = r#"{"id":"evt_1","type":"invoice.paid","data":{"object":{}}}"#;
    for (path, good, old, refusal) in [
        (
            PARTNER,
            standard(SECRET, ("msg_1", at_s), body),
            standard(SECRET, ("msg_2", at_s - 301), body),
            401,
        ),
        (
            EMAIL,
            standard(SECRET, ("msg_1", at_s), body),
            standard(SECRET, ("msg_2", at_s - 301), body),
            401,
        ),
        (
            TRACKING,
            platform(PLATFORM_SECRET, body),
            platform("another secret of theirs", body),
            401,
        ),
        (PROCESSOR, processor(SECRET, at_s, body), processor(SECRET, at_s - 601, body), 400),
    ] {
        let missing = deliver(&server, path, &Vec::new(), body.as_bytes()).await;
        assert_eq!(missing.status, refusal, "{path}");
        assert_eq!(missing.body, json!({ "error": "a signature header is missing" }), "{path}");
        for (headers, body) in [(&old, body), (&good, "not what was signed, and no JSON")] {
            let refused = deliver(&server, path, headers, body.as_bytes()).await;
            assert_eq!(refused.status, refusal, "{path}");
            let error = refused.body["error"].as_str().expect("an error");
            assert!(error.contains("not valid") || error.contains("tolerance"), "{path}: {error}");
            assert_eq!(refused.body.as_object().map(serde_json::Map::len), Some(1), "{path}");
        }
        assert_eq!(deliver(&server, path, &good, body.as_bytes()).await.status, 200, "{path}");
    }
    let forged = deliveries(&server, "signature=invalid").await;
    assert_eq!(forged.len(), 8);
    assert!(forged.iter().all(|row| row["status"] == "skipped" && row["attempt_count"] == 0));
}

#[tokio::test]
async fn the_answers_match_the_specification() {
    let server = TestServer::with_settings(&SIGNED).await;
    let at_s = now_s(&server);

    let headers = standard(SECRET, ("msg_1", at_s), SHIPPED);
    let first = deliver(&server, PARTNER, &headers, SHIPPED.as_bytes()).await.ok();
    let expected = json!({ "received": true, "mode": "record", "signature_checked": true, "signature_valid": true });
    assert_eq!(first, expected);
    let again = deliver(&server, PARTNER, &headers, SHIPPED.as_bytes()).await.ok();
    assert_eq!(again, json!({ "received": true, "mode": "record" }));

    let body = r#"{"type":"email.delivered","data":{"email_id":"unknown"}}"#;
    let headers = standard(SECRET, ("msg_1", at_s), body);
    let first = deliver(&server, EMAIL, &headers, body.as_bytes()).await.ok();
    assert_eq!(first, json!({ "received": true, "handled": false }));
    let again = deliver(&server, EMAIL, &headers, body.as_bytes()).await.ok();
    assert_eq!(again, json!({ "received": true, "duplicate": true }));

    let body = r#"{"id":"evt_1","data":{"tracking_number":"TRK1","status":"delivered"}}"#;
    let headers = platform(PLATFORM_SECRET, body);
    let first = deliver(&server, TRACKING, &headers, body.as_bytes()).await.ok();
    assert_eq!(first, json!({ "received": true, "mode": "record", "routed": false }));
    let unknown = deliver(&server, "/webhooks/shipping-platform/weather", &Vec::new(), b"").await;
    assert_eq!(
        (unknown.status, unknown.body),
        (404, json!({ "error": "there are no such events" }))
    );

    let body = json!({ "id": "evt_1", "type": "invoice.paid", "data": { "object": {} } });
    let skipped = charge(&server, &body).await.ok();
    let expected = json!({ "received": true, "skipped": true, "reason": "unhandled_type", "eventId": "evt_1",
        "action": "not_supported", "sessionId": null });
    assert_eq!(skipped, expected);
    let again = charge(&server, &body).await.ok();
    assert_eq!(again["reason"], "already_applied");
}

#[tokio::test]
async fn a_secret_is_replaced_without_a_gap() {
    let both = format!("--fulfillment-partner-webhook-secrets=a new secret of theirs,{SECRET}");
    let server = TestServer::with_settings(&[&both]).await;
    let at_s = now_s(&server);
    let new = {
        let signature =
            STANDARD.encode(mac(b"a new secret of theirs", &format!("msg_2.{at_s}.{{}}")));
        vec![
            ("svix-id", "msg_2".to_owned()),
            ("svix-timestamp", at_s.to_string()),
            ("svix-signature", format!("v1,{signature}")),
        ]
    };
    for headers in [standard(SECRET, ("msg_1", at_s), "{}"), new] {
        let kept = deliver(&server, PARTNER, &headers, b"{}").await.ok();
        assert_eq!(kept["signature_valid"], true);
    }
}

#[tokio::test]
async fn a_sender_may_use_another_scheme() {
    let server = TestServer::with_settings(&[
        "--shipping-platform-webhook-secrets=a secret of the platform",
        "--shipping-platform-webhook-scheme=hmac-base64:X-Shop-Hmac-SHA256:X-Shop-Webhook-Id",
    ])
    .await;
    let signature = STANDARD.encode(mac(PLATFORM_SECRET.as_bytes(), "{}"));
    let headers = |id: &str| {
        vec![("x-shop-hmac-sha256", signature.clone()), ("x-shop-webhook-id", id.to_owned())]
    };
    for id in ["1", "1", "2"] {
        assert_eq!(deliver(&server, TRACKING, &headers(id), b"{}").await.status, 200);
    }
    assert_eq!(
        deliver(&server, TRACKING, &platform(PLATFORM_SECRET, "{}"), b"{}").await.status,
        401
    );
    assert_eq!(deliveries(&server, "signature=valid").await.len(), 2);
}

#[tokio::test]
async fn the_warehouse_is_always_answered_with_success() {
    let server = TestServer::with_settings(&["--warehouse-webhook-record-enabled=true"]).await;
    let large = vec![b'x'; 10 * 1024 * 1024];
    for body in [
        &b""[..],
        b"{",
        b"[1]",
        b"\xff\xfe\x00",
        b"<xml/>",
        b"cust_ref=1&order_status=shipped",
        &large,
    ] {
        let kept = deliver(&server, WAREHOUSE, &Vec::new(), body).await;
        assert_eq!((kept.status, &kept.body["mode"]), (200, &json!("record")));
        assert_eq!(kept.body["routed"], false);
    }
    let odd = vec![
        ("content-encoding", "gzip".to_owned()),
        ("content-type", "text/plain; charset=utf-16".to_owned()),
        ("authorization", "Bearer wrong".to_owned()),
        ("idempotency-key", "not for webhooks".to_owned()),
    ];
    assert_eq!(deliver(&server, WAREHOUSE, &odd, b"odd").await.status, 200);
    let kept =
        server.number("select count(*) from webhook_delivery where length(body) = 10485760").await;
    assert_eq!(kept, 1);
}

#[tokio::test]
async fn oversized_warehouse_webhooks_are_truncated_and_others_refused() {
    let server = TestServer::with_settings(&SIGNED).await;
    let large = vec![b'x'; 17 * 1024 * 1024];
    assert_eq!(deliver(&server, WAREHOUSE, &Vec::new(), &large).await.status, 200);
    let rows = deliveries(&server, "receiver=warehouse-integration").await;
    assert_eq!(rows[0]["is_cut"], true);
    let large = vec![b'x'; 1024 * 1024 + 1];
    for path in [PARTNER, EMAIL, TRACKING, PROCESSOR] {
        assert_eq!(deliver(&server, path, &Vec::new(), &large).await.status, 413, "{path}");
    }
}

#[tokio::test]
async fn webhooks_wait_in_memory_while_the_database_is_busy() {
    let server = TestServer::with_settings(&SIGNED).await;
    let other = server.other_process();
    let (locked, unlock) = (std::sync::mpsc::channel(), std::sync::mpsc::channel());
    let (tell_locked, is_locked) = locked;
    let (release, wait) = unlock;
    let holding = tokio::spawn(async move {
        other
            .write::<_, Error>(move |tx| {
                tx.execute_batch("update event_cursor set seq = seq")?;
                tell_locked.send(()).expect("the test waits");
                wait.recv().expect("the test goes on");
                Ok(())
            })
            .await
    });
    tokio::task::spawn_blocking(move || is_locked.recv()).await.expect("a thread").expect("a lock");

    let body = json!({ "cust_ref": "1", "order_status": "shipped" }).to_string();
    let kept = deliver(&server, WAREHOUSE, &Vec::new(), body.as_bytes()).await.ok();
    assert_eq!(kept, json!({ "received": true, "mode": "record", "routed": false }));
    let refused =
        deliver(&server, PARTNER, &standard(SECRET, ("msg_1", now_s(&server)), "{}"), b"{}").await;
    assert_eq!(
        (refused.status, &refused.body),
        (500, &json!({ "error": "the webhook cannot be kept" }))
    );

    release.send(()).expect("it waits");
    holding.await.expect("a task").expect("a write");
    server.drain().await;
    let rows = deliveries(&server, "receiver=warehouse-integration").await;
    assert_eq!(rows.len(), 1);
}

#[tokio::test]
async fn each_sender_has_a_limit_of_its_own_and_the_warehouse_has_none() {
    let mut settings = SIGNED.to_vec();
    settings.extend(["--webhooks-per-minute=2", "--store-per-minute=1"]);
    let server = TestServer::with_settings(&settings).await;
    for (path, statuses) in [
        (PARTNER, [401, 401, 429]),
        (EMAIL, [401, 401, 429]),
        (TRACKING, [401, 401, 429]),
        (PROCESSOR, [400, 400, 429]),
        (WAREHOUSE, [200, 200, 200]),
    ] {
        for status in statuses {
            assert_eq!(deliver(&server, path, &Vec::new(), b"{}").await.status, status, "{path}");
        }
    }
}

#[tokio::test]
async fn strangers_do_not_use_up_the_limit_of_a_sender() {
    let mut settings = SIGNED.to_vec();
    settings.extend(["--webhooks-per-minute=2", "--trusted-proxies=127.0.0.1"]);
    let server = TestServer::with_settings(&settings).await;
    let from = |address: &str| ("x-forwarded-for", address.to_owned());
    for status in [401, 401, 429] {
        let forged = deliver(&server, PARTNER, &vec![from("203.0.113.9")], b"{}").await;
        assert_eq!(forged.status, status);
    }

    let mut signed = standard(SECRET, ("msg_1", now_s(&server)), SHIPPED);
    signed.push(from("198.51.100.7"));
    assert_eq!(deliver(&server, PARTNER, &signed, SHIPPED.as_bytes()).await.status, 200);
}

#[tokio::test]
async fn other_methods_are_none() {
    let server = TestServer::empty().await;
    for path in [WAREHOUSE, PARTNER, EMAIL, TRACKING, PROCESSOR] {
        let request = Request::get(path).body(Body::empty()).expect("a request");
        assert_eq!(server.send(request).await.status, 405, "{path}");
    }
    let none: Value = server.get(&Person::program(), "/admin/webhook-deliveries").await.ok();
    assert_eq!(none["count"], 0);
}

/// A public key of the shipping platform, and its signature of the time and the body of the test, made with `openssl`.
const RSA_KEYS: &str = "--shipping-platform-webhook-secrets=key-1:MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA7dxvu5Gl8Q+j0C52TQyBNyN6BoFhV+b/1hJzLxNOj7tpwoNssML\
    jlxNwxKh6C80tzYH4D9rs9qJIOApBixrGnnYuRahnqapgIsI7moRNWUBUtMjzDc3Xf7XPieZOjx+U6ym7S7J7/ZmKgzU2lh\
    AMtduErMfB7Tm9YUwVJIgMXNPSmaYbqrT9EV1VWzC4XgY9AcFSTtp5eUa6ecuciuLEERlLbThgDoVqgqEbtpEGbfyRTNOzo\
    6HcHc6aQ6MlHe0H6fbbzZ678qUDjM15M3sBk4SfmgnFkYJ1+MP89cuznAypIO9vuecarrE6I4intfYhE0mz5p8gy/4GPuhb\
    7qim9QIDAQAB";
const RSA_SIGNATURE: &str = "IFtADKI3BwiRIHE059kG5SDWna59YUDYADFTcD7mJQmh0verDIwnRYB7hchbp46j/2OqD9AUBz8vJCfeZgV+eO4RSZrQ6MNuABBO\
    SV8DmsvPhN49Ovt+TSK5vyvnqOAHRjvgsSALigZp1lPpmSG7TzH9Mxmn2EH3RQeEIGiPv7Wxl7cLLF0gwA3QbhuRXEc4POHpy+HI\
    OoogHgNYHEbKirBMHMgGta4qe3mrzOzK35tLpShPsPcC2cjz8OVaz8XELPogAk5/FmR7PaILpvUECFfnCcEloG4Qew2CqpWO6SaK\
    O0hkaDqQu3F2ryaf0Xj25plJeLExgHbALlXtMgBrzg==";

#[tokio::test]
async fn the_shipping_platform_may_sign_with_rsa() {
    let settings = ["--shipping-platform-webhook-scheme=rsa", RSA_KEYS];
    let server = TestServer::with_settings(&settings).await;
    let headers = vec![
        ("x-shipengine-rsa-sha256-signature", RSA_SIGNATURE.to_owned()),
        ("x-shipengine-rsa-sha256-key-id", "key-1".to_owned()),
        ("x-shipengine-timestamp", "1795262400".to_owned()),
    ];

    let body = br#"{"id":"evt_1"}"#;
    let taken = deliver(&server, TRACKING, &headers, body).await.ok();
    assert_eq!(taken, json!({ "received": true, "mode": "record", "routed": false }));
    deliver(&server, TRACKING, &headers, body).await.ok();
    assert_eq!(deliveries(&server, "limit=50").await.len(), 1);
    assert_eq!(deliver(&server, TRACKING, &headers, br#"{"id":"evt_2"}"#).await.status, 401);
    assert_eq!(deliver(&server, TRACKING, &Vec::new(), body).await.status, 401);
    server.clock.advance(301_000);
    assert_eq!(deliver(&server, TRACKING, &headers, body).await.status, 401);
}

#[tokio::test]
async fn anonymous_webhooks_take_at_most_their_room_and_get_the_same_answer() {
    const LARGE: usize = 16 * 1024 * 1024;
    let server = TestServer::empty().await;
    let rows = "select count(*) from webhook_delivery where receiver = 'warehouse-integration'";
    let send = |first: u8| {
        let mut body = vec![b' '; LARGE];
        body[0] = first;
        let server = &server;
        async move { deliver(server, WAREHOUSE, &Vec::new(), &body).await.ok() }
    };

    for first in 0..9 {
        assert_eq!(send(first).await, json!({ "received": true, "mode": "capture" }));
    }

    server.drain().await;
    // 128 MiB, of which each row also takes a little.
    assert_eq!(server.number(rows).await, 7);
    // Other senders have their own, and so has the next day.
    deliver(&server, PARTNER, &Vec::new(), SHIPPED.as_bytes()).await.ok();
    assert_eq!(deliveries(&server, "receiver=fulfillment-partner").await.len(), 1);
    server.clock.advance(24 * 60 * 60 * 1_000);
    send(9).await;
    server.drain().await;
    assert_eq!(server.number(rows).await, 8);
}

#[tokio::test]
async fn verified_warehouse_webhooks_take_little_more_than_their_room() {
    const MIB: usize = 1024 * 1024;
    let server = TestServer::with_settings(&["--warehouse-webhook-record-enabled=true"]).await;
    let send = |number: u32, len: usize| {
        let mut body = vec![b' '; len];
        body[..4].copy_from_slice(&number.to_be_bytes());
        let server = &server;
        async move { deliver(server, WAREHOUSE, &Vec::new(), &body).await.ok() }
    };

    // 128 MiB but for 8 KiB, with 1 KiB for each row.
    for number in 0..7 {
        send(number, 16 * MIB).await;
    }
    send(7, 16 * MIB - 16 * 1024).await;
    // 8 MiB and 8 KiB take 482 notices of 17 KiB.
    for number in 8..500 {
        let answer = send(number, 16 * 1024).await;
        assert_eq!(answer, json!({ "received": true, "mode": "record", "routed": false }));
    }

    server.drain().await;
    let rows = "select count(*) from webhook_delivery where receiver = 'warehouse-integration'";
    assert_eq!(server.number(rows).await, 490);
}
