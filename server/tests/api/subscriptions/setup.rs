//! Subscriptions that begin later and are paid through the card processor: the card is saved, and
//! nothing is charged.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::{Method, StatusCode, Uri};
use serde_json::{Value, json};

use crate::harness::{Person, TestServer};

/// A processor that saves a card once the shopper's browser has sent it.
#[derive(Debug, Clone, Default)]
struct Processor {
    /// The method and path of each request.
    calls: Arc<Mutex<Vec<String>>>,
    has_card: Arc<Mutex<bool>>,
}

impl Processor {
    /// Listens until the test ends; returns the address too.
    async fn start() -> (Self, String) {
        let processor = Self::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}/", listener.local_addr().expect("an address"));
        let own = processor.clone();
        let router = Router::new().fallback(move |method: Method, uri: Uri| async move {
            let call = format!("{method} {}", uri.path());
            own.calls.lock().expect("calls").push(call.clone());
            match own.answer(&call) {
                Some(body) => (StatusCode::OK, body.to_string()),
                None => (StatusCode::NOT_FOUND, json!({ "error": {} }).to_string()),
            }
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        (processor, address)
    }

    fn answer(&self, call: &str) -> Option<Value> {
        let has_card = *self.has_card.lock().expect("a card");
        Some(match call {
            "POST /v1/customers" => json!({ "id": "cus_9" }),
            "POST /v1/setup_intents" | "GET /v1/setup_intents/seti_1" => json!({
                "id": "seti_1", "client_secret": "seti_1_secret",
                "status": if has_card { "succeeded" } else { "requires_payment_method" },
                "payment_method": if has_card { json!("pm_7") } else { Value::Null },
            }),
            "POST /v1/payment_methods/pm_7/attach" => json!({ "id": "pm_7", "card": {
                "brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2034,
            } }),
            _ => return None,
        })
    }
}

#[tokio::test]
async fn a_trial_keeps_the_card_that_the_browser_sent_to_the_processor_and_charges_nothing() {
    let (processor, address) = Processor::start().await;
    let api = format!("--stripe-api={address}");
    let (server, store) =
        TestServer::with_store_and(&["--stripe-secret-key=sk_test_1", &api]).await;
    let region = format!("/admin/regions/{}", store.britain);
    let providers = json!({ "payment_providers": ["pp_stripe"] });
    server.post(&Person::admin(), &region, providers).await.ok();
    let cart = server.planned_cart(&store, json!({ "trial_days": 14 })).await;

    let path = format!("/store/carts/{cart}/subscription-payment-session");
    let begun = server.post(&Person::customer_a(), &path, json!({})).await.ok();
    let session = &begun["payment_collection"]["payment_sessions"][0];
    assert_eq!(session["data"]["client_secret"], "seti_1_secret", "{begun:#}");

    let early = server.subscribe(&cart, json!({})).await.ok();
    let refused = (&early["type"], &early["error"]["type"]);
    assert_eq!(refused, (&json!("cart"), &json!("payment_requires_more_error")), "{early:#}");
    *processor.has_card.lock().expect("a card") = true;
    let made = server.subscribe(&cart, json!({})).await.ok();

    assert_eq!((&made["type"], &made["order"]["total"]), (&json!("order"), &json!(0)), "{made:#}");
    let subscription = &made["subscriptions"][0];
    assert_eq!(subscription["status"], "trial");
    assert_eq!(subscription["payment_method"]["last4"], "4242", "{subscription:#}");
    server.work().await;
    assert_eq!(server.number("select count(*) from payment_session").await, 0);
    let calls = processor.calls.lock().expect("calls").clone();
    assert!(calls.iter().all(|call| !call.contains("payment_intents")), "{calls:?}");
    server.assert_sound().await;
}
