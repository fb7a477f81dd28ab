//! Money that arrives for a charge after it was refused, and what the shopper needs for paying.

use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};
use crate::webhooks::{SIGNED, charge};

/// The amount of a renewal of one mug, in pence.
async fn amount_minor(server: &TestServer) -> i64 {
    server
        .number("select amount_minor from subscription_attempt order by requested_at limit 1")
        .await
}

/// A subscription whose renewal waits for the shopper.
async fn unauthenticated() -> (TestServer, Store, String) {
    let (server, store) = TestServer::with_store_and(&SIGNED).await;
    server.only_renews().await;
    let id = server.subscribed(&store, json!({})).await;
    server.need_holder().await;
    server.pass(30).await;
    (server, store, id)
}

/// The success of the last refused charge, as the processor reports it.
async fn success(server: &TestServer, event: &str) -> Value {
    let attempt = server
        .word("select id from subscription_attempt where status = 'refused' order by number desc");
    let intent = server.word(
        "select data ->> 'id' from payment_session where id =
           (select payment_session_id from subscription_attempt where status = 'refused' order by number desc)",
    );
    let amount_minor = amount_minor(server).await;
    json!({
        "id": event, "type": "payment_intent.succeeded", "created": 9, "livemode": false, "data": { "object": {
            "id": intent.await, "amount": amount_minor, "amount_received": amount_minor, "currency": "gbp",
            "metadata": { "session_id": attempt.await },
        } },
    })
}

/// Runs the jobs that give money back.
async fn give_back(server: &TestServer) {
    server.sql("update job set run_at = 1 where kind = 'payments.cancel_parked'").await;
    server.work().await;
}

#[tokio::test]
async fn a_customer_authenticates_the_card_and_the_cycle_is_paid() {
    let (server, _, id) = unauthenticated().await;

    let shown = server.mine(&id).await;
    let action = &shown["dunning"]["action"];
    assert_eq!(
        (&action["type"], &action["provider_id"]),
        (&json!("authenticate"), &json!("pp_sandbox"))
    );
    assert!(action["client_secret"].as_str().unwrap().ends_with("_secret"), "{shown}");
    let address = super::address("Leeds", "gb");
    let moved = server.act(&id, "change-address", address.clone()).await.ok();
    assert_eq!(moved["subscription"]["dunning"]["action"], *action);
    let path = format!("/admin/subscriptions/{id}");
    let moved = server.post(&Person::program(), &format!("{path}/change-address"), address).await;
    assert_eq!(moved.ok()["subscription"]["dunning"]["action"], json!(null));
    let others = server.get(&Person::program(), &path).await.ok();
    assert_eq!(others["subscription"]["dunning"]["last_reason"], "authentication_required");
    assert_eq!(others["subscription"]["dunning"]["action"], json!(null));
    let retried =
        server.post(&Person::program(), &format!("{path}/retry-payment"), json!({})).await;
    assert!(!retried.body.to_string().contains("_secret"), "{retried:?}");

    let event = success(&server, "evt_1").await;
    let applied = charge(&server, &event).await.ok();
    assert_eq!(applied["action"], "captured", "{applied}");
    let mut again = event.clone();
    again["id"] = json!("evt_2");
    charge(&server, &again).await.ok();

    let paid = server.mine(&id).await;
    assert_eq!((&paid["status"], &paid["dunning"]), (&json!("active"), &json!(null)), "{paid}");
    assert_eq!(server.number("select count(*) from orders").await, 2);
    assert_eq!(
        server.number("select sum(captured_minor) from payment_collection").await,
        server.number("select sum(total_minor) from orders").await
    );
    give_back(&server).await;
    assert_eq!(server.events_named("payment.returned_without_order").await, 0);

    let intent = event["data"]["object"]["id"].clone();
    let refund = json!({
        "id": "evt_3", "type": "charge.refunded", "created": 11, "livemode": false, "data": { "object": {
            "id": "ch_1", "amount": event["data"]["object"]["amount"],
            "amount_captured": event["data"]["object"]["amount"], "amount_refunded": 100, "currency": "gbp",
            "payment_intent": intent, "metadata": event["data"]["object"]["metadata"],
        } },
    });
    charge(&server, &refund).await.ok();
    assert_eq!(server.number("select sum(amount_minor) from refund").await, 100);
    server.assert_sound().await;
}

#[tokio::test]
async fn money_that_arrives_after_the_end_is_given_back_once() {
    let (server, _, id) = unauthenticated().await;
    let event = success(&server, "evt_1").await;
    server.pass(8).await;
    assert_eq!(server.mine(&id).await["status"], "canceled");

    charge(&server, &event).await.ok();
    for number in 2..5 {
        let mut again = event.clone();
        again["id"] = json!(format!("evt_{number}"));
        assert_eq!(charge(&server, &again).await.ok()["reason"], "already_applied");
        give_back(&server).await;
    }

    assert_eq!(server.events_named("payment.returned_without_order").await, 1);
    assert_eq!(server.number("select count(*) from orders").await, 1);
    assert_eq!(
        server.number("select count(*) from job where kind = 'payments.cancel_parked'").await,
        0
    );
    let failed = "select count(*) from webhook_delivery where status in ('failed', 'dead')";
    assert_eq!(server.number(failed).await, 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn money_for_a_cycle_that_another_card_has_paid_is_given_back() {
    let (server, _, id) = unauthenticated().await;
    let event = success(&server, "evt_1").await;
    let good = server.save_card("pm_card_visa").await;
    let body = json!({ "payment_method_reference": good });
    assert_eq!(server.act(&id, "retry-payment", body).await.ok()["type"], "paid");

    charge(&server, &event).await.ok();
    give_back(&server).await;

    assert_eq!(server.events_named("payment.returned_without_order").await, 1);
    assert_eq!(server.number("select count(*) from orders").await, 2);
    server.assert_sound().await;
}

#[tokio::test]
async fn the_days_of_attempts_notices_and_reminders_can_be_configured() {
    let (server, store) = TestServer::with_store_and(&[
        "--subscription-retry-days=2,4",
        "--subscription-price-notice-days=7",
        "--subscription-reminder-days=5",
    ])
    .await;
    server.only_renews().await;
    let id = server.subscribed(&store, json!({})).await;
    let reprice = format!("/admin/subscriptions/{id}/reprice");
    let at = |days: i64| {
        let at = server.clock.now().plus_ms(days * 24 * 60 * 60 * 1_000);
        json!({ "at": at.to_string() })
    };
    let message = server.post(&Person::program(), &reprice, at(6)).await.refused(400);
    assert!(message.contains("7 days"), "{message}");
    server.post(&Person::program(), &reprice, at(8)).await.ok();
    server.lose_card().await;

    server.pass(24).await;
    assert_eq!(server.events_named("subscription.upcoming").await, 0);
    server.pass(1).await;
    assert_eq!(server.events_named("subscription.upcoming").await, 1);
    server.pass(5).await;
    assert_eq!(server.mine(&id).await["dunning"]["next_attempt_at"], "2026-12-23T12:00:00.000Z");
    server.pass(4).await;
    let ended = server.mine(&id).await;
    assert_eq!(
        (&ended["status"], &ended["cycles"][0]["attempts"]),
        (&json!("canceled"), &json!(3))
    );
}
