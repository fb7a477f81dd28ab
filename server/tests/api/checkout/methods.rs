//! Saved payment methods.

use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

const CUSTOMER_A: &str = "cus_01JD2Q8Z5M6T3W9XKCV4B7N00A";

/// Starts a subscription's payment for customer A, which registers the customer; returns the path of the methods.
async fn holder(server: &TestServer, store: &crate::harness::Store) -> String {
    let person = Person::customer_a();
    let cart = server.cart_with(&person, store, &store.mug, 1).await;
    server.post(&person, &format!("/store/carts/{cart}/customer"), json!({})).await.ok();
    let path = format!("/store/carts/{cart}/subscription-payment-session");
    server.post(&person, &path, json!({ "provider_id": "pp_sandbox" })).await.ok();
    let me = server.get(&person, "/store/customers/me?fields=%2Baccount_holders").await.ok();
    let holders = &me["customer"]["account_holders"];
    assert_eq!(holders[0]["provider_id"], "pp_sandbox");
    format!("/store/payment-methods/{}", holders[0]["id"].as_str().expect("a holder"))
}

#[tokio::test]
async fn a_method_is_saved_once_listed_and_removed() {
    let (server, store) = TestServer::with_store().await;
    let (a, b) = (Person::customer_a(), Person::customer_b());
    let path = holder(&server, &store).await;
    assert_eq!(server.get(&a, &path).await.ok()["payment_methods"], json!([]));

    let visa = json!({ "data": { "payment_method": "pm_card_visa" } });
    let saved = server.post(&a, &path, visa.clone()).await;
    assert_eq!(saved.status, 201, "{saved:#?}");
    let method = &saved.body["payment_method"];
    assert_eq!(method["data"]["card"]["last4"], "4242");
    assert_eq!((&method["is_default"], &method["is_expired"]), (&json!(true), &json!(false)));
    assert_eq!(saved.body["reference"], method["reference"]);
    let again = server.post(&a, &path, visa).await;
    assert_eq!(again.body["payment_method"]["id"], method["id"]);

    let other = json!({ "data": { "payment_method": "pm_card_requires_action" } });
    let newer = server.post(&a, &path, other).await.body["payment_method"]["id"].clone();
    let listed = server.get(&a, &path).await.ok();
    assert_eq!(listed["payment_methods"][0]["id"], newer);

    let one = format!("{path}/{}", method["id"].as_str().expect("an id"));
    server.delete(&b, &one).await.refused(404);
    let deleted = server.delete(&a, &one).await.ok();
    assert_eq!((&deleted["object"], &deleted["deleted"]), (&json!("payment_method"), &json!(true)));
    server.delete(&a, &one).await.refused(404);
    let left = server.get(&a, &path).await.ok();
    assert_eq!(left["payment_methods"][0]["is_default"], true);
    server.assert_sound().await;
}

#[tokio::test]
async fn another_customers_or_unknown_methods_and_card_numbers_are_refused() {
    let (server, store) = TestServer::with_store().await;
    let path = holder(&server, &store).await;
    let unknown = "/store/payment-methods/acchld_01JD2Q8Z5M6T3W9XKCV4B7N09Z";
    let body = |data: Value| json!({ "data": data });
    for path in [path.as_str(), unknown] {
        server.get(&Person::customer_b(), path).await.refused(404);
        server.post(&Person::customer_b(), path, body(json!({}))).await.refused(404);
    }
    server.get(&Person::visitor(), &path).await.refused(401);
    let number = json!({ "payment_method": { "number": "5555555555554444" } });
    let refused = server.post(&Person::customer_a(), &path, body(number)).await.refused(400);
    assert!(!refused.contains("5555"), "{refused}");
    let strange = json!({ "payment_method": "pm_of_elsewhere" });
    server.post(&Person::customer_a(), &path, body(strange)).await.refused(422);
    assert_eq!(server.number("select count(*) from payment_method").await, 0);
    let holders = server.number("select count(*) from account_holder").await;
    assert_eq!(holders, 1, "{CUSTOMER_A}");
}

#[tokio::test]
async fn a_provider_without_hooks_saves_nothing_and_removed_methods_are_gone() {
    let (server, store) = TestServer::with_store().await;
    let customer = Person::customer_a();
    let path = holder(&server, &store).await;
    let visa = json!({ "data": { "payment_method": "pm_card_visa" } });
    let saved = server.post(&customer, &path, visa.clone()).await;
    server.sql("update account_holder set provider_id = 'pp_system_default'").await;
    server.sql("update payment_method set provider_id = 'pp_system_default'").await;

    let refused = server.post(&customer, &path, visa).await;
    assert_eq!((refused.status, &refused.body["type"]), (501, &json!("not_implemented")));
    assert!(refused.body["message"].is_string(), "{refused:?}");
    let one = format!("{path}/{}", saved.body["payment_method"]["id"].as_str().expect("an id"));
    assert_eq!(server.delete(&customer, &one).await.ok()["deleted"], true);
    assert_eq!(server.get(&customer, &path).await.ok()["payment_methods"], json!([]));
}
