//! The effect of the card processor's events on saved methods.

use serde_json::{Value, json};

use super::*;
use crate::harness::{Person, TestServer};

/// A store in which customer A is known to the processor as `cus_9`.
async fn known_customer() -> (TestServer, String) {
    let (server, store) = signed_store().await;
    let cart = server.cart_with(&Person::customer_a(), &store, &store.mug, 1).await;
    server.ship(&Person::customer_a(), &store, &cart).await;
    let body = json!({ "provider_id": "pp_sandbox", "data": { "payment_method": "pm_card_visa" } });
    let path = format!("/store/carts/{cart}/subscription-payment-session");
    server.post(&Person::customer_a(), &path, body).await.ok();
    server.sql("update account_holder set provider_id = 'pp_stripe', external_id = 'cus_9'").await;
    let holder = server.word("select id from account_holder").await;
    (server, holder)
}

fn setup(event: &str, kind: &str, object: &Value) -> Value {
    json!({ "id": event, "type": kind, "created": 1, "livemode": false, "data": { "object": object } })
}

async fn methods(server: &TestServer, holder: &str) -> Vec<Value> {
    let path = format!("/store/payment-methods/{holder}");
    let shown = server.get(&Person::customer_a(), &path).await.ok();
    shown["payment_methods"].as_array().expect("methods").clone()
}

#[tokio::test]
async fn a_method_that_was_set_up_can_be_charged_and_one_that_was_removed_stays_so() {
    let (server, holder) = known_customer().await;
    let card = json!({ "brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2034, "fingerprint": "f" });
    let whole = json!({ "id": "pm_9", "card": card });
    let intent = json!({ "id": "seti_1", "customer": "cus_9", "payment_method": "pm_9" });
    let bare = setup("evt_1", "setup_intent.succeeded", &intent);
    let intent = json!({ "id": "seti_1", "customer": "cus_9", "payment_method": whole });

    let saved = charge(&server, &bare).await.ok();
    assert_eq!(saved, json!({ "received": true, "eventId": "evt_1", "action": "method_saved" }));
    assert_eq!(methods(&server, &holder).await[0]["reference"], "pm_9");
    charge(&server, &setup("evt_2", "setup_intent.succeeded", &intent)).await.ok();
    charge(&server, &setup("evt_3", "setup_intent.succeeded", &bare["data"]["object"])).await.ok();
    let kept = methods(&server, &holder).await;
    assert_eq!((kept.len(), &kept[0]["data"]["card"]["last4"]), (1, &json!("4242")), "{kept:?}");
    assert_eq!(kept[0]["is_default"], true);

    charge(&server, &setup("evt_4", "payment_method.detached", &json!({ "id": "pm_9" })))
        .await
        .ok();
    let mut late = bare.clone();
    late["id"] = json!("evt_5");
    assert_eq!(charge(&server, &late).await.ok()["reason"], "stale");
    assert_eq!(methods(&server, &holder).await.len(), 0);
    let foreign = json!({ "id": "seti_2", "customer": "cus_other", "payment_method": "pm_8" });
    let foreign = charge(&server, &setup("evt_6", "setup_intent.succeeded", &foreign)).await.ok();
    assert_eq!(foreign["reason"], "unknown_customer");
    server.assert_sound().await;
}

#[tokio::test]
async fn the_reason_for_a_failed_setup_is_stored_and_shown() {
    let (server, holder) = known_customer().await;
    let error = json!({ "code": "card_declined", "decline_code": "stolen_card", "message": "Your card was declined.",
        "payment_method": { "id": "pm_9", "card": { "last4": "9979" } } });
    let intent = json!({ "id": "seti_1", "customer": "cus_9", "last_setup_error": error });

    let kept = charge(&server, &setup("evt_1", "setup_intent.setup_failed", &intent)).await.ok();

    assert_eq!(kept["action"], "method_failed");
    let delivery = deliveries(&server, "event=setup_intent.setup_failed").await.remove(0);
    let path = format!("/admin/webhook-deliveries/{}", delivery["id"].as_str().expect("an id"));
    let shown = server.get(&Person::program(), &path).await.ok()["delivery"].clone();
    let expected = json!({ "code": "card_declined", "decline_code": "stolen_card", "message": "Your card was declined." });
    assert_eq!(
        shown["effect"],
        json!({ "account_holder_id": holder, "error": expected }),
        "{shown}"
    );

    redeliver(&server, &delivery).await.ok();
    server.work().await;

    let delivery = deliveries(&server, "event=setup_intent.setup_failed").await.remove(0);
    assert_eq!((&delivery["status"], &delivery["attempt_count"]), (&json!("handled"), &json!(2)));
    assert_eq!(server.events_named("payment_method.setup_failed").await, 1);
    assert_eq!(methods(&server, &holder).await.len(), 0);
}
