//! Flows after the purchase: an accepted offer is charged to the saved method and becomes a line of the
//! order.

use serde_json::{Value, json};

use super::draft;
use crate::harness::{Person, Store, TestServer};

async fn after_order(test_card: &str) -> (TestServer, Store, Value, String, Value) {
    let (server, store) = TestServer::with_store().await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    let (cart, order) = server.kept_order(&store, test_card).await;
    (server, store, flow, cart, order)
}

#[tokio::test]
async fn an_accepted_offer_is_charged_and_becomes_a_line_of_the_order() {
    let (server, _store, flow, cart, order) = after_order("pm_card_visa").await;
    let before = server.order_of(&order).await;
    let begun = server.begin_after(&flow, &cart, &order).await;
    let offer = &begun["entry_button"]["offer"];
    assert_eq!(offer["total"], json!(14.39));

    let token = &begun["session"]["token"];
    let accepted =
        server.press("accept", token, &begun["entry_button"], json!({ "quantity": 2 })).await.ok();

    assert_eq!(accepted["success"], true);
    // 23.98 with tax is 28.78, above 20 pounds.
    assert_eq!(
        (&accepted["isTerminal"], &accepted["redirectUrl"]),
        (&json!(true), &json!("/order/confirmed"))
    );
    assert_eq!(accepted["next_button_id"], accepted["nextButtonId"]);
    assert_eq!(accepted["nextButton"]["id"], accepted["next_button_id"]);
    let after = server.order_of(&order).await;
    let lines = after["items"].as_array().expect("lines");
    assert_eq!(lines.len(), 2);
    let line = lines.iter().find(|line| line["variant_sku"] == "LAMP").expect("a lamp");
    assert_eq!((&line["quantity"], &line["total"]), (&json!(2), &json!(28.78)));
    let version = before["version"].as_i64().expect("a version");
    assert_eq!(after["version"], version + 1);
    let collections = after["payment_collections"].as_array().expect("collections");
    assert_eq!(collections.len(), 2);
    assert!(
        collections.iter().any(|one| one["amount"] == json!(28.78) && one["status"] == "completed")
    );
    assert_eq!(after["payment_status"], "captured");
    let id = order["id"].as_str().expect("an id");
    let changes = server.get(&Person::admin(), &format!("/admin/orders/{id}/changes")).await.ok();
    assert_eq!(changes["order_changes"][0]["change_type"], "item_add");
    let shopper = Person::nobody().with_header("x-flow-session", token.as_str().expect("a token"));
    let receipt = server.get(&shopper, "/flow-builder/receipt").await.ok();
    assert_eq!(receipt["session"]["upsell_total"], json!(28.78));
    // The mug with postage and tax, and the lamps.
    assert_eq!(receipt["total_revenue"], json!(56.31));
    assert_eq!(server.number("select count(*) from reservation where deleted_at is null").await, 2);
    assert_eq!(server.events_named("flow.accepted").await, 1);
    assert_eq!(server.events_named("order.updated").await, 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn the_storefront_begins_with_the_order_and_its_collection() {
    let (server, _store, flow, cart, order) = after_order("pm_card_visa").await;
    let shown = server.order_of(&order).await;
    let body = |collection: &Value, total: Value| {
        json!({
            "flow_id": flow["id"], "cart_id": cart, "order_id": order["id"],
            "payment_collection_id": collection, "original_order_total": total,
        })
    };
    let path = "/store/flow-builder/init-with-order";
    let foreign = json!("pay_col_01JD2Q8Z5M6T3W9XKCV4B7NZZZ");
    let refused = server.post(&Person::visitor(), path, body(&foreign, json!(1))).await;
    assert_eq!(refused.status, 400);
    assert_eq!(refused.body, json!({ "error": "This flow cannot be started" }));

    let own = &shown["payment_collections"][0]["id"];
    let begun = server.post(&Person::visitor(), path, body(own, json!(999_999))).await;

    assert_eq!(begun.status, 200, "{begun:?}");
    // The total sent by the storefront is not used.
    assert_eq!(begun.body["session"]["original_order_total"], shown["total"]);
}

#[tokio::test]
async fn a_flow_begins_only_for_the_order_of_the_cart_within_the_window_and_with_a_kept_method() {
    let (server, store, flow, cart, order) = after_order("pm_card_visa").await;
    let (other_cart, _other) = server.kept_order(&store, "pm_card_visa").await;
    let visitor = Person::visitor();
    let plain = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let unkept = server.complete(&visitor, &plain).await.ok()["order"]["id"].clone();
    let begin = async |cart: &str, order: &Value| {
        let body = json!({ "flow_id": flow["id"], "cart_id": cart, "order_id": order });
        let reply = server.post(&Person::nobody(), "/flow-builder/init", body).await;
        (reply.status, reply.body)
    };
    let refused = (400, json!({ "error": "This flow cannot be started" }));

    assert_eq!(begin(&other_cart, &order["id"]).await, refused);
    assert_eq!(begin(&plain, &unkept).await, refused);
    assert_eq!(begin(&cart, &Value::Null).await, refused);
    server.clock.advance(60 * 60_000);
    assert_eq!(begin(&cart, &order["id"]).await, refused);
}

#[tokio::test]
async fn a_declined_card_is_reported_and_the_third_one_closes_the_offer() {
    // The card was good enough for the order.
    let (server, _store, flow, cart, order) = after_order("pm_card_visa").await;
    let begun = server.begin_after(&flow, &cart, &order).await;
    spoil_card(&server).await;
    let (token, button) = (&begun["session"]["token"], &begun["entry_button"]);

    for _ in 0..2 {
        let refused = server.press("accept", token, button, json!({})).await.ok();
        assert_eq!(
            (&refused["success"], &refused["nextButton"]["key"]),
            (&json!(false), &json!("lamp"))
        );
        assert_eq!(refused["nextButton"]["notice"], "payment_declined");
    }
    let third = server.press("accept", token, button, json!({})).await.ok();

    assert_eq!(
        (&third["success"], &third["nextButton"]["notice"]),
        (&json!(false), &json!("offer_closed"))
    );
    assert_eq!(third["nextButton"]["key"], "why");
    assert_eq!(server.number("select count(*) from payment").await, 1);
    assert_eq!(server.number("select count(*) from orders").await, 1);
    assert_eq!(server.number("select count(*) from reservation where deleted_at is null").await, 1);
    let shown = server.order_of(&order).await;
    assert_eq!(shown["items"].as_array().map(Vec::len), Some(1));
    server.assert_sound().await;
}

#[tokio::test]
async fn a_card_that_asks_the_shopper_is_charged_after_the_second_press() {
    let (server, store) = TestServer::with_store().await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    let (cart, order) = server.kept_order(&store, "pm_card_visa").await;
    let begun = server.begin_after(&flow, &cart, &order).await;
    change_card(&server, "pm_card_requires_action").await;
    let (token, button) = (&begun["session"]["token"], &begun["entry_button"]);

    let asked = server.press("accept", token, button, json!({})).await.ok();
    let before = server.number("select count(*) from payment").await;
    let charged = server.press("accept", token, button, json!({})).await.ok();

    assert_eq!((&asked["success"], &asked["nextButton"]["key"]), (&json!(false), &json!("lamp")));
    assert_eq!(asked["nextButton"]["notice"], "requires_action");
    let action = &asked["nextButton"]["action"];
    assert_eq!(action["payment_provider_id"], "pp_sandbox");
    assert!(action["client_secret"].is_string(), "{asked:#}");
    assert_eq!(before, 1);
    let outcome = (&charged["success"], &charged["nextButton"]["key"]);
    assert_eq!(outcome, (&json!(true), &json!("why")), "{charged:#}");
    assert_eq!(server.number("select count(*) from payment").await, 2);
    server.assert_sound().await;
}

/// Replaces the saved card by one that is refused.
async fn spoil_card(server: &TestServer) {
    change_card(server, "pm_card_declined").await;
}

/// Replaces the saved card by another one.
pub(super) async fn change_card(server: &TestServer, test_card: &'static str) {
    let other = server.other_process();
    let changed = other.write(move |tx| {
        let sql = "update payment set data = json_set(data, '$.payment_method', ?1)";
        Ok::<_, quotient_server::database::Error>(tx.execute(sql, [test_card])?)
    });
    assert_eq!(changed.await.expect("a write"), 1);
}

#[tokio::test]
async fn a_declined_offer_charges_nothing_and_cannot_be_accepted_afterwards() {
    let (server, _store, flow, cart, order) = after_order("pm_card_visa").await;
    let begun = server.begin_after(&flow, &cart, &order).await;
    let (token, button) = (&begun["session"]["token"], &begun["entry_button"]);

    let declined = server.press("decline", token, button, json!({})).await.ok();
    let again = server.press("decline", token, button, json!({})).await.ok();
    let accepted = server.press("accept", token, button, json!({})).await;

    assert_eq!(declined, again);
    assert_eq!(declined["nextButton"]["key"], "why");
    assert_eq!(accepted.status, 409);
    assert_eq!(server.number("select count(*) from payment").await, 1);
}

#[tokio::test]
async fn an_offer_ends_with_the_window_and_when_the_parcel_is_begun() {
    let (server, store, flow, cart, order) = after_order("pm_card_visa").await;
    let begun = server.begin_after(&flow, &cart, &order).await;
    let (late_cart, late) = server.kept_order(&store, "pm_card_visa").await;
    let late_begun = server.begin_after(&flow, &late_cart, &late).await;
    let id = order["id"].as_str().expect("an id");
    let line = server.order_of(&order).await["items"][0]["id"].clone();
    let parcel = json!({ "items": [{ "id": line, "quantity": 1 }], "location_id": store.location });
    server.post(&Person::admin(), &format!("/admin/orders/{id}/fulfillments"), parcel).await.ok();

    let begun_parcel = server
        .press("accept", &begun["session"]["token"], &begun["entry_button"], json!({}))
        .await
        .ok();
    server.clock.advance(60 * 60_000);
    let too_late = server
        .press("accept", &late_begun["session"]["token"], &late_begun["entry_button"], json!({}))
        .await
        .ok();

    for closed in [begun_parcel, too_late] {
        assert_eq!(closed["success"], false);
        assert_eq!(closed["nextButton"]["notice"], "offer_closed");
    }
    assert_eq!(server.number("select count(*) from payment").await, 2);
}

#[tokio::test]
async fn a_canceled_order_ends_its_sessions_and_idle_ones_expire() {
    let (server, store, flow, cart, order) = after_order("pm_card_visa").await;
    server.only_job("flows.recover").await;
    let begun = server.begin_after(&flow, &cart, &order).await;
    let (idle_cart, idle) = server.kept_order(&store, "pm_card_visa").await;
    server.begin_after(&flow, &idle_cart, &idle).await;
    let id = order["id"].as_str().expect("an id");
    server.post(&Person::admin(), &format!("/admin/orders/{id}/cancel"), json!({})).await.ok();

    let pressed =
        server.press("accept", &begun["session"]["token"], &begun["entry_button"], json!({})).await;
    server.clock.advance(60 * 60_000);
    server.work().await;

    assert_eq!(pressed.status, 401);
    assert_eq!(pressed.body, json!({ "error": "The session is over" }));
    assert_eq!(
        server.number("select count(*) from flow_session where status = 'expired'").await,
        2
    );
    assert_eq!(server.events_named("flow.expired").await, 2);
}
