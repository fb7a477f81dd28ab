//! Membership tiers by formulas over the orders of a customer.

use serde_json::{Value, json};

use super::{id_of, order};
use crate::harness::{Person, Store, TestServer};

const TIERS: &str = "/admin/membership-tiers";

/// Creates a tier; returns its id.
async fn tier(server: &TestServer, name: &str, rank: i64, condition: &str) -> String {
    let body =
        json!({ "name": name, "rank": rank, "condition": condition, "currency_code": "gbp" });
    id_of(&server.post(&Person::admin(), TIERS, body).await.ok(), "membership_tier")
}

/// Buys mugs; returns the order.
async fn buy(server: &TestServer, store: &Store, count: i64) -> String {
    order(server, &Person::customer_a(), store, (count, json!({}))).await
}

/// Returns the customer's tier, as both surfaces show it.
async fn own(server: &TestServer) -> Value {
    let path = "/store/customers/me/membership-tier";
    let own = server.get(&Person::customer_a(), path).await.ok()["tier"].clone();
    assert_eq!(seen_by_staff(server).await, own);
    own
}

async fn seen_by_staff(server: &TestServer) -> Value {
    let path = "/admin/customers/cus_01JD2Q8Z5M6T3W9XKCV4B7N00A/membership-tier";
    server.get(&Person::program(), path).await.ok()["tier"].clone()
}

#[tokio::test]
async fn a_customer_is_in_the_highest_tier_whose_condition_holds_for_the_orders_of_a_year() {
    let (server, store) = TestServer::with_store().await;
    let silver = tier(&server, "Silver", 10, "count(orders) >= 1").await;
    let condition = "trailing(sum(orders.total - orders.refunded), 12 months) >= 100 GBP";
    let gold = tier(&server, "Gold", 20, condition).await;
    assert_eq!(own(&server).await, Value::Null);

    buy(&server, &store, 1).await;
    assert_eq!(own(&server).await, json!({ "id": silver, "name": "Silver", "rank": 10 }));

    let large = buy(&server, &store, 6).await;
    assert_eq!(own(&server).await["id"], json!(gold));
    server.post(&Person::admin(), &format!("/admin/orders/{large}/cancel"), json!({})).await.ok();
    assert_eq!(own(&server).await["name"], "Silver", "a cancelled order does not count");

    buy(&server, &store, 6).await;
    assert_eq!(own(&server).await["name"], "Gold");
    server.clock.advance(366 * 24 * 60 * 60 * 1_000);
    assert_eq!(seen_by_staff(&server).await["name"], "Silver", "a year has gone by");
}

#[tokio::test]
async fn a_tier_is_created_changed_and_deleted_and_its_condition_checked() {
    let (server, _store) = TestServer::with_store().await;
    let gold = tier(&server, "Gold", 20, "count( orders )>=3").await;
    let path = format!("{TIERS}/{gold}");
    let shown = server.get(&Person::viewer(), &path).await.ok();
    assert_eq!(shown["membership_tier"]["condition"], "count(orders) >= 3");
    assert_eq!(shown["membership_tier"]["currency_code"], "gbp");

    for (body, expected) in [
        (json!({ "condition": "sum(orders.totl) >= 1 GBP" }), "totl"),
        (json!({ "condition": "count(orders)" }), "true or false"),
        (json!({ "condition": "sum(orders.total) >= 5" }), "GBP"),
        (json!({ "condition": "count(customers) > 1" }), "customers"),
        (json!({ "rank": "first" }), "rank"),
    ] {
        let message = server.post(&Person::admin(), &path, body.clone()).await.refused(400);
        assert!(message.contains(expected), "{body}: {message}");
    }
    assert_eq!(server.get(&Person::viewer(), &path).await.ok(), shown, "nothing was changed");

    let mut taken = json!({ "name": "Gold", "rank": 21, "condition": "count(orders) >= 1" });
    let message = server.post(&Person::admin(), TIERS, taken.clone()).await.refused(400);
    assert!(message.contains("currency_code"), "there is no store with a currency: {message}");
    taken["currency_code"] = json!("gbp");
    server.post(&Person::admin(), TIERS, taken).await.refused(409);
    let changed = json!({ "condition": "count(orders) >= 1", "name": "Regular" });
    let changed = server.post(&Person::admin(), &path, changed).await.ok();
    assert_eq!(changed["membership_tier"]["name"], "Regular");
    server.delete(&Person::admin(), &path).await.ok();
    server.get(&Person::admin(), &path).await.refused(404);
    let missing = "/admin/customers/cus_01JD2Q8Z5M6T3W9XKCV4B7N0RE/membership-tier";
    server.get(&Person::admin(), missing).await.refused(404);
}
