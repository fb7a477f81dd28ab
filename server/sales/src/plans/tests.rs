//! Tests of discounts.

use super::discount::{Discount, DiscountRequest};
use crate::money::Currency;
use crate::proportion::OutOfRange;

fn currency(code: &str) -> Currency {
    Currency::from_code(code).expect("a currency")
}

fn request(json: &str) -> DiscountRequest {
    serde_json::from_str(json).expect("a request")
}

fn discount(json: &str) -> Result<Discount, String> {
    request(json).into_discount(Some(currency("usd"))).map_err(|error| error.to_string())
}

#[test]
fn the_price_with_a_plan_is_exact_and_rounded_once() {
    for (text, code, price_minor, expected) in [
        (r#"{"type": "percent", "value": 10}"#, "gbp", 1_299, 1_169),
        (r#"{"type": "percent", "value": 12.5}"#, "usd", 1_000, 875),
        (r#"{"type": "percent", "value": 50}"#, "usd", 5, 2),
        (r#"{"type": "percent", "value": 33.3333}"#, "jpy", 3, 2),
        (r#"{"type": "percent", "value": 0}"#, "usd", 1_299, 1_299),
        (r#"{"type": "percent", "value": 100}"#, "usd", 1_299, 0),
        (r#"{"type": "percent", "value": 15}"#, "kwd", 12_345, 10_493),
        (r#"{"type": "amount", "value": 2.5}"#, "usd", 1_299, 1_049),
        (r#"{"type": "amount", "value": 2.5}"#, "gbp", 1_299, 1_299),
        (r#"{"type": "amount", "value": 2.5, "currency_code": "kwd"}"#, "kwd", 12_345, 9_845),
        (r#"{"type": "amount", "value": 20}"#, "usd", 1_299, 0),
        (r#"{"type": "amount", "value": 0}"#, "usd", 1_299, 1_299),
        (r#"{"type": "percent", "value": 10}"#, "usd", 0, 0),
    ] {
        let price = discount(text).expect("a discount").apply(price_minor, currency(code));
        assert_eq!(price, Ok(expected), "{text} {code} {price_minor}");
    }
    assert_eq!(Discount::Percent(i64::MAX).apply(i64::MAX, currency("usd")), Err(OutOfRange));
}

#[test]
fn an_invalid_discount_is_refused_with_the_expected_form() {
    for (text, expected) in [
        (r#"{"type": "percent", "value": 100.0001}"#, "from 0 to 100"),
        (r#"{"type": "percent", "value": -1}"#, "from 0 to 100"),
        (r#"{"type": "percent", "value": 1.00001}"#, "at most four decimals"),
        (r#"{"type": "percent", "value": 1, "currency_code": "usd"}"#, "a percentage has none"),
        (r#"{"type": "amount", "value": -0.01}"#, "must not be below zero"),
        (r#"{"type": "amount", "value": 0.001}"#, "more digits after the point than usd has"),
    ] {
        let refusal = discount(text).expect_err("a refusal");
        assert!(refusal.contains(expected), "{text}: {refusal}");
    }
    assert!(request(r#"{"type": "amount", "value": 1}"#).into_discount(None).is_err());
}
