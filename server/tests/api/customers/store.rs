//! Customers in the store.

use std::collections::BTreeSet;

use serde_json::json;

use crate::auth::customer;
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn a_customer_changes_only_their_own_fields() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    let me = "/store/customers/me";

    let body = json!({ "first_name": " Ada ", "phone": "+44 1", "metadata": { "size": "m", "vip": true } });
    server.post(&ada, me, body).await.ok();
    let body = json!({ "last_name": "Lovelace", "phone": null, "metadata": { "vip": null } });
    let changed = server.post(&ada, me, body).await.ok()["customer"].clone();

    assert_eq!(changed["first_name"], "Ada");
    assert_eq!(changed["last_name"], "Lovelace");
    assert_eq!(changed["phone"], json!(null));
    assert_eq!(changed["metadata"], json!({ "size": "m" }));
    for forbidden in
        ["id", "email", "has_account", "created_at", "created_by", "groups", "password_hash"]
    {
        let message = server.post(&ada, me, json!({ forbidden: "x" })).await.refused(400);
        assert_eq!(message, format!("Invalid request: Unrecognized fields: '{forbidden}'"));
    }
}

#[tokio::test]
async fn a_customer_cannot_name_what_only_admins_see() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;

    for fields in
        ["%2Bgroups", "created_by", "*identity", "password_hash", "addresses.customer.email"]
    {
        let path = format!("/store/customers/me?fields={fields}");
        assert_eq!(server.get(&ada, &path).await.status, 400, "{fields}");
    }
    let some = server.get(&ada, "/store/customers/me?fields=email").await.ok();
    let members = some["customer"].as_object().expect("members");
    let names: BTreeSet<_> = members.keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["email", "id"]));
}

#[tokio::test]
async fn a_customer_has_their_newest_orders_in_the_storefront_on_request() {
    let (server, store) = TestServer::with_store().await;
    let (buyer, me) = (Person::customer_a(), "/store/customers/me?fields=*orders");
    let first = server.get(&buyer, me).await.ok();
    assert_eq!(first["customer"]["orders"], json!([]));
    let mut placed = Vec::new();
    for person in [&buyer, &buyer, &Person::customer_b()] {
        let cart = server.ready_cart(person, &store, &store.mug, 1).await;
        placed.push(server.complete(person, &cart).await.ok()["order"]["id"].clone());
        server.clock.advance(1_000);
    }
    let ids = async || {
        let me = server.get(&buyer, me).await.ok();
        let orders = me["customer"]["orders"].as_array().cloned().unwrap_or_default();
        orders.iter().map(|order| order["id"].clone()).collect::<Vec<_>>()
    };

    assert_eq!(ids().await, [placed[1].clone(), placed[0].clone()]);
    let some = server.get(&buyer, "/store/customers/me?fields=orders.status").await.ok();
    let status = json!({ "id": placed[1], "status": "pending" });
    assert_eq!(some["customer"]["orders"][0], status);
    let plain = server.get(&buyer, "/store/customers/me").await.ok();
    assert_eq!(plain["customer"].get("orders"), None);

    let channel = json!({ "name": "Wholesale" });
    let made = server.post(&Person::admin(), "/admin/sales-channels", channel).await.ok();
    let channel = made["sales_channel"]["id"].as_str().expect("a channel");
    let last = placed[1].as_str().expect("an order");
    let moved = format!("update orders set sales_channel_id = '{channel}' where id = '{last}'");
    server.sql(&moved).await;
    assert_eq!(ids().await, [placed[0].clone()]);
}

#[tokio::test]
async fn a_deleted_customer_is_logged_out_and_may_register_again() {
    let server = TestServer::empty().await;
    let (ada, _) = customer(&server, "ada@example.com").await;
    let me = server.get(&ada, "/store/customers/me").await.ok();
    let id = me["customer"]["id"].as_str().expect("an id");
    let path = format!("/admin/customers/{id}");

    let deleted = server.delete(&Person::admin(), &path).await.ok();

    assert_eq!(deleted, json!({ "id": id, "object": "customer", "deleted": true }));
    assert_eq!(server.get(&ada, "/store/customers/me").await.status, 401);
    assert_eq!(server.get(&Person::admin(), &path).await.status, 404);
    assert_eq!(server.delete(&Person::admin(), &path).await.status, 404);
    let (ada, _) = customer(&server, "ada@example.com").await;
    let again = server.get(&ada, "/store/customers/me").await.ok();
    assert_ne!(again["customer"]["id"], id);
    server.assert_sound().await;
}
