//! Tests of the test cards and of the data that the sandbox rejects.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Card, ID, Sandbox};
use crate::money::Currency;
use crate::payments::manual::{self, Manual};
use crate::payments::provider::{
    Data, Moved, Outcome, PRESENT, Provider, ProviderError, Providers, Request,
};

fn data(value: &Value) -> Data {
    value.as_object().cloned().unwrap()
}

fn usd() -> Currency {
    Currency::from_code("usd").unwrap()
}

fn request(data: &Data) -> Request<'_> {
    Request { idempotency_key: "payses_1", amount_minor: 1_299, currency: usd(), data }
}

async fn authorize(sent: &Value) -> Result<Outcome, ProviderError> {
    Sandbox::default().authorize(request(&data(sent))).await
}

fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Authorized { .. } => "authorized",
        Outcome::Captured { .. } => "captured",
        Outcome::RequiresMore { .. } => "requires more",
        Outcome::Declined { .. } => "declined",
    }
}

#[tokio::test]
async fn the_card_decides_what_happens() {
    for (sent, expected) in [
        (json!({}), "captured"),
        (json!({"payment_method": null}), "captured"),
        (json!({"payment_method": "pm_card_visa"}), "captured"),
        (json!({"card": "pm_card_authorize_only"}), "authorized"),
        (json!({"card": {"number": "4000 0000 0000 0002"}}), "declined"),
        (json!({"payment_method": "pm_card_declined"}), "declined"),
        (json!({"payment_method": "pm_card_requires_action"}), "requires more"),
        (
            json!({"payment_method": "pm_card_requires_action", "action_completed": true}),
            "captured",
        ),
        (json!({"payment_method": "pm_card_fails_late"}), "authorized"),
    ] {
        assert_eq!(word(&authorize(&sent).await.unwrap()), expected, "{sent}");
    }
}

#[tokio::test]
async fn every_card_answers_to_its_name_and_its_number_alike() {
    for card in Card::ALL {
        let by_name = authorize(&json!({"card": card.token()})).await.unwrap();
        assert_eq!(authorize(&json!({"card": card.number()})).await, Ok(by_name), "{card:?}");
    }
}

#[tokio::test]
async fn the_same_key_gives_the_same_answer_and_another_key_another_reference() {
    let sent = data(&json!({"payment_method": "pm_card_visa"}));
    let first = Sandbox::default().authorize(request(&sent)).await.unwrap();
    assert_eq!(Sandbox::default().authorize(request(&sent)).await.unwrap(), first);
    let other = Request { idempotency_key: "payses_2", ..request(&sent) };
    assert_ne!(Sandbox::default().authorize(other).await.unwrap(), first);
}

#[tokio::test]
async fn a_payment_keeps_its_reference_and_is_captured_refunded_and_canceled_with_it() {
    let sent =
        data(&json!({"card": "pm_card_authorize_only", "setup_future_usage": "off_session"}));
    let begun = Sandbox::default().initiate(request(&sent)).await.unwrap();
    let Outcome::Authorized { data: promised } =
        Sandbox::default().authorize(request(&begun)).await.unwrap()
    else {
        panic!("not authorized");
    };
    let capture = Request { idempotency_key: "capt_1", ..request(&promised) };
    assert_eq!(Sandbox::default().capture(capture).await, Ok(Moved::Done));
    let refund = Request { idempotency_key: "ref_1", ..request(&promised) };
    assert_eq!(Sandbox::default().refund(refund).await, Ok(Moved::Done));
    assert_eq!(begun["id"], promised["id"]);
    assert_eq!(promised["setup_future_usage"], "off_session");
    assert_eq!(Sandbox::default().cancel(request(&promised)).await, Ok(Moved::Done));
}

#[tokio::test]
async fn a_card_that_fails_late_promises_and_then_cannot_be_captured() {
    let sent = data(&json!({"payment_method": "pm_card_fails_late"}));
    let Ok(Outcome::Authorized { data: promised }) =
        Sandbox::default().authorize(request(&sent)).await
    else {
        panic!("not authorized");
    };
    let reason = "capture_failed".to_owned();
    assert_eq!(Sandbox::default().capture(request(&promised)).await, Ok(Moved::Failed { reason }));
}

/// Everything that the sandbox answers is sent back to it, under any key.
#[tokio::test]
async fn sandbox_answers_never_look_like_a_card_number() {
    let present = data(&json!({PRESENT: true}));
    for number in 0..1_000 {
        let key = format!("payses_{number}");
        let charge = async |data: &Data| {
            let request = Request { idempotency_key: &key, ..request(data) };
            Sandbox::default().charge(request, "sbx_holder", "pm_card_requires_action").await
        };
        let Ok(Outcome::RequiresMore { data: asked }) = charge(&present).await else {
            panic!("not asked under {key}");
        };
        assert!(matches!(charge(&asked).await, Ok(Outcome::Captured { .. })), "{asked:?}");
    }
}

#[tokio::test]
async fn real_card_numbers_are_refused_anywhere_and_never_repeated() {
    for sent in [
        json!({"card": "4111111111111111"}),
        json!({"card": {"number": "4111-1111-1111-1111"}}),
        json!({"note": "my card is 4111 1111 1111 1111, thanks"}),
        json!({"a": [{"b": 4_111_111_111_111_111_u64}]}),
        json!({"4111111111111111": true}),
    ] {
        let Err(ProviderError::Invalid { reason }) = authorize(&sent).await else {
            panic!("accepted {sent}");
        };
        assert!(!reason.contains("4111"), "{reason}");
    }
}

#[tokio::test]
async fn extra_fields_are_not_stored() {
    let sent = json!({"card": {"number": "4242424242424242", "cvc": "123"}, "cvc": "123"});
    let begun = Sandbox::default().initiate(request(&data(&sent))).await.unwrap();
    let stored = Value::Object(begun).to_string();
    assert!(!stored.contains("123\"") && !stored.contains("4242"), "{stored}");
}

#[tokio::test]
async fn unusable_sandbox_data_is_refused() {
    let mut deep = json!(1);
    for _ in 0..10 {
        deep = json!([deep]);
    }
    for sent in [
        json!({"card": "pm_card_unknown"}),
        json!({"card": 7}),
        json!({"deep": deep}),
        json!({"long": "x".repeat(5_000)}),
    ] {
        assert!(matches!(authorize(&sent).await, Err(ProviderError::Invalid { .. })), "{sent}");
    }
    let none = Data::new();
    let free = Request { amount_minor: 0, ..request(&none) };
    assert!(Sandbox::default().authorize(free).await.is_err());
    let keyless = Request { idempotency_key: "", ..request(&none) };
    assert!(Sandbox::default().authorize(keyless).await.is_err());
}

#[test]
fn providers_are_found_by_their_id() {
    let providers = Providers::new(vec![Arc::new(Sandbox::default()), Arc::new(Manual)]);
    assert_eq!(providers.ids().collect::<Vec<_>>(), [ID, manual::ID]);
    assert_eq!(providers.find(manual::ID).map(|provider| provider.id()), Some(manual::ID));
    assert!(providers.find("pp_unknown").is_none());
    assert_ne!(ProviderError::Unavailable.to_string(), "");
}
