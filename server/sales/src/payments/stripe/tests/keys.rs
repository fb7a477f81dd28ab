//! Repeated requests: with the same key, the processor repeats its first answer, or rejects a different
//! request.

use serde_json::{Value, json};

use super::{DATA, Data, Double, Outcome, Provider, ProviderError, intent, request};

/// Returns the keys of the requests that have one.
fn keys(double: &Double) -> Vec<String> {
    let key = |asked: &String| {
        asked.lines().find_map(|line| line.strip_prefix("idempotency-key: ").map(str::to_owned))
    };
    double.requests().iter().filter_map(key).collect()
}

fn declined() -> Value {
    json!({ "error": { "type": "card_error", "decline_code": "insufficient_funds" } })
}

/// An intent with another amount, as before a change.
fn cheaper(status: &str) -> Value {
    let mut cheaper = intent(status);
    cheaper["amount"] = json!(1_000);
    cheaper
}

#[tokio::test]
async fn another_token_may_pay_after_a_card_was_declined() {
    let open = (200, intent("requires_payment_method"));
    let answers = vec![open.clone(), (402, declined()), open, (200, intent("succeeded"))];
    let double = Double::answering(answers).await;

    let first = double.stripe.confirm(request("payses_1", &DATA), "ctoken_1").await;
    let second = double.stripe.confirm(request("payses_1", &DATA), "ctoken_2").await;

    assert_eq!(first, Ok(Outcome::Declined { reason: "insufficient_funds".to_owned() }));
    assert!(matches!(second, Ok(Outcome::Captured { .. })), "{second:?}");
    let keys = keys(&double);
    assert!(keys.iter().all(|key| key.starts_with("payses_1_token_")), "{keys:?}");
    assert_ne!(keys[0], keys[1]);
}

#[tokio::test]
async fn a_card_that_was_declined_may_be_tried_again_and_another_one_too() {
    let with = |method: &str, charge: Value| {
        let mut intent = intent("requires_confirmation");
        intent["payment_method"] = json!(method);
        intent["latest_charge"] = charge;
        (200, intent)
    };
    let answers = vec![
        with("pm_1", Value::Null),
        (402, declined()),
        with("pm_1", json!("ch_1")),
        (402, declined()),
        with("pm_2", json!({ "id": "ch_2" })),
        (200, intent("succeeded")),
    ];
    let double = Double::answering(answers).await;

    for is_paid in [false, false, true] {
        let outcome = double.stripe.authorize(request("payses_1", &DATA)).await;
        assert_eq!(matches!(outcome, Ok(Outcome::Captured { .. })), is_paid, "{outcome:?}");
    }

    let expected =
        ["payses_1_confirm_pm_1_", "payses_1_confirm_pm_1_ch_1", "payses_1_confirm_pm_2_ch_2"];
    assert_eq!(keys(&double), expected);
}

#[tokio::test]
async fn a_key_reused_for_another_request_is_reported_in_words_for_shoppers() {
    let error = json!({ "error": { "type": "idempotency_error",
        "message": "Keys for idempotent requests can only be used with the same parameters" } });
    let double = Double::answering(vec![(400, error)]).await;
    let begun = Data::new();
    let refused = double.stripe.initiate(request("payses_1", &begun)).await;
    let reason = "the payment was asked for in another way before: begin a new one".to_owned();
    assert_eq!(refused, Err(ProviderError::Invalid { reason }));
}

#[tokio::test]
async fn an_amount_that_changes_there_and_back_is_the_last_one_at_the_processor() {
    let answers = vec![
        (200, cheaper("requires_action")),
        (200, intent("requires_action")),
        // It is that already.
        (200, intent("requires_action")),
        (200, cheaper("requires_action")),
        (200, cheaper("requires_action")),
    ];
    let double = Double::answering(answers).await;

    assert!(double.stripe.update_amount(request("payses_1", &DATA)).await.is_ok());
    assert!(double.stripe.update_amount(request("payses_1", &DATA)).await.is_ok());
    let unchanged = double.stripe.update_amount(request("payses_1", &DATA)).await;

    assert_eq!(unchanged, Err(ProviderError::Unavailable));
    let asked = double.requests();
    let posts: Vec<&String> = asked.iter().filter(|asked| asked.starts_with("post ")).collect();
    assert_eq!(posts.len(), 2, "{asked:?}");
    assert!(posts.iter().all(|asked| asked.ends_with("amount=1250")), "{posts:?}");
    assert_eq!(keys(&double), Vec::<String>::new());
}

#[tokio::test]
async fn an_amount_changes_and_a_token_pays_only_while_the_intent_is_open() {
    let double = Double::answering(vec![(200, cheaper("succeeded"))]).await;
    let refused = double.stripe.update_amount(request("payses_1", &DATA)).await;
    assert_eq!(refused, Err(ProviderError::Invalid { reason: "succeeded".to_owned() }));

    let double = Double::answering(vec![(200, intent("succeeded"))]).await;
    let paid = double.stripe.confirm(request("payses_1", &DATA), "ctoken_1").await;
    assert!(matches!(paid, Ok(Outcome::Captured { .. })), "{paid:?}");
    assert_eq!(double.requests().len(), 1);
}
