//! Settings of storefronts.

use serde_json::json;

use super::header;
use crate::harness::{Person, TestServer};

const SETTINGS: &str = "/admin/storefront-settings";

#[tokio::test]
async fn a_storefront_reads_the_analytics_and_the_values_of_its_channel() {
    let (server, store) = TestServer::with_store().await;
    let config = server.get(&Person::visitor(), "/store/analytics/config").await.ok();
    assert_eq!(config, json!({ "provider": "none", "config": {} }));
    assert_eq!(server.get(&Person::visitor(), "/store/custom").await.ok(), json!({ "custom": {} }));

    let body = json!({
        "sales_channel_id": store.channel, "analytics": { "provider": "quotient", "consent_required": true },
        "custom": { "notice": "Closed on Monday.", "switches": { "gifts": true } },
    });
    server.post(&Person::admin(), SETTINGS, body.clone()).await.ok();
    server.post(&Person::admin(), SETTINGS, body).await.refused(409);
    let reply = server.get(&Person::visitor(), "/store/analytics/config").await;
    assert_eq!(header(&reply, "vary"), "x-publishable-api-key");
    let tag = header(&reply, "etag").to_owned();
    let expected = json!({ "endpoint": "/store/tracking/events", "consent_required": true });
    assert_eq!(reply.ok(), json!({ "provider": "quotient", "config": expected }));
    let custom = server.get(&Person::visitor(), "/store/custom").await.ok();
    assert_eq!(custom["custom"]["switches"]["gifts"], true);

    let again = Person::visitor().with_header("if-none-match", &tag);
    assert_eq!(server.get(&again, "/store/analytics/config").await.status, 304);
    let path = format!("{SETTINGS}/{}", store.channel);
    let analytics = json!({ "provider": "matomo", "id": "7", "host": "https://m.example" });
    server
        .post(&Person::admin(), &path, json!({ "analytics": analytics, "custom": {} }))
        .await
        .ok();
    let config = server.get(&again, "/store/analytics/config").await.ok();
    let expected = json!({ "id": "7", "host": "https://m.example", "consent_required": false });
    assert_eq!(config, json!({ "provider": "matomo", "config": expected }));
}

#[tokio::test]
async fn secrets_and_oversized_values_are_refused() {
    let (server, store) = TestServer::with_store().await;
    for (field, value) in [
        ("analytics", json!({ "provider": "ga4" })),
        ("analytics", json!({ "provider": "ga4", "id": "sk_live_1" })),
        ("analytics", json!({ "provider": "ga4", "id": "x".repeat(201) })),
        ("analytics", json!({ "provider": "ga4", "id": "G-1", "host": "http://a.example" })),
        ("analytics", json!({ "provider": "unknown", "id": "1" })),
        ("analytics", json!({ "provider": "none", "secret": "x" })),
        ("custom", json!({ "key": "-----BEGIN PRIVATE KEY-----" })),
        ("custom", json!({ "deep": [{ "key": "whsec_abc" }] })),
        ("custom", json!({ "long": "x".repeat(17_000) })),
        ("custom", json!([])),
    ] {
        let body = json!({ "sales_channel_id": store.channel, field: value });
        server.post(&Person::admin(), SETTINGS, body).await.refused(400);
    }
    let nowhere = json!({ "sales_channel_id": "sc_01JD2Q8Z5M6T3W9XKCV4B7NZZZ" });
    server.post(&Person::admin(), SETTINGS, nowhere).await.refused(400);
    let list = server.get(&Person::viewer(), SETTINGS).await.ok();
    assert_eq!(list["count"], 0);
}
