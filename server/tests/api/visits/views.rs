//! `/store/products/:id/track-view`, and where its event goes.

use serde_json::{Value, json};

use super::VISIT;
use crate::harness::{Person, TestServer};
use crate::sms::NUMBER_KEY;

const CUSTOMER: &str = "cus_01JD2Q8Z5M6T3W9XKCV4B7N00A";

#[tokio::test]
async fn a_view_is_one_event_and_one_row() {
    let (server, store) = TestServer::with_store().await;
    let path = format!("/store/products/{}/track-view", store.mug_product);
    let customer = Person::customer_a().with_header("x-session-id", VISIT);
    let reply = server.post(&customer, &path, json!({ "variant_id": store.mug })).await.ok();
    assert_eq!(reply, json!({ "success": true }));
    server.post(&Person::visitor(), &path, json!({})).await.ok();

    let events = server.events("?name=product_viewed&order=created_at").await;
    assert_eq!(events.len(), 2);
    assert_eq!(
        (&events[0]["session_id"], &events[0]["variant_id"]),
        (&json!(VISIT), &json!(store.mug))
    );
    assert_eq!(server.events_named("product.viewed").await, 2);
    let other = server.other_process();
    let payload: String = other
        .read::<_, quotient_server::database::Error>(|tx| {
            Ok(tx.query_row(
                "select payload from event where name = 'product.viewed' order by seq",
                [],
                |row| row.get(0),
            )?)
        })
        .await
        .expect("an event");
    let payload: Value = serde_json::from_str(&payload).expect("JSON");
    assert_eq!(
        payload,
        json!({ "product_id": store.mug_product, "variant_id": store.mug, "customer_id": CUSTOMER,
                "session_id": VISIT, "sales_channel_id": store.channel, "at": "2026-11-21T12:00:00.000Z" })
    );
}

#[tokio::test]
async fn a_view_of_something_else_is_refused() {
    let (server, store) = TestServer::with_store().await;
    let visitor = Person::visitor();
    let path = format!("/store/products/{}/track-view", store.mug_product);
    for body in
        [json!({ "variant_id": store.lamp }), json!({ "variant_id": "mug" }), json!({ "at": 1 })]
    {
        let reply = server.post(&visitor, &path, body.clone()).await;
        assert_eq!(reply.status, 400, "{body}");
        let keys: Vec<&String> = reply.body.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["error"], "{body}");
    }
    let wrong = visitor.clone().with_header("x-session-id", "no visit");
    assert_eq!(server.post(&wrong, &path, json!({})).await.status, 400);
    let unknown = "/store/products/prod_01JD2Q8Z5M6T3W9XKCV4B7NZZZ/track-view";
    server.post(&visitor, unknown, json!({})).await.refused(404);
    server.post(&Person::nobody(), &path, json!({})).await.refused(401);
    assert_eq!(server.number("select count(*) from visit_event").await, 0);
}

#[tokio::test]
async fn views_are_reported_to_the_message_provider_once_in_five_minutes() {
    let outbox = tempfile::NamedTempFile::new().expect("a file");
    let path = format!("--sms-sandbox-outbox={}", outbox.path().display());
    let settings = ["--sms-provider=sandbox", NUMBER_KEY, "--sms-double-opt-in=false", &path];
    let (server, store) = TestServer::with_store_and(&settings).await;
    server.follow().await;
    let view = format!("/store/products/{}/track-view", store.mug_product);
    let told = || std::fs::read_to_string(outbox.path()).expect("text").matches("view\t").count();
    server.post(&Person::customer_a(), &view, json!({})).await.ok();
    server.tell().await;
    server.work().await;
    assert_eq!(told(), 0, "the customer has not agreed");

    let consent = json!({ "phone": "+4915112345678", "consent": true });
    server.post(&Person::customer_a(), "/store/sms-marketing/opt-in", consent).await.ok();
    for person in
        [Person::customer_a(), Person::customer_a(), Person::visitor(), Person::customer_b()]
    {
        server.post(&person, &view, json!({})).await.ok();
        server.tell().await;
        server.work().await;
    }
    assert_eq!(told(), 1);
}
