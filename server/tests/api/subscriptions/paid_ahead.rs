//! What is paid for is neither charged twice nor made longer by the customer.

use serde_json::json;

use crate::harness::{Person, TestServer};

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

#[tokio::test]
async fn a_customer_bills_sooner_than_planned_after_a_pause() {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({ "kind": "access" })).await;
    server.pass(10).await;
    server.act(&id, "pause", json!({})).await.ok();
    server.pass(35).await;
    server.act(&id, "resume", json!({})).await.ok();
    let on = |day: &str| json!({ "next_billing_date": day });

    server.act(&id, "change-frequency", on("2027-01-22")).await.refused(400);
    let moved = server.act(&id, "change-frequency", on("2027-01-10")).await.ok();

    let next = moved["subscription"]["next_billing_at"].as_str().expect("a date");
    assert!(next.starts_with("2027-01-10"), "{next}");
}

#[tokio::test]
async fn a_customer_does_not_make_a_trial_or_paid_access_longer_but_an_admin_does() {
    for (plan, last, later) in [
        (json!({ "trial_days": 14 }), "2026-12-05", "2026-12-06"),
        (json!({ "kind": "access" }), "2026-12-21", "2026-12-22"),
    ] {
        let (server, store) = TestServer::for_years().await;
        let id = server.subscribed(&store, plan).await;
        let on = |day: &str| json!({ "next_billing_date": day });

        let refused = server.act(&id, "change-frequency", on(later)).await.refused(400);

        assert!(refused.contains("not after the end of"), "{refused}");
        server.act(&id, "change-frequency", on(last)).await.ok();
        let path = format!("/admin/subscriptions/{id}/change-frequency");
        let moved = server.post(&Person::admin(), &path, on(later)).await.ok();
        let next = moved["subscription"]["next_billing_at"].as_str().expect("a date");
        assert!(next.starts_with(later), "{next}");
    }
}
