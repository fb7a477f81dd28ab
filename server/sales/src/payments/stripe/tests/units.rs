//! Amounts in currencies for which the processor does not use minor units.

use serde_json::json;

use super::{
    Currency, DATA, Double, Moved, Outcome, Provider, ProviderError, Request, intent, request,
};

#[tokio::test]
async fn a_currency_is_charged_captured_and_refunded_in_the_units_of_the_processor() {
    let mut captured = intent("succeeded");
    captured["amount"] = json!(125_000);
    captured["currency"] = json!("isk");
    let mut held = captured.clone();
    held["status"] = json!("requires_capture");
    let answers = vec![
        (200, captured.clone()),
        (200, captured.clone()),
        (200, held),
        (200, captured.clone()),
        (200, captured),
        (200, json!({ "data": [] })),
        (200, json!({ "id": "re_1" })),
    ];
    let double = Double::answering(answers).await;
    let isk = Currency::from_code("isk").unwrap();
    let of = |key| Request { currency: isk, ..request(key, &DATA) };

    assert!(double.stripe.initiate(of("payses_1")).await.is_ok());
    let paid = double.stripe.authorize(of("payses_1")).await;
    assert!(matches!(paid, Ok(Outcome::Captured { .. })), "{paid:?}");
    assert_eq!(double.stripe.capture(of("pay_1")).await, Ok(Moved::Done));
    assert_eq!(double.stripe.refund(of("pay_1_refund")).await, Ok(Moved::Done));

    let asked = double.requests();
    let amounts = asked.iter().filter(|asked| asked.contains("=125000")).count();
    assert_eq!(amounts, 3, "{asked:?}");

    let currency = Currency::from_code("kwd").unwrap();
    let fraction = Request { amount_minor: 1_255, currency, ..request("key", &DATA) };
    let refused = double.stripe.initiate(fraction).await;
    let reason = "cards cannot be charged 1.255 KWD: round it".to_owned();
    assert_eq!(refused, Err(ProviderError::Invalid { reason }));
}
