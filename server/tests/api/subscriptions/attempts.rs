//! Which attempts to charge an unpaid cycle are made, and by whom.

use serde_json::json;

use super::DAY_MS;
use crate::harness::{Person, TestServer};

/// A subscription whose renewal was refused.
async fn refused() -> (TestServer, String) {
    let (server, store) = TestServer::for_years().await;
    let id = server.subscribed(&store, json!({})).await;
    server.lose_card().await;
    server.pass(30).await;
    (server, id)
}

#[tokio::test]
async fn a_card_that_is_lost_or_closed_is_not_charged_again() {
    let (first, id) = refused().await;
    for (reason, attempts) in [
        ("lost_card", 1),
        ("stolen_card", 1),
        ("pickup_card", 1),
        ("revocation_of_authorization", 1),
        ("revocation_of_all_authorizations", 1),
        ("account_closed", 1),
        ("invalid_account", 1),
        ("incorrect_number", 1),
        ("invalid_number", 1),
        ("provider_disabled", 1),
        ("insufficient_funds", 2),
    ] {
        let server = first.twin(&[]).await;
        server.sql(format!("update subscription_attempt set reason = '{reason}'")).await;

        server.pass(1).await;

        let tried = server.mine(&id).await;
        assert_eq!(tried["cycles"][0]["attempts"], attempts, "{reason}");
        assert_eq!(tried["dunning"]["next_attempt_at"], "2026-12-24T12:00:00.000Z", "{reason}");
        server.assert_sound().await;
    }
}

#[tokio::test]
async fn the_limit_of_attempts_is_a_customers_for_a_day() {
    let (server, id) = refused().await;
    for _ in 0..5 {
        server.act(&id, "retry-payment", json!({})).await.refused(422);
    }
    assert_eq!(server.act(&id, "retry-payment", json!({})).await.status, 429);

    let path = format!("/admin/subscriptions/{id}/retry-payment");
    server.post(&Person::admin(), &path, json!({})).await.refused(422);
    server.clock.advance(DAY_MS - 1);
    assert_eq!(server.act(&id, "retry-payment", json!({})).await.status, 429);
    server.clock.advance(1);
    server.act(&id, "retry-payment", json!({})).await.refused(422);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_retry_that_the_provider_does_not_answer_is_charged_once_when_it_does() {
    let (server, store, ledger) = TestServer::with_ledger(&[]).await;
    server.only_renews().await;
    let id = server.subscribed(&store, json!({})).await;
    let good = server.save_card("pm_card_visa").await;
    server.lose_card().await;
    server.pass(30).await;
    std::fs::remove_file(&ledger).expect("the ledger");
    std::fs::create_dir(&ledger).expect("a folder in the place of the ledger");

    let retry = json!({ "payment_method_reference": good });
    let retried = server.act(&id, "retry-payment", retry.clone()).await.ok();
    assert_eq!(retried["type"], "processing", "{retried}");
    assert_eq!(server.act(&id, "retry-payment", retry).await.status, 409);
    std::fs::remove_dir(&ledger).expect("the folder");
    server.clock.advance(60_000);
    server.work().await;

    let paid = server.mine(&id).await;
    assert_eq!((&paid["status"], &paid["cycles"][0]["attempts"]), (&json!("active"), &json!(2)));
    assert_eq!(server.number("select count(*) from orders").await, 2);
    let moved = std::fs::read_to_string(&ledger).expect("the ledger");
    assert!(moved.starts_with("capture") && moved.lines().count() == 1, "{moved}");
    server.assert_sound().await;
}
