//! Customers in the store.

use std::collections::BTreeSet;

use serde_json::json;

use crate::auth::customer;
use crate::harness::{Person, TestServer};

#[tokio::test]
async fn a_customer_changes_what_is_theirs_and_nothing_else() {
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
async fn a_deleted_customer_is_logged_out_and_may_register_anew() {
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
