//! The processor's protocol: the requests, and the meaning of the answers. The double answers requests from a list and
//! records them.

mod keys;
mod setup;
mod units;

use std::sync::{Arc, LazyLock, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::Stripe;
use crate::config::{CaptureMethod, StripeSettings};
use crate::money::Currency;
use crate::payments::provider::{Data, Moved, Outcome, Provider, ProviderError, Request};

/// A processor that answers in the order of a list.
struct Double {
    stripe: Stripe,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Double {
    async fn answering(answers: Vec<(u16, Value)>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            for (status, body) in answers {
                let (mut stream, _) = listener.accept().await.unwrap();
                let request = read(&mut stream).await;
                seen.lock().unwrap().push(request);
                let body = body.to_string();
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                stream.write_all(head.as_bytes()).await.unwrap();
                stream.write_all(body.as_bytes()).await.unwrap();
            }
        });
        let settings = StripeSettings {
            stripe_secret_key: Some("sk_test_double".to_owned().into()),
            stripe_api: format!("http://{address}/").parse().unwrap(),
            stripe_capture: CaptureMethod::Automatic,
        };
        Self { stripe: Stripe::new(&settings).unwrap(), requests }
    }

    /// Charges a saved method under a key, without the shopper.
    async fn charge(&self, key: &str) -> Result<Outcome, ProviderError> {
        let data = Data::new();
        self.stripe.charge(request(key, &data), "cus_9", "pm_1").await
    }

    /// Returns the requests so far, each with its head in lower case and its body.
    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

/// Reads one request with its body.
async fn read(stream: &mut tokio::net::TcpStream) -> String {
    let mut bytes = Vec::new();
    loop {
        let mut chunk = [0; 4_096];
        let count = stream.read(&mut chunk).await.unwrap();
        bytes.extend_from_slice(&chunk[..count]);
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .map_or(0, |length| length.parse().unwrap());
        if body.len() >= length || count == 0 {
            return text;
        }
    }
}

fn intent(status: &str) -> Value {
    json!({ "id": "pi_1", "status": status, "amount": 1_250, "currency": "usd",
        "client_secret": "pi_1_secret", "payment_method": "pm_1", "metadata": {} })
}

/// An intent of the charge `subatt_1`.
fn intent_of_charge(status: &str) -> Value {
    let mut intent = intent(status);
    intent["metadata"] = json!({ "session_id": "subatt_1" });
    intent
}

/// The data of a session that has begun.
static DATA: LazyLock<Data> = LazyLock::new(|| Data::from_iter([("id".to_owned(), json!("pi_1"))]));

fn request<'a>(key: &'a str, data: &'a Data) -> Request<'a> {
    let currency = Currency::from_code("usd").unwrap();
    Request { idempotency_key: key, amount_minor: 1_250, currency, data }
}

#[tokio::test]
async fn an_intent_is_created_under_the_session_with_the_pinned_version() {
    let double = Double::answering(vec![(200, intent("requires_payment_method"))]).await;
    let begun = json!({ "customer": "cus_9", "setup_future_usage": "off_session" });
    let begun = begun.as_object().cloned().unwrap();
    let made = double.stripe.initiate(request("payses_1", &begun)).await.unwrap();
    assert_eq!(made["client_secret"], "pi_1_secret");
    assert_eq!(made["payment_method"], "pm_1");
    assert_eq!(made["setup_future_usage"], "off_session");
    let asked = double.requests().pop().unwrap();
    for part in [
        "post /v1/payment_intents ",
        "authorization: bearer sk_test_double",
        "stripe-version: 2024-06-20",
        "idempotency-key: payses_1_create",
        "amount=1250&currency=usd&capture_method=automatic",
        "metadata%5bsession_id%5d=payses_1",
        "customer=cus_9",
        "payment_method_options%5bcard%5d%5bsetup_future_usage%5d=off_session",
    ] {
        assert!(asked.contains(part), "{part}: {asked}");
    }
}

#[tokio::test]
async fn each_status_of_an_intent_has_its_outcome() {
    for (status, expected) in [
        ("requires_capture", "authorized"),
        ("succeeded", "captured"),
        ("requires_action", "more"),
        ("requires_payment_method", "more"),
        ("canceled", "declined"),
        ("processing", "unavailable"),
        ("a_status_of_tomorrow", "unavailable"),
    ] {
        let double = Double::answering(vec![(200, intent(status))]).await;
        let came = match double.stripe.authorize(request("payses_1", &DATA)).await {
            Ok(Outcome::Authorized { .. }) => "authorized",
            Ok(Outcome::Captured { .. }) => "captured",
            Ok(Outcome::RequiresMore { .. }) => "more",
            Ok(Outcome::Declined { .. }) => "declined",
            Err(ProviderError::Unavailable) => "unavailable",
            Err(error) => panic!("{status}: {error}"),
        };
        assert_eq!(came, expected, "{status}");
    }
}

#[tokio::test]
async fn a_saved_method_is_confirmed_and_a_declined_card_is_reported() {
    let declined = json!({ "error": { "type": "card_error", "code": "card_declined",
        "decline_code": "insufficient_funds", "message": "Your card has insufficient funds." } });
    let double =
        Double::answering(vec![(200, intent("requires_confirmation")), (402, declined)]).await;
    let outcome = double.stripe.authorize(request("payses_1", &DATA)).await;
    assert_eq!(outcome, Ok(Outcome::Declined { reason: "insufficient_funds".to_owned() }));
    assert!(double.requests()[1].starts_with("post /v1/payment_intents/pi_1/confirm "));
}

#[tokio::test]
async fn a_refusal_is_a_declined_card_or_has_the_processors_message() {
    for (status, error, expected) in [
        (402, json!({ "code": "expired_card" }), "declined: expired_card"),
        (402, json!({}), "declined: card_declined"),
        (400, json!({ "type": "card_error", "code": "incorrect_cvc" }), "declined: incorrect_cvc"),
        (400, json!({ "message": "No such token" }), "No such token"),
        (400, json!({}), "refused with 400 Bad Request"),
        (403, json!({ "message": "The key may not do this" }), "unavailable"),
    ] {
        let answers = vec![
            (200, intent("requires_payment_method")),
            (status, json!({ "error": error })),
            // After a refusal the intent is read again.
            (200, intent("requires_payment_method")),
        ];
        let double = Double::answering(answers).await;
        let paid = double.stripe.confirm(request("payses_1", &DATA), "ctoken_1").await;
        let came = match paid {
            Ok(Outcome::Declined { reason }) => format!("declined: {reason}"),
            Err(ProviderError::Invalid { reason }) => reason,
            Err(ProviderError::Unavailable) => "unavailable".to_owned(),
            other => panic!("{error}: {other:?}"),
        };
        assert_eq!(came, expected, "{error}");
    }
}

#[tokio::test]
async fn an_intent_that_another_request_has_confirmed_meanwhile_is_paid() {
    let state = json!({ "error": { "type": "invalid_request_error",
        "code": "payment_intent_unexpected_state", "message": "It has already succeeded." } });
    for (then, is_paid) in [("succeeded", true), ("requires_confirmation", false)] {
        let answers =
            vec![(200, intent("requires_confirmation")), (400, state.clone()), (200, intent(then))];
        let double = Double::answering(answers).await;
        let outcome = double.stripe.authorize(request("payses_1", &DATA)).await;
        match outcome {
            Ok(Outcome::Captured { .. }) => assert!(is_paid),
            Err(ProviderError::Invalid { .. }) => assert!(!is_paid),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn another_amount_than_the_carts_is_never_confirmed() {
    let double = Double::answering(vec![(200, intent("requires_confirmation"))]).await;
    let cheaper = Request { amount_minor: 1_249, ..request("payses_1", &DATA) };
    let refused = double.stripe.authorize(cheaper).await;
    assert!(matches!(refused, Err(ProviderError::Invalid { .. })), "{refused:?}");
    assert_eq!(double.requests().len(), 1);
}

#[tokio::test]
async fn a_refund_under_a_key_is_not_repeated() {
    let key = "pay_1_refund_0";
    let refunds = json!({ "data": [
        { "status": "succeeded", "metadata": { "key": "pay_1_refund_1" } },
        { "status": "succeeded", "metadata": { "key": key } },
    ] });
    let double = Double::answering(vec![(200, intent("succeeded")), (200, refunds)]).await;
    let again = double.stripe.refund(request(key, &DATA)).await;
    assert_eq!(again, Ok(Moved::Done));
    assert_eq!(double.requests().len(), 2);

    let none = json!({ "data": [
        { "status": "failed", "metadata": { "key": key } },
        { "status": "succeeded", "metadata": {} },
    ] });
    let made = json!({ "id": "re_1", "status": "succeeded" });
    let double =
        Double::answering(vec![(200, intent("succeeded")), (200, none), (200, made)]).await;
    assert!(double.stripe.refund(request(key, &DATA)).await.is_ok());
    let asked = double.requests().pop().unwrap();
    assert!(asked.contains("payment_intent=pi_1&amount=1250&metadata%5bkey%5d=pay_1_refund_0"));
}

#[tokio::test]
async fn a_capture_without_an_answer_is_found_done() {
    let mut captured = intent("succeeded");
    captured["amount_received"] = json!(1_250);
    let double = Double::answering(vec![(200, captured)]).await;
    let again = double.stripe.capture(request("pay_1_capture_0", &DATA)).await;
    assert_eq!(again, Ok(Moved::Done));
    assert_eq!(double.requests().len(), 1);

    let mut in_part = intent("succeeded");
    in_part["amount_received"] = json!(1_000);
    for other in [in_part, intent("processing")] {
        let double = Double::answering(vec![(200, other)]).await;
        let failed = double.stripe.capture(request("pay_1_capture_0", &DATA)).await;
        assert_eq!(failed, Ok(Moved::Failed { reason: "capture_failed".to_owned() }));
    }
}

#[tokio::test]
async fn captured_payments_are_not_canceled_and_canceled_ones_not_again() {
    for (status, requests, expected) in [
        ("succeeded", 1, Moved::Failed { reason: "already_captured".to_owned() }),
        ("canceled", 1, Moved::Done),
        ("requires_capture", 2, Moved::Done),
    ] {
        let double =
            Double::answering(vec![(200, intent(status)), (200, intent("canceled"))]).await;
        let answer = double.stripe.cancel(request("pay_1_cancel", &DATA)).await;
        assert_eq!(answer, Ok(expected), "{status}");
        let asked = double.requests();
        assert_eq!(asked.len(), requests, "{status}");
        assert_eq!(asked.iter().any(|asked| asked.contains("/cancel ")), requests == 2, "{status}");
    }
}

#[tokio::test]
async fn a_method_is_detached_at_the_processor() {
    let double = Double::answering(vec![(200, json!({ "id": "pm_1" }))]).await;
    assert_eq!(double.stripe.delete_method("pm_1").await, Ok(()));
    let asked = double.requests();
    assert!(asked[0].starts_with("post /v1/payment_methods/pm_1/detach "), "{asked:?}");
}

#[tokio::test]
async fn a_renewal_that_was_charged_is_found_by_its_key_and_not_charged_again() {
    let charged = intent_of_charge("succeeded");
    let double = Double::answering(vec![(200, json!({ "data": [charged] }))]).await;
    let outcome = double.charge("subatt_1").await;
    assert!(matches!(outcome, Ok(Outcome::Captured { .. })), "{outcome:?}");

    let double =
        Double::answering(vec![(200, json!({ "data": [] })), (200, intent("succeeded"))]).await;
    double.charge("subatt_2").await.unwrap();
    let asked = double.requests().pop().unwrap();
    for part in [
        "idempotency-key: subatt_2",
        "customer=cus_9&payment_method=pm_1&confirm=true&off_session=true",
    ] {
        assert!(asked.contains(part), "{part}: {asked}");
    }
    assert_eq!(asked.matches("amount=1250").count(), 1, "{asked}");
    assert_eq!(asked.matches("capture_method=automatic").count(), 1, "{asked}");
}

#[tokio::test]
async fn a_charge_that_was_refused_without_the_shopper_waits_for_the_shopper() {
    for (status, error, expected) in [
        ("requires_payment_method", "authentication_required", None),
        ("requires_payment_method", "insufficient_funds", Some("insufficient_funds")),
        ("canceled", "authentication_required", Some("canceled")),
    ] {
        let mut refused = intent_of_charge(status);
        refused["last_payment_error"] = json!({ "code": "card_declined", "decline_code": error });
        let double = Double::answering(vec![(200, json!({ "data": [refused] }))]).await;
        let outcome = double.charge("subatt_1").await;
        match (outcome, expected) {
            (Ok(Outcome::RequiresMore { data }), None) => {
                assert_eq!(data["client_secret"], "pi_1_secret");
            }
            (Ok(Outcome::Declined { reason }), Some(expected)) => assert_eq!(reason, expected),
            (other, _) => panic!("{status}, {error}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_charge_that_is_refused_at_once_for_want_of_the_shopper_is_looked_up_for_its_secret() {
    let mut refused = intent_of_charge("requires_payment_method");
    refused["last_payment_error"] = json!({ "code": "authentication_required" });
    let error = |code| json!({ "error": { "type": "card_error", "code": code } });
    let none = (200, json!({ "data": [] }));
    let answers = vec![
        none.clone(),
        (402, error("authentication_required")),
        (200, json!({ "data": [refused] })),
        none.clone(),
        (402, error("authentication_required")),
        none.clone(),
        none,
        (402, error("expired_card")),
    ];
    let double = Double::answering(answers).await;

    let waiting = double.charge("subatt_1").await;
    assert!(matches!(waiting, Ok(Outcome::RequiresMore { .. })), "{waiting:?}");
    for reason in ["authentication_required", "expired_card"] {
        assert_eq!(
            double.charge("subatt_1").await,
            Ok(Outcome::Declined { reason: reason.to_owned() })
        );
    }
    assert_eq!(double.requests().len(), 8);
}

#[tokio::test]
async fn a_charge_that_was_refused_without_a_code_is_a_declined_card() {
    let mut refused = intent_of_charge("requires_payment_method");
    refused["last_payment_error"] = json!({});
    let double = Double::answering(vec![(200, json!({ "data": [refused] }))]).await;

    let outcome = double.charge("subatt_1").await;

    assert_eq!(outcome, Ok(Outcome::Declined { reason: "card_declined".to_owned() }));
}

#[tokio::test]
async fn a_charge_is_found_on_a_later_page_where_intents_cannot_be_filtered() {
    let charged = intent_of_charge("succeeded");
    let answers = vec![
        (400, json!({ "error": { "message": "Unexpected customer" } })),
        (200, json!({ "data": [intent("canceled")], "has_more": true })),
        (200, json!({ "data": [intent("canceled")], "has_more": true })),
        (200, json!({ "data": [charged], "has_more": false })),
    ];
    let double = Double::answering(answers).await;

    let outcome = double.charge("subatt_1").await;

    assert!(matches!(outcome, Ok(Outcome::Captured { .. })), "{outcome:?}");
    let asked = double.requests().pop().unwrap();
    assert!(asked.contains("/v1/payment_intents?limit=100&starting_after=pi_1 "), "{asked}");
}

#[tokio::test]
async fn refused_calls_are_retried_and_charges_without_an_answer_are_not() {
    let busy = json!({ "error": { "type": "rate_limit_error", "message": "Slow down" } });
    let double =
        Double::answering(vec![(429, busy.clone()), (200, intent("requires_payment_method"))])
            .await;
    let data = Data::new();
    assert!(double.stripe.initiate(request("payses_1", &data)).await.is_ok());
    let keys: Vec<bool> = double
        .requests()
        .iter()
        .map(|asked| asked.contains("idempotency-key: payses_1_create"))
        .collect();
    assert_eq!(keys, [true, true]);

    let broken = json!({ "error": { "type": "api_error" } });
    let double = Double::answering(vec![(500, broken), (200, intent("succeeded"))]).await;
    let open = double.stripe.initiate(request("payses_1", &data)).await;
    assert_eq!(open, Err(ProviderError::Unavailable));
    assert_eq!(double.requests().len(), 1);
}

#[tokio::test]
async fn nothing_but_an_id_becomes_a_part_of_a_path() {
    let double = Double::answering(Vec::new()).await;
    let long = "a".repeat(256);
    for id in ["", "pi_1/refunds", "../customers", "pi_1?expand[]=x", "pi 1", &long] {
        let data = json!({ "id": id }).as_object().cloned().unwrap();
        let refused = double.stripe.authorize(request("payses_1", &data)).await;
        assert!(matches!(refused, Err(ProviderError::Invalid { .. })), "{id}: {refused:?}");
    }
    let double = Double::answering(vec![(200, intent("succeeded"))]).await;
    let data = json!({ "id": "a".repeat(255) }).as_object().cloned().unwrap();
    assert!(double.stripe.authorize(request("payses_1", &data)).await.is_ok());
}
