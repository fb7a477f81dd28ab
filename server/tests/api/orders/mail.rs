//! E-mails about orders.

use serde_json::json;

use crate::harness::{Person, PostOffice, ReceivedMail, Store, TestServer};

/// A store that sells, with a mail server beside it.
async fn selling() -> (TestServer, Store, PostOffice) {
    let office = PostOffice::refusing(0).await;
    let settings = office.settings();
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let (server, store) = TestServer::with_store_and(&settings).await;
    server.follow().await;
    (server, store, office)
}

/// Returns the next e-mail about what has happened.
async fn mailed(server: &TestServer, office: &mut PostOffice) -> ReceivedMail {
    server.tell().await;
    server.work().await;
    office.next().await
}

#[tokio::test]
async fn a_customer_gets_mail_about_the_order_and_its_shipment() {
    let (server, store, mut office) = selling().await;
    let visitor = Person::visitor();
    let cart = server.ready_cart(&visitor, &store, &store.mug, 2).await;
    let order = server.complete(&visitor, &cart).await.ok()["order"].clone();
    let id = order["id"].as_str().expect("an order");

    let message = mailed(&server, &mut office).await;
    assert_eq!(message.to, ["TO:<ada@example.com>"]);
    for part in ["Your order 1", "multipart/alternative", "Total  43.12 GBP", "text/html"] {
        assert!(message.text.contains(part), "{part}: {}", message.text);
    }

    let items = json!([{ "id": order["items"][0]["id"], "quantity": 2 }]);
    let path = format!("/admin/orders/{id}/fulfillments");
    let body = json!({ "items": items, "location_id": store.location });
    let packed = server.post(&Person::admin(), &path, body).await.ok();
    let parcel = packed["order"]["fulfillments"][0]["id"].as_str().expect("a parcel");
    let labels = json!([{ "tracking_number": "TRK1", "tracking_url": "#", "label_url": "#" }]);
    let path = format!("{path}/{parcel}/shipments");
    server.post(&Person::admin(), &path, json!({ "labels": labels })).await.ok();

    let message = mailed(&server, &mut office).await;
    for part in ["have shipped", "TRK1"] {
        assert!(message.text.contains(part), "{part}: {}", message.text);
    }
}

#[tokio::test]
async fn orders_without_notification_send_no_mail() {
    let (server, store, mut office) = selling().await;
    let (admin, visitor) = (Person::admin(), Person::visitor());
    let quiet = json!({
        "region_id": store.britain, "email": "ada@example.com", "no_notification_order": true,
        "items": [{ "title": "A favour", "quantity": 1, "unit_price": 5 }],
    });
    let quiet = server.post(&admin, "/admin/orders", quiet).await.ok();
    assert_eq!(quiet["order"]["display_id"], 1);

    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    let order = server.complete(&visitor, &cart).await.ok()["order"].clone();
    let message = mailed(&server, &mut office).await;
    assert!(message.text.contains("Your order 2"), "not of the first");

    let path = format!("/admin/orders/{}/fulfillments", order["id"].as_str().expect("an order"));
    let items = json!([{ "id": order["items"][0]["id"], "quantity": 1 }]);
    let body = json!({ "items": items, "location_id": store.location });
    let packed = server.post(&admin, &path, body).await.ok();
    let parcel = packed["order"]["fulfillments"][0]["id"].as_str().expect("a parcel");
    let path = format!("{path}/{parcel}/shipments");
    server.post(&admin, &path, json!({ "no_notification": true })).await.ok();

    let cart = server.ready_cart(&visitor, &store, &store.mug, 1).await;
    server.complete(&visitor, &cart).await.ok();
    let message = mailed(&server, &mut office).await;
    assert!(message.text.contains("Your order 3"), "not of the shipment");
}
