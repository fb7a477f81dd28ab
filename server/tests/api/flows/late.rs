//! What a shopper completes at the processor after their session has ended: it is canceled there, or refunded.

use serde_json::{Value, json};

use super::charges::change_card;
use super::draft;
use crate::harness::TestServer;
use crate::webhooks::{SIGNED, charge};

/// The time that an offer is open after an order.
const WINDOW_MS: i64 = 60 * 60_000;

/// Starts a session after an order, replaces its card by another one, and accepts the offer; returns the session's
/// token, the button and the response.
async fn accepted(test_card: &'static str) -> (TestServer, Value, Value, Value) {
    let (server, store) = TestServer::with_store_and(&SIGNED).await;
    let flow = server.flow("post_purchase", draft(&store)).await;
    let (cart, order) = server.kept_order(&store, "pm_card_visa").await;
    let begun = server.begin_after(&flow, &cart, &order).await;
    change_card(&server, test_card).await;
    let (token, button) = (begun["session"]["token"].clone(), begun["entry_button"].clone());
    let answer = server.press("accept", &token, &button, json!({})).await.ok();
    (server, token, button, answer)
}

/// The success of the charge of the offer, as the processor reports it.
async fn success(server: &TestServer, event: &str) -> Value {
    let press = server.word("select id from flow_press where action = 'accepted'").await;
    let intent = server.word("select data ->> 'id' from payment_session order by rowid desc").await;
    let amount_minor =
        server.number("select amount_minor from payment_session order by rowid desc").await;
    json!({
        "id": event, "type": "payment_intent.succeeded", "created": 9, "livemode": false, "data": { "object": {
            "id": intent, "amount": amount_minor, "amount_received": amount_minor, "currency": "gbp",
            "metadata": { "session_id": press },
        } },
    })
}

/// Keeps the shopper from acting, although they are asked again.
async fn stay_away(server: &TestServer) {
    server.sql("update payment_session set data = json_remove(data, '$.next_action')").await;
}

#[tokio::test]
async fn a_charge_that_waits_for_the_shopper_is_ended_at_the_provider_with_the_session() {
    let (server, _token, _button, asked) = accepted("pm_card_requires_action").await;
    assert_eq!(asked["nextButton"]["notice"], "requires_action");
    server.only_job("flows.recover").await;

    for wait_ms in [WINDOW_MS, 60_000] {
        stay_away(&server).await;
        server.clock.advance(wait_ms);
        server.work().await;
    }
    server.work().await;

    let press =
        server.word("select state || ' ' || reason from flow_press where action = 'accepted'");
    assert_eq!(press.await, "refused authentication_required");
    assert_eq!(server.number("select count(*) from payment_session").await, 1);
    assert_eq!(server.events_named("payment.returned_without_order").await, 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn money_that_arrives_for_a_refused_offer_is_given_back_once() {
    let (server, _token, _button, refused) = accepted("pm_card_declined").await;
    assert_eq!(refused["nextButton"]["notice"], "payment_declined");
    let of_offer = "update payment_session set data = json_set(data, '$.id', 'pi_late') where status = 'error'";
    server.sql(of_offer).await;
    let event = success(&server, "evt_1").await;

    charge(&server, &event).await.ok();
    for number in 2..4 {
        let mut again = event.clone();
        again["id"] = json!(format!("evt_{number}"));
        assert_eq!(charge(&server, &again).await.ok()["reason"], "already_applied");
        server.work().await;
    }

    assert_eq!(server.events_named("payment.returned_without_order").await, 1);
    assert_eq!(server.number("select count(*) from payment").await, 1);
    assert_eq!(server.number("select count(*) from payment_session").await, 1);
    let open =
        "select count(*) from webhook_delivery where status <> 'handled' and status <> 'skipped'";
    assert_eq!(server.number(open).await, 0);
    server.assert_sound().await;
}

#[tokio::test]
async fn money_that_is_reported_before_the_second_press_pays_the_offer() {
    let (server, token, button, _asked) = accepted("pm_card_requires_action").await;

    charge(&server, &success(&server, "evt_1").await).await.ok();
    server.work().await;
    let charged = server.press("accept", &token, &button, json!({})).await.ok();

    assert_eq!(charged["success"], true, "{charged:#}");
    assert_eq!(server.number("select count(*) from payment").await, 2);
    assert_eq!(server.events_named("payment.returned_without_order").await, 0);
    server.assert_sound().await;
}
