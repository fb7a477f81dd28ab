//! What conditions can express, and what is rejected.

use quotient::data::Record;

use super::{Conditions, Kind};
use crate::money::Currency;

fn conditions() -> Conditions {
    let usd = Currency::from_code("usd").expect("a currency");
    Conditions::new(usd, [("size", Kind::Text), ("extras", Kind::Texts)])
}

fn record() -> Record {
    Record::from_json(
        r#"{ "order_total": {"amount": 42.5, "currency": "USD"}, "skus": ["MUG"], "is_guest": true,
             "bucket": 49, "answer_size": "L", "answer_extras": ["bow"], "country": null }"#,
    )
    .expect("a record")
}

#[test]
fn a_condition_reads_the_record_and_an_unknown_value_is_unequal_to_everything() {
    let (conditions, record) = (conditions(), record());
    for (text, expected) in [
        ("order_total >= 30 USD and not contains(skus, 'SOCKS-1')", true),
        ("order_total >= 42.51 USD", false),
        ("contains(skus, 'MUG')", true),
        ("bucket < 50", true),
        ("bucket < 49", false),
        ("is_guest", true),
        ("answer_size = 'L' and contains(answer_extras, 'bow')", true),
        ("country = 'gb'", false),
        ("country != 'gb'", true),
        ("country is null", true),
        ("cart_total > 0 USD", false),
    ] {
        assert!(conditions.check(text).is_ok(), "{text}: {:?}", conditions.check(text));
        assert_eq!(conditions.holds(text, &record), expected, "{text}");
    }
}

#[test]
fn a_misspelled_name_another_currency_and_a_number_are_refused_with_a_suggestion() {
    let conditions = conditions();
    for (text, code, suggestion) in [
        ("order_totl > 5 USD", "E203", Some("order_total > 5 USD")),
        ("order_total > 5 EUR", "E310", None),
        ("order_total > 5", "E301", None),
        ("order_total", "E322", None),
        ("sum(orders.total) > 5 USD", "E201", None),
    ] {
        let findings = conditions.check(text).expect_err(text);
        let first = &findings[0];
        assert!(first["code"].as_str().is_some_and(|own| own.starts_with('E')), "{text}: {first}");
        if code == "E203" || code == "E322" || code == "E310" {
            assert_eq!(first["code"], code, "{text}: {first}");
        }
        if let Some(suggestion) = suggestion {
            assert_eq!(first["suggestion"], suggestion, "{text}");
        }
    }
}
