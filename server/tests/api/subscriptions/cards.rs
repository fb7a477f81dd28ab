//! Saved cards that are removed while they pay for a subscription.

use serde_json::{Value, json};

use crate::harness::{Person, Store, TestServer};
use crate::webhooks::{SIGNED, charge};

/// A store whose processor signs, with a subscription that is paid with a card ending in 4242.
async fn subscribed() -> (TestServer, Store, String) {
    let (server, store) = TestServer::with_store_and(&SIGNED).await;
    server.only_renews().await;
    server.follow().await;
    let id = server.subscribed(&store, json!({})).await;
    server.tell().await;
    (server, store, id)
}

impl TestServer {
    /// The processor reports that a card was removed there.
    async fn detach(&self, reference: &str) {
        let event = json!({
            "id": format!("evt_{reference}"), "type": "payment_method.detached", "created": 1, "livemode": false,
            "data": { "object": { "id": reference } },
        });
        let told = charge(self, &event).await.ok();
        assert_eq!(told["action"], "method_changed", "{told}");
    }

    /// Has a subscription paid with a card of the customer from the next cycle on.
    async fn pay_from_now_on_with(&self, id: &str, reference: &str) {
        let body = json!({ "payment_method_reference": reference });
        assert_eq!(self.act(id, "retry-payment", body).await.ok()["type"], "nothing_due");
    }

    /// Returns the last digits of the card that pays for a subscription.
    async fn digits(&self, id: &str) -> Value {
        self.mine(id).await["payment_method"]["last4"].clone()
    }

    /// Returns the reference of the card that pays for a subscription.
    async fn reference(&self, id: &str) -> String {
        super::text(&self.mine(id).await["payment_method"]["reference"])
    }
}

#[tokio::test]
async fn another_card_pays_in_place_of_one_that_is_removed_at_the_processor() {
    let (server, _store, id) = subscribed().await;
    server.save_card("pm_card_authorize_only").await;
    let removed = server.reference(&id).await;

    server.detach(&removed).await;

    assert_eq!(server.digits(&id).await, "0077");
    server.pass(31).await;
    let renewed = server.mine(&id).await;
    assert_eq!((&renewed["status"], &renewed["cycle"]), (&json!("active"), &json!(2)), "{renewed}");
    assert_eq!(renewed["cycles"][0]["attempts"], 1);
    assert_eq!(server.events_named("subscription.payment_failed").await, 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn the_default_card_comes_first_and_an_expired_one_last() {
    let (server, _store, id) = subscribed().await;
    let first = server.reference(&id).await;
    let second = server.save_card("pm_card_authorize_only").await;
    for card in ["pm_card_declined", "pm_card_requires_action", "pm_card_fails_late"] {
        server.clock.advance(1_000);
        server.save_card(card).await;
    }
    server
        .sql(
            "update payment_method set card = json_set(card, '$.exp_year', 2025)
              where reference like '%fails_late'",
        )
        .await;

    server.pay_from_now_on_with(&id, &second).await;
    server.detach(&second).await;
    assert_eq!(server.digits(&id).await, "4242", "the default");
    server.detach(&first).await;
    assert_eq!(server.digits(&id).await, "3155", "the newest that has not expired");
    let third = server.reference(&id).await;
    let default =
        server.word("select reference from payment_method where is_default and deleted_at is null");
    assert_eq!(default.await, third);
    server.detach(&third).await;
    assert_eq!(server.digits(&id).await, "0002", "an older one that has not expired");
    let fourth = server.reference(&id).await;
    server.detach(&fourth).await;
    assert_eq!(server.digits(&id).await, "0341", "the only one that is left");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_subscription_without_a_card_is_paid_with_the_next_one_that_is_saved() {
    let (server, _store, id) = subscribed().await;
    let removed = server.reference(&id).await;
    server.detach(&removed).await;
    let bare = server.mine(&id).await;
    assert_eq!((&bare["status"], &bare["payment_method"]), (&json!("active"), &json!(null)));

    server.save_card("pm_card_authorize_only").await;
    server.tell().await;

    assert_eq!(server.digits(&id).await, "0077");
    server.pass(31).await;
    assert_eq!(server.mine(&id).await["cycle"], 2);
    assert_eq!(server.events_named("subscription.payment_failed").await, 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn a_past_due_renewal_is_tried_at_once_with_a_replaced_card() {
    let (server, _store, id) = subscribed().await;
    server.lose_card().await;
    server.pass(30).await;
    assert_eq!(server.mine(&id).await["dunning"]["attempt"], 1);
    let removed = server.reference(&id).await;

    server.detach(&removed).await;
    server.clock.advance(20_000);
    server.work().await;

    let paid = server.mine(&id).await;
    assert_eq!((&paid["status"], &paid["cycles"][0]["attempts"]), (&json!("active"), &json!(2)));
    assert_eq!(paid["payment_method"]["last4"], "4242");
    server.assert_sound().await;
}

#[tokio::test]
async fn a_customer_removes_a_card_once_another_one_pays() {
    let (server, _store, id) = subscribed().await;
    let holder = server.word("select id from account_holder").await;
    let list = format!("/store/payment-methods/{holder}");
    let shown = server.get(&Person::customer_a(), &list).await.ok();
    let path = format!("{list}/{}", super::text(&shown["payment_methods"][0]["id"]));
    server.delete(&Person::customer_a(), &path).await.refused(400);
    let unknown = json!({ "payment_method_reference": "pm_other" });
    server.act(&id, "retry-payment", unknown).await.refused(404);

    let other = server.save_card("pm_card_authorize_only").await;
    server.pay_from_now_on_with(&id, &other).await;
    assert_eq!(server.delete(&Person::customer_a(), &path).await.status, 200);

    server.pass(31).await;
    let renewed = server.mine(&id).await;
    assert_eq!(
        (&renewed["cycle"], &renewed["payment_method"]["last4"]),
        (&json!(2), &json!("0077"))
    );
    server.assert_sound().await;
}

#[tokio::test]
async fn a_renewal_without_a_card_is_refused_and_a_trial_without_one_ends() {
    for (plan, status, reason) in [
        (json!({}), "past_due", json!("no_payment_method")),
        (json!({ "trial_days": 14 }), "expired", json!(null)),
    ] {
        let (server, store) = TestServer::for_years().await;
        let id = server.subscribed(&store, plan).await;
        server.sql("update subscription set payment_method_id = null").await;
        server.sql("update payment_method set deleted_at = 1").await;

        server.pass(30).await;

        let ended = server.mine(&id).await;
        assert_eq!(ended["status"], status, "{ended}");
        assert_eq!(ended["dunning"]["last_reason"], reason, "{ended}");
        assert_eq!(server.number("select count(*) from orders").await, 1);
    }
}
