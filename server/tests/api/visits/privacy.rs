//! Consent, and what is not stored without it.

use serde_json::{Value, json};

use super::VISIT;
use crate::harness::{Person, TestServer};

/// An event with a lot of data.
fn telling() -> Value {
    json!({
        "name": "page_viewed", "event_id": "event-of-somebody", "properties": { "place": "secret-place" },
        "cart_id": "cart_01JD2Q8Z5M6T3W9XKCV4B7N00A", "order_id": "order_01JD2Q8Z5M6T3W9XKCV4B7N00A",
        "context": { "utm_source": "secret-source" },
    })
}

#[tokio::test]
async fn without_consent_no_identity_is_stored() {
    for (settings, headers, consent) in [
        (&[][..], &[("sec-gpc", "1")][..], json!({ "analytics": true })),
        (&[], &[], json!({ "analytics": false })),
        (&["--tracking-consent-required=true"], &[], Value::Null),
    ] {
        let (server, _store) = TestServer::with_store_and(settings).await;
        let mut body = telling();
        body["consent"] = consent.clone();
        let headers = [headers, &[("x-session-id", VISIT)]].concat();
        let reply = server.track_with(&Person::customer_a(), &headers, &body).await;
        assert_eq!(reply.status, 202, "{reply:#?}");

        let events = server.events("").await;
        assert_eq!(events.len(), 1, "it is counted");
        for field in ["session_id", "customer_id", "cart_id", "order_id"] {
            assert_eq!(events[0][field], Value::Null, "{field}, {consent}");
        }
        assert_eq!(events[0]["properties"], json!({}));
        assert_eq!(server.number("select count(*) from visit").await, 0);
        let secrets = [VISIT, "event-of-somebody", "secret-place", "secret-source"];
        assert_eq!(server.at_rest(&secrets).await, Vec::<&str>::new(), "{consent}");
    }
}

#[tokio::test]
async fn a_sales_channel_that_asks_for_a_consent_gets_nobody_without_one() {
    let (server, store) = TestServer::with_store().await;
    let channel = server.second_channel().await;
    let analytics = json!({ "provider": "quotient", "consent_required": true });
    let body = json!({ "sales_channel_id": channel, "analytics": analytics });
    server.post(&Person::admin(), "/admin/storefront-settings", body).await.ok();

    server.track(&Person::customer_a(), telling()).await;
    let visit = Person::customer_a().with_header("x-session-id", VISIT);
    let path = format!("/store/products/{}/track-view", store.mug_product);
    server.post(&visit, &path, json!({})).await.ok();
    let events = server.events("").await;
    assert_eq!(events.len(), 2, "both are counted");
    for event in events {
        assert_eq!((&event["session_id"], &event["customer_id"]), (&Value::Null, &Value::Null));
    }
    assert_eq!(server.number("select count(*) from visit").await, 0);

    let mut body = telling();
    body["consent"] = json!({ "analytics": true });
    body["event_id"] = json!("another event");
    server.track(&Person::visitor(), body).await;
    assert_eq!(server.number("select count(*) from visit").await, 1, "with a consent");
}

#[tokio::test]
async fn with_consent_everything_is_stored() {
    let (server, _store) = TestServer::with_store_and(&["--tracking-consent-required=true"]).await;
    let mut body = telling();
    body["consent"] = json!({ "analytics": true });
    server.track(&Person::visitor(), body).await;
    assert_eq!(server.events("").await[0]["session_id"], VISIT);
}

#[tokio::test]
async fn crawlers_are_answered_and_not_counted() {
    let (server, store) = TestServer::with_store().await;
    let agent = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    let reply = server.track_with(&Person::visitor(), &[("user-agent", agent)], &telling()).await;
    assert_eq!((reply.status, &reply.body["event_id"]), (202, &json!("event-of-somebody")));
    let crawler = Person::visitor().with_header("user-agent", agent);
    let path = format!("/store/products/{}/track-view", store.mug_product);
    server.post(&crawler, &path, json!({})).await.ok();
    assert_eq!(server.number("select count(*) from visit_event").await, 0);
}

#[tokio::test]
async fn the_ids_of_campaigns_and_ads_are_stored() {
    let (server, _store) = TestServer::with_store().await;
    let context = json!({ "utm_campaign": "23851234567890123", "utm_content": "120210123456",
                          "utm_term": "020 7946 0018" });
    server.track(&Person::visitor(), json!({ "name": "page_viewed", "context": context })).await;
    let kept = "select count(*) from visit where utm_campaign = '23851234567890123'
        and utm_content = '120210123456' and utm_term = '[removed]'";
    assert_eq!(server.number(kept).await, 1);
}

#[tokio::test]
async fn personal_looking_properties_are_omitted() {
    let (server, _store) = TestServer::with_store().await;
    let properties = json!({
        "query": "ada@example.com", "help": "call 020 7946 0018", "card": "4242 4242 4242 4242",
        "nested": { "mail": "mailto:ada@example.com" }, "fine": "two mugs", "day": "2026-11-24",
    });
    server
        .track(&Person::visitor(), json!({ "name": "search_submitted", "properties": properties }))
        .await;
    let kept = server.events("").await[0]["properties"].clone();
    let removed = "[removed]";
    assert_eq!(
        kept,
        json!({ "query": removed, "help": removed, "card": removed, "nested": { "mail": removed },
                "fine": "two mugs", "day": "2026-11-24" })
    );
}
