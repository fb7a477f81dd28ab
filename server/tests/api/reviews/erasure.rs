//! Reviews of people who are erased.

use serde_json::{Value, json};

use super::{ADMIN, id_of};
use crate::harness::{Person, Store, TestServer};

/// Writes the review of a guest who has bought a mug, and approves it; returns the review and the guest.
async fn of_guest(server: &TestServer, store: &Store) -> (Value, String) {
    let order = server.bought(&Person::visitor(), store).await;
    let review = json!({ "order_id": order, "content": "First" });
    server.review(&Person::visitor(), store, review).await;
    let review = server.review(&Person::visitor(), store, json!({ "order_id": order })).await;
    server.approve(&review).await;
    let path = format!("/admin/orders/{order}");
    let shown = server.get(&Person::admin(), &path).await.ok();
    server.post(&Person::admin(), &format!("{path}/cancel"), json!({})).await.ok();
    (review, shown["order"]["customer_id"].as_str().expect("a customer").to_owned())
}

/// Erases a customer.
async fn erase(server: &TestServer, customer: &str) {
    let path = format!("/admin/customers/{customer}/erase");
    server.post(&Person::admin(), &path, json!({ "reason": "By letter." })).await.ok();
}

#[tokio::test]
async fn the_review_of_a_guest_is_exported_and_erased_with_the_guest() {
    let (server, store) = TestServer::with_store().await;
    let (review, guest) = of_guest(&server, &store).await;
    let other = server.review(&Person::visitor(), &store, json!({})).await;
    server.approve(&other).await;

    let path = format!("/admin/customers/{guest}/export");
    let exported = server.get(&Person::admin(), &path).await.ok();
    assert_eq!(exported["tables"]["review"][0]["id"], review["id"]);
    assert_eq!(exported["tables"]["review_version"][0]["content"], "First");

    erase(&server, &guest).await;

    let page = server.shown(&store, "").await;
    assert_eq!((&page["count"], &page["reviews"][0]["id"]), (&json!(1), &other["id"]));
    let path = format!("{ADMIN}/{}?fields=+versions", id_of(&review));
    let erased = server.get(&Person::viewer(), &path).await.ok()["review"].take();
    for (field, expected) in [
        ("status", json!("rejected")),
        ("reject_reason", json!("personal_data")),
        ("first_name", json!("")),
        ("content", json!("")),
        ("order_reference", Value::Null),
        ("versions", json!([])),
    ] {
        assert_eq!(erased[field], expected, "{field}");
    }
    server.assert_sound().await;
}

#[tokio::test]
async fn an_erased_review_is_never_shown_again() {
    let (server, store) = TestServer::with_store().await;
    let (review, guest) = of_guest(&server, &store).await;
    let other = server.review(&Person::visitor(), &store, json!({})).await;
    erase(&server, &guest).await;

    let id = id_of(&review);
    for (path, body) in [
        (format!("{ADMIN}/{id}/approve"), json!({})),
        (format!("{ADMIN}/{id}/reject"), json!({ "reason": "spam" })),
        (format!("{ADMIN}/{id}/respond"), json!({ "content": "Thank you, Ada!" })),
        (format!("{ADMIN}/batch"), json!({ "action": "approve", "ids": [id_of(&other), id] })),
    ] {
        let message = server.post(&Person::admin(), &path, body).await.refused(400);
        assert!(message.contains("was erased"), "{path}: {message}");
    }
    assert_eq!(server.shown(&store, "").await["count"], 0);
}
