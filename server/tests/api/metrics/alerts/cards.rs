//! An alert on refused cards, as a scenario: shoppers pay, somebody tests many cards, and a day later it is
//! over.

use serde_json::{Value, json};

use super::{DAY_MS, a_minute, events, made, turns, view};
use crate::harness::{Person, Store, TestServer};
use crate::metrics::keep_credentials;

/// Pays a new cart by the token of a card, from an address; returns the status.
async fn pay(server: &TestServer, store: &Store, address: &str, token: &str) -> u16 {
    let visitor = Person::visitor().with_header("x-forwarded-for", address);
    let cart = server.cart_with(&visitor, store, &store.mug, 1).await;
    server.ship(&visitor, store, &cart).await;
    let body = json!({ "cart_id": cart, "confirmation_token_id": token, "payment_provider_id": "pp_sandbox" });
    server.post(&visitor, "/store/payment/confirm-with-token", body).await.status
}

#[tokio::test]
async fn an_alert_on_refused_cards_fires_while_somebody_tries_many() {
    let (server, store) = TestServer::with_store_and(&["--trusted-proxies=127.0.0.1"]).await;
    // The audit is one of the jobs.
    server.scans_on_purpose();
    keep_credentials(&server).await;
    let in_dollars = json!({ "currency_code": "usd" });
    let region = format!("/admin/regions/{}", store.britain);
    server.post(&Person::admin(), &region, in_dollars).await.ok();
    server.instantiate("card_refusal_rate").await;
    let path = "/admin/metrics/catalog/card_refusal_rate/lifecycle";
    server.post(&Person::analyst(), path, json!({ "state": "active" })).await.ok();
    let alert = json!({ "metric_id": "card_refusal_rate", "condition": "card_refusal_rate > 0.5",
        "min_sample": 4, "severity": "critical" });
    let alert = made(&server, alert).await;
    let state = async || view(&server, &alert).await["state"].clone();
    let shop = async || {
        for _ in 0..4 {
            assert_eq!(pay(&server, &store, "203.0.113.1", "ctoken_card_visa").await, 200);
        }
        a_minute(&server).await;
    };
    shop().await;
    assert_eq!(state().await, "ok");

    // Ten refusals an hour are the limit of an address, so there are two.
    for address in ["198.51.100.1", "198.51.100.2"] {
        for _ in 0..8 {
            assert_eq!(pay(&server, &store, address, "ctoken_card_declined").await, 400);
        }
    }
    a_minute(&server).await;

    assert_eq!(state().await, "firing");
    let fired = events(&server).await;
    assert_eq!(fired.len(), 1, "{fired:#?}");
    let (name, data) = &fired[0];
    assert_eq!((name.as_str(), &data["severity"]), ("metric.alert.fired", &json!("critical")));
    assert_eq!(data["value"].to_string(), "0.8", "16 of 20: {data:#}");
    server.clock.advance(DAY_MS);
    shop().await;
    assert_eq!(state().await, "ok");
    let turned: Vec<Value> = turns(&server, &alert).await.into_iter().map(|turn| turn.1).collect();
    assert_eq!(turned, ["firing", "no_data", "ok"], "the new day begins without payments");
}
