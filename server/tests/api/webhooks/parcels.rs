//! News of parcels: it creates fulfillments and shipments, once, in any order.

use serde_json::{Value, json};

use super::*;
use crate::harness::{Person, TestServer};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

fn shipped(reference: &Value, number: &str) -> Value {
    json!({ "cust_ref": reference, "order_status": "shipped", "carrier": "DHL", "tracking_no": number })
}

async fn partner(server: &TestServer, id: &str, event: &Value) -> Value {
    let body = event.to_string();
    let headers = standard(SECRET, (id, now_s(server)), &body);
    deliver(server, PARTNER, &headers, body.as_bytes()).await.ok()
}

fn parcel(paid: &Paid, state: &str, at: &str) -> Value {
    json!({ "type": format!("shipment.{state}"), "data": {
        "order_id": paid.order, "carrier": "UPS", "tracking_number": "1Z", "occurred_at": at,
        "tracking_url": "https://ups.example/1Z",
    } })
}

#[tokio::test]
async fn parcels_of_the_warehouse_are_fulfilled_and_shipped() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;

    let kept = update(&server, &shipped(&json!(paid.number), "TRK1")).await;
    assert_eq!(kept, json!({ "received": true, "mode": "record", "routed": true }));
    assert_eq!(order(&server, &paid.order).await["fulfillment_status"], "not_fulfilled");
    server.tell().await;

    let view = order(&server, &paid.order).await;
    assert_eq!(view["fulfillment_status"], "shipped");
    assert_eq!(view["fulfillments"][0]["labels"][0]["tracking_number"], "TRK1");
    assert_eq!(events(&server, "shipment.").await, ["shipment.status_changed", "shipment.created"]);
    let row = deliveries(&server, &format!("order_id={}", paid.order)).await.remove(0);
    assert_eq!(row["status"], "handled");
    assert_eq!(row["effect"]["fulfillment_id"], view["fulfillments"][0]["id"]);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_hundred_times_the_same_is_one_fulfillment() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    let news = shipped(&json!(paid.order), "TRK1");
    for _ in 0..100 {
        update(&server, &news).await;
    }
    // Another message about the same parcel.
    let again = json!({ "cust_ref": paid.order, "order_status": "SHIPPED", "carrier": "DHL", "tracking_no": "TRK1",
        "sent": "once more" });
    update(&server, &again).await;
    server.tell().await;

    let view = order(&server, &paid.order).await;
    assert_eq!(view["fulfillments"].as_array().map(Vec::len), Some(1));
    assert_eq!(view["fulfillments"][0]["labels"].as_array().map(Vec::len), Some(1));
    assert_eq!(server.number("select count(*) from webhook_delivery").await, 2);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_sku_may_be_named_for_each_of_its_pieces() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    let mut news = parcel(&paid, "shipped", "2026-11-21T12:00:00Z");
    news["data"]["items"] =
        json!([{ "sku": "MUG", "quantity": 1 }, { "sku": "MUG", "quantity": 1 }]);

    partner(&server, "msg_1", &news).await;
    server.tell().await;

    assert_eq!(order(&server, &paid.order).await["fulfillment_status"], "shipped");
    assert_eq!(server.number("select sum(quantity) from fulfillment_line").await, 2);
    assert_eq!(deliveries(&server, "status=handled").await.len(), 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn an_older_message_after_a_newer_one_takes_nothing_back() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    server.clock.advance(2 * DAY_MS);
    for (id, state, at) in [
        ("msg_3", "delivered", "2026-11-22T15:00:00Z"),
        ("msg_2", "shipped", "2026-11-21T18:00:00Z"),
        ("msg_1", "canceled", "2026-11-21T13:00:00Z"),
    ] {
        partner(&server, id, &parcel(&paid, state, at)).await;
        server.tell().await;
    }

    let view = order(&server, &paid.order).await;
    assert_eq!(view["fulfillment_status"], "delivered");
    let fulfillment = &view["fulfillments"][0];
    assert_eq!(fulfillment["shipped_at"], "2026-11-21T18:00:00.000Z");
    assert_eq!(fulfillment["delivered_at"], "2026-11-22T15:00:00.000Z");
    assert_eq!(fulfillment["labels"][0]["tracking_url"], "https://ups.example/1Z");
    server.assert_sound().await;
}

#[tokio::test]
async fn parcels_have_the_items_they_name_and_adopt_packed_ones() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    let one = |number: &str| {
        let mut news = shipped(&json!(paid.order), number);
        news["items"] = json!([{ "sku": "MUG", "quantity": 1 }]);
        news
    };
    update(&server, &one("TRK1")).await;
    server.tell().await;
    assert_eq!(order(&server, &paid.order).await["fulfillment_status"], "partially_shipped");

    let view = order(&server, &paid.order).await;
    let line = view["items"][0]["id"].clone();
    let packed = json!({ "items": [{ "id": line, "quantity": 1 }] });
    server
        .post(&Person::program(), &format!("/admin/orders/{}/fulfillments", paid.order), packed)
        .await
        .ok();
    update(&server, &shipped(&json!(paid.order), "TRK2")).await;
    server.tell().await;

    let view = order(&server, &paid.order).await;
    assert_eq!(view["fulfillment_status"], "shipped");
    let numbers: Vec<&Value> = view["fulfillments"]
        .as_array()
        .expect("fulfillments")
        .iter()
        .map(|fulfillment| &fulfillment["labels"][0]["tracking_number"])
        .collect();
    assert_eq!(numbers, ["TRK1", "TRK2"]);

    update(&server, &one("TRK3")).await;
    server.tell().await;
    let failed = deliveries(&server, "status=failed").await;
    assert_eq!(failed[0]["last_error"], "the order has no 1 pieces of `MUG` left to fulfill");
    server.assert_sound().await;
}

