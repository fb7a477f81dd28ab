//! What is paid for is neither charged twice nor made longer by the customer.

use serde_json::json;

use crate::harness::TestServer;

#[tokio::test]
async fn access_that_is_still_paid_for_is_not_charged_when_it_is_resumed_now() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "kind": "access" })).await;
    server.pass(10).await;
    server.act(&id, "pause", json!({})).await.ok();

    let resumed = server.act(&id, "resume", json!({ "from": "now" })).await.ok();

    assert_eq!(resumed["subscription"]["next_billing_at"], "2026-12-21T12:00:00.000Z");
    assert_eq!(server.number("select count(*) from orders").await, 1);
    server.pass(20).await;
    assert_eq!(server.number("select count(*) from orders").await, 2);
    server.assert_sound().await;
}
