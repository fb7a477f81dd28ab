//! Sessions that only save their method: no money is requested from the processor.

use serde_json::{Value, json};

use super::{Data, Double, Moved, Outcome, Provider, ProviderError, request};

fn setup(status: &str, method: &Value) -> Value {
    json!({ "id": "seti_1", "status": status, "client_secret": "seti_1_secret", "payment_method": method })
}

fn form_data(data: &Value) -> Data {
    data.as_object().cloned().unwrap()
}

#[tokio::test]
async fn a_session_that_only_keeps_its_method_asks_for_no_money() {
    let double =
        Double::answering(vec![(200, setup("requires_payment_method", &Value::Null))]).await;
    let begun = form_data(&json!({ "customer": "cus_9", "setup_future_usage": "off_session" }));

    let made = double.stripe.initiate_setup(request("payses_1", &begun)).await.unwrap();

    assert_eq!(made["client_secret"], "seti_1_secret");
    assert_eq!(made["setup_future_usage"], "off_session");
    let asked = double.requests().remove(0);
    assert!(asked.starts_with("post /v1/setup_intents "), "{asked}");
    let form = "usage=off_session&payment_method_types%5b%5d=card&metadata%5bsession_id%5d=payses_1&customer=cus_9";
    assert!(asked.ends_with(form), "{asked}");

    let known = form_data(&json!({ "payment_method": "pm_1", "customer": "cus_9" }));
    let made = double.stripe.initiate_setup(request("payses_2", &known)).await;
    assert_eq!(made.as_ref(), Ok(&known));
    assert_eq!(double.stripe.setup_data(&known).await, Ok(Some(known)));
    assert_eq!(double.requests().len(), 1);
}

#[tokio::test]
async fn the_method_that_the_browser_gave_to_the_processor_is_found() {
    let data = form_data(&json!({ "id": "seti_1", "customer": "cus_9" }));
    for (status, expected) in [
        ("succeeded", Ok(Some("pm_7"))),
        ("requires_payment_method", Ok(None)),
        ("requires_action", Ok(None)),
        ("canceled", Ok(None)),
        ("processing", Err(ProviderError::Unavailable)),
    ] {
        let double = Double::answering(vec![(200, setup(status, &json!("pm_7")))]).await;
        let found = double.stripe.setup_data(&data).await;
        let method = found.map(|found| found.map(|data| data["payment_method"].clone()));
        assert_eq!(method, expected.map(|it| it.map(Value::from)), "{status}");
        assert!(double.requests()[0].starts_with("get /v1/setup_intents/seti_1 "));
    }
    let double = Double::answering(vec![(200, super::intent("requires_confirmation"))]).await;
    let found = double.stripe.setup_data(&super::DATA).await.unwrap().unwrap();
    assert_eq!(found["payment_method"], "pm_1");
}

#[tokio::test]
async fn a_token_keeps_its_method_and_asks_for_no_money() {
    let data = form_data(&json!({ "id": "seti_1", "customer": "cus_9" }));
    for (status, method) in [("succeeded", Some("pm_7")), ("requires_action", None)] {
        let double = Double::answering(vec![
            (200, setup("requires_payment_method", &Value::Null)),
            (200, setup(status, &json!("pm_7"))),
        ])
        .await;
        let asked = request("payses_1", &data);
        let outcome = double.stripe.confirm_setup(asked, "ctoken_1").await.unwrap();
        let (after, is_kept) = match &outcome {
            Outcome::Captured { data } => (data, true),
            Outcome::RequiresMore { data } => (data, false),
            Outcome::Authorized { .. } | Outcome::Declined { .. } => {
                panic!("{status}: {outcome:?}")
            }
        };
        assert_eq!(is_kept, method.is_some(), "{status}");
        assert_eq!(after.get("payment_method").and_then(Value::as_str), method);
        let call = double.requests().remove(1);
        assert!(call.starts_with("post /v1/setup_intents/seti_1/confirm "), "{call}");
        assert!(call.ends_with("confirmation_token=ctoken_1"), "{call}");
    }
    let double = Double::answering(Vec::new()).await;
    let paying = form_data(&json!({ "id": "pi_1" }));
    let refused = double.stripe.confirm_setup(request("payses_2", &paying), "ctoken_1").await;
    assert!(matches!(refused, Err(ProviderError::Invalid { .. })), "{refused:?}");
}

#[tokio::test]
async fn a_session_that_only_keeps_its_method_ends_without_a_refund() {
    let succeeded =
        json!({ "error": { "type": "invalid_request_error", "message": "It has succeeded." } });
    for answer in [(200, setup("canceled", &Value::Null)), (400, succeeded)] {
        let double = Double::answering(vec![answer]).await;
        let data = form_data(&json!({ "id": "seti_1" }));
        let ended = double.stripe.cancel(request("payses_1_cancel", &data)).await;
        assert_eq!(ended, Ok(Moved::Done));
        assert!(double.requests()[0].starts_with("post /v1/setup_intents/seti_1/cancel "));
    }
    let double = Double::answering(Vec::new()).await;
    let data = form_data(&json!({ "payment_method": "pm_1" }));
    let ended = double.stripe.cancel(request("payses_2_cancel", &data)).await;
    assert_eq!(ended, Ok(Moved::Done));
}