#[tokio::test]
async fn the_platform_reports_a_parcel_by_its_number() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    update(&server, &shipped(&json!(paid.order), "TRK1")).await;
    server.tell().await;

    let body = r#"{"id":"evt_1","result":{"tracking_code":"TRK1","status":"delivered"}}"#;
    let headers = platform(PLATFORM_SECRET, body);
    let kept = deliver(&server, TRACKING, &headers, body.as_bytes()).await.ok();
    assert_eq!(kept["routed"], true);
    server.tell().await;
    assert_eq!(order(&server, &paid.order).await["fulfillment_status"], "delivered");

    let label = "/webhooks/shipping-platform/label";
    let kept = deliver(&server, label, &headers, body.as_bytes()).await.ok();
    assert_eq!(kept["routed"], true, "a repetition of the same event");
}

#[tokio::test]
async fn a_wrong_order_is_dead_after_three_days_and_an_administrator_names_the_right_one() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    let kept = update(&server, &shipped(&json!("999999"), "TRK1")).await;
    assert_eq!(kept["routed"], false);
    let row = deliveries(&server, "status=failed").await.remove(0);
    assert_eq!(row["last_error"], "its order is not known");
    let path = format!("/admin/webhook-deliveries/{}", row["id"].as_str().expect("an id"));

    only_webhooks(&server).await;
    for hours in 0..80 {
        server.clock.advance(60 * 60 * 1_000);
        server.work().await;
        let view = server.get(&Person::program(), &path).await.ok();
        let expected = if hours < 71 { "failed" } else { "dead" };
        if !(70..=74).contains(&hours) {
            assert_eq!(view["delivery"]["status"], expected, "after {hours} hours");
        }
    }
    assert_eq!(events(&server, "webhook.").await, ["webhook.dead"]);

    let routed = server
        .post(&Person::program(), &format!("{path}/route"), json!({ "order_id": paid.order }))
        .await
        .ok();
    assert_eq!(routed["delivery"]["status"], "received");
    server.work().await;
    server.tell().await;
    assert_eq!(order(&server, &paid.order).await["fulfillment_status"], "shipped");
    for _ in 0..10 {
        server.post(&Person::program(), &format!("{path}/redeliver"), json!({})).await.ok();
        server.work().await;
        server.tell().await;
    }
    let view = server.get(&Person::program(), &path).await.ok();
    assert_eq!(view["delivery"]["status"], "handled");
    assert_eq!(server.number("select count(*) from fulfillment").await, 1);
    let late = server
        .post(&Person::program(), &format!("{path}/route"), json!({ "order_id": paid.order }))
        .await;
    assert!(late.refused(400).contains("was handled already"));
    server.assert_sound().await;
}

#[tokio::test]
async fn in_capture_the_warehouse_changes_nothing_until_somebody_delivers_it() {
    let (server, store) = TestServer::with_store().await;
    server.follow().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    let kept = update(&server, &shipped(&json!(paid.order), "TRK1")).await;
    assert_eq!(kept, json!({ "received": true, "mode": "capture" }));
    server.tell().await;
    server.work().await;
    assert_eq!(order(&server, &paid.order).await["fulfillment_status"], "not_fulfilled");

    let row = deliveries(&server, "receiver=warehouse-integration").await.remove(0);
    redeliver(&server, &row).await.ok();
    server.work().await;
    server.tell().await;
    assert_eq!(order(&server, &paid.order).await["fulfillment_status"], "shipped");
}

#[tokio::test]
async fn a_report_with_items_adopts_the_fulfillment_that_has_them() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    let line = order(&server, &paid.order).await["items"][0]["id"].clone();
    let packed = json!({ "items": [{ "id": line, "quantity": 2 }] });
    let path = format!("/admin/orders/{}/fulfillments", paid.order);
    server.post(&Person::program(), &path, packed).await.ok();
    let mut news = parcel(&paid, "shipped", "2026-11-21T12:00:00Z");
    news["data"]["items"] = json!([{ "sku": "MUG", "quantity": 2 }]);

    partner(&server, "msg_1", &news).await;
    server.tell().await;

    let view = order(&server, &paid.order).await;
    assert_eq!(view["fulfillment_status"], "shipped");
    assert_eq!(view["fulfillments"][0]["labels"][0]["tracking_number"], "1Z");
    assert_eq!(server.number("select count(*) from fulfillment").await, 1);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_report_whose_items_cannot_be_read_does_not_ship_the_whole_order() {
    let (server, store) = signed_store().await;
    let paid = order_with(&server, &store, "pm_card_visa").await;
    let mut news = parcel(&paid, "shipped", "2026-11-21T12:00:00Z");
    news["data"]["items"] = json!([{ "product_sku": "MUG", "quantity": 1 }]);
    partner(&server, "msg_1", &news).await;
    server.tell().await;
    assert_eq!(order(&server, &paid.order).await["fulfillment_status"], "not_fulfilled");
    let skipped = deliveries(&server, "status=skipped").await;
    assert_eq!(skipped[0]["last_error"], "`items` cannot be read");

    news["data"]["items"] = json!([{ "sku": "MUG", "quantity": 1.0 }]);
    partner(&server, "msg_2", &news).await;
    server.tell().await;
    assert_eq!(order(&server, &paid.order).await["fulfillment_status"], "partially_shipped");
}
