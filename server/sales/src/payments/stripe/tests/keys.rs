//! What is asked for twice: under one key the processor repeats its first answer, or refuses what differs.

use serde_json::{Value, json};

use super::{Double, Outcome, Provider, ProviderError, data, intent, request};

/// Returns the keys of the requests that have one.
fn keys(double: &Double) -> Vec<String> {
    let key = |asked: &String| {
        asked.lines().find_map(|line| line.strip_prefix("idempotency-key: ").map(str::to_owned))
    };
    double.requests().iter().filter_map(key).collect()
}

/// An intent of another amount, as it is before a change.
fn cheaper(status: &str) -> Value {
    let mut cheaper = intent(status);
    cheaper["amount"] = json!(1_000);
    cheaper
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
    let data = data();

    assert!(double.stripe.update_amount(request("payses_1", &data)).await.is_ok());
    assert!(double.stripe.update_amount(request("payses_1", &data)).await.is_ok());
    let unchanged = double.stripe.update_amount(request("payses_1", &data)).await;

    assert_eq!(unchanged, Err(ProviderError::Unavailable));
    let asked = double.requests();
    let posts: Vec<&String> = asked.iter().filter(|asked| asked.starts_with("post ")).collect();
    assert_eq!(posts.len(), 2, "{asked:?}");
    assert!(posts.iter().all(|asked| asked.ends_with("amount=1250")), "{posts:?}");
    assert_eq!(keys(&double), Vec::<String>::new());
}

#[tokio::test]
async fn an_amount_changes_and_a_token_pays_only_while_the_intent_is_open() {
    let data = data();
    let double = Double::answering(vec![(200, cheaper("succeeded"))]).await;
    let refused = double.stripe.update_amount(request("payses_1", &data)).await;
    assert_eq!(refused, Err(ProviderError::Invalid { reason: "succeeded".to_owned() }));

    let double = Double::answering(vec![(200, intent("succeeded"))]).await;
    let paid = double.stripe.confirm(request("payses_1", &data), "ctoken_1").await;
    assert!(matches!(paid, Ok(Outcome::Captured { .. })), "{paid:?}");
    assert_eq!(double.requests().len(), 1);
}
