//! Memberships that orders grant.

use serde_json::{Value, json};

use super::{id_of, order};
use crate::harness::{Person, Store, TestServer};

const MINUTE_MS: i64 = 60 * 1_000;

/// Places an order whose cart grants a membership by its own metadata.
async fn forged(server: &TestServer, person: &Person, store: &Store) -> String {
    let metadata = json!({ "membership": { "plan": "forged", "credentials": "x" }, "note": "n" });
    order(server, person, store, (1, metadata)).await
}

/// Returns the membership that a person is shown.
async fn shown(server: &TestServer, person: &Person, order: &str) -> Value {
    let path = format!("/store/membership/status?order_id={order}");
    server.get(person, &path).await.ok()["membership"].clone()
}

#[tokio::test]
async fn a_membership_is_shown_with_credentials_once_the_order_is_paid() {
    let (server, store) = TestServer::with_store().await;
    let order = forged(&server, &Person::visitor(), &store).await;
    assert_eq!(
        shown(&server, &Person::visitor(), &order).await,
        Value::Null,
        "a shopper grants none"
    );

    let ends_at = server.clock.now().plus_ms(30 * MINUTE_MS);
    let membership = json!({
        "plan": "gold", "member_id": "M-1", "credentials": { "code": "7Q4T" }, "ends_at": ends_at,
        "status": "active", "internal": "secret",
    });
    let path = format!("/admin/orders/{order}");
    let change = json!({ "metadata": { "membership": membership } });
    server.post(&Person::admin(), &path, change).await.ok();
    let pending = shown(&server, &Person::visitor(), &order).await;
    assert_eq!((&pending["status"], &pending["credentials"]), (&json!("pending"), &Value::Null));
    assert_eq!((&pending["plan"], &pending["internal"]), (&json!("gold"), &Value::Null));

    let full = server
        .get(&Person::admin(), &format!("{path}?fields=*payment_collections.payments"))
        .await
        .ok();
    let payment =
        full["order"]["payment_collections"][0]["payments"][0]["id"].as_str().expect("a payment");
    server
        .post(&Person::admin(), &format!("/admin/payments/{payment}/capture"), json!({}))
        .await
        .ok();
    let active = shown(&server, &Person::visitor(), &order).await;
    assert_eq!(
        (&active["status"], &active["credentials"]["code"]),
        (&json!("active"), &json!("7Q4T"))
    );
    server.clock.advance(30 * MINUTE_MS);
    assert_eq!(shown(&server, &Person::visitor(), &order).await["status"], "expired");
    server
        .post(&Person::admin(), &format!("/admin/payments/{payment}/refund"), json!({}))
        .await
        .ok();
    let revoked = shown(&server, &Person::visitor(), &order).await;
    assert_eq!((&revoked["status"], &revoked["credentials"]), (&json!("revoked"), &Value::Null));
}

#[tokio::test]
async fn a_membership_is_revoked_once_all_money_of_its_order_is_store_credit() {
    let (server, store) = TestServer::with_store().await;
    let customer = Person::customer_a();
    let cart = server.ready_cart(&customer, &store, &store.mug, 1).await;
    let order = id_of(&server.complete(&customer, &cart).await.ok(), "order");
    let change = json!({ "metadata": { "membership": { "credentials": { "code": "7Q4T" } } } });
    server.post(&Person::admin(), &format!("/admin/orders/{order}"), change).await.ok();
    server.refund(&order, Some(json!(1))).await;
    assert_eq!(shown(&server, &customer, &order).await["status"], "active");

    server.refund_to_credit(&order).await;

    let revoked = shown(&server, &customer, &order).await;
    assert_eq!((&revoked["status"], &revoked["credentials"]), (&json!("revoked"), &Value::Null));
}

#[tokio::test]
async fn after_an_hour_only_the_customer_is_shown_a_membership_and_no_other_route_shows_one() {
    let (server, store) = TestServer::with_store().await;
    let customer = Person::customer_a();
    let order = forged(&server, &customer, &store).await;
    let change = json!({ "metadata": { "membership": { "plan": "gold" } } });
    server.post(&Person::admin(), &format!("/admin/orders/{order}"), change).await.ok();
    for path in [
        format!("/store/orders/{order}?fields=+metadata"),
        "/store/orders?fields=+metadata".to_owned(),
    ] {
        let body = server.get(&customer, &path).await.ok();
        assert!(!body.to_string().contains("gold"), "{body}");
        assert!(body.to_string().contains("\"note\""), "{body}");
    }
    assert_eq!(shown(&server, &Person::visitor(), &order).await["plan"], "gold");
    server.clock.advance(60 * MINUTE_MS);
    assert_eq!(shown(&server, &customer, &order).await["plan"], "gold");
    let path = |order: &str| format!("/store/membership/status?order_id={order}");
    for person in [Person::visitor(), Person::customer_b()] {
        let foreign = server.get(&person, &path(&order)).await;
        let unknown = "order_01JD2Q8Z5M6T3W9XKCV4B7NZZZ";
        let absent = server.get(&person, &path(unknown)).await;
        assert_eq!((foreign.status, absent.status), (404, 404));
        assert_eq!(foreign.body.to_string().replace(&order, unknown), absent.body.to_string());
    }
    for (query, reason) in [
        (String::new(), "'order_id' is required"),
        ("?order_id=".to_owned(), "order_id"),
        ("?order_id=x".to_owned(), "order_id"),
        ("?order_id[]=x&order_id[]=y".to_owned(), "order_id"),
        ("?unknown=1".to_owned(), "Unrecognized fields: 'unknown'"),
        (format!("?order_id={order}&x=1"), "Unrecognized fields: 'x'"),
    ] {
        let reply =
            server.get(&Person::visitor(), &format!("/store/membership/status{query}")).await;
        assert_eq!(reply.body.as_object().map(serde_json::Map::len), Some(1), "only a message");
        let message = reply.refused(400);
        assert!(message.contains(reason), "{query}: {message}");
    }
}

#[tokio::test]
async fn lookups_are_limited_by_address() {
    let (server, _store) = TestServer::with_store().await;
    let path = "/store/membership/status?order_id=order_01JD2Q8Z5M6T3W9XKCV4B7NZZZ";
    for _lookup in 0..30 {
        server.get(&Person::visitor(), path).await.refused(404);
    }
    server.get(&Person::visitor(), path).await.refused(429);
}
