//! Tests of the templates.

use serde_json::{Map, Value, json};

use super::{all, find, parameters};
use crate::registry::schema;

fn filled(key: &str, chosen: Value) -> Result<String, String> {
    let chosen: Map<String, Value> =
        serde_json::from_value(chosen).map_err(|error| error.to_string())?;
    let pounds = schema::currency("gbp").map_err(|error| error.to_string())?;
    parameters::filled(find(key).expect("a template"), &chosen, pounds)
        .map_err(|error| error.to_string())
}

#[test]
fn every_metric_of_the_file_is_a_template() {
    assert_eq!(all().len(), super::FILE.lines().filter(|line| line.starts_with("metric ")).count());
    assert_eq!(all().len(), 133);
}

#[test]
fn every_parameter_occurs_in_its_formula() {
    let mut count = 0;
    for template in all() {
        for parameter in template.parameters() {
            count += 1;
            let other = match parameter.kind {
                super::ParameterKind::Span => json!("3 days"),
                super::ParameterKind::Text => json!("it's"),
                super::ParameterKind::Period => json!("2025-H2"),
                super::ParameterKind::Percentage
                | super::ParameterKind::Amount
                | super::ParameterKind::Count => json!(7),
            };
            let plain = filled(&template.key, json!({})).expect("a formula");
            let chosen =
                filled(&template.key, json!({ parameter.name: other })).expect("a formula");
            assert_ne!(plain, chosen, "{} of {}", parameter.name, template.key);
        }
    }
    assert_eq!(count, 17);
}

#[test]
fn amounts_are_in_the_currency_of_the_store() {
    for template in all() {
        let formula = filled(&template.key, json!({})).expect("a formula");
        assert!(!formula.contains("USD"), "{formula}");
    }
    let band = filled("spend_band", json!({ "low": 12.5, "high": 99 })).expect("a formula");
    assert!(band.contains("< 12.5 GBP") && band.contains("between 12.5 GBP and 99 GBP"), "{band}");
}

#[test]
fn a_value_is_not_taken_for_the_place_of_another() {
    assert_eq!(
        filled("sales_health", json!({ "red": 0, "amber": 5 })).expect("a formula"),
        "if(growth(net_sales) < 0%, 'red', if(growth(net_sales) < 5%, 'amber', 'green'))"
    );
}

#[test]
fn invalid_parameters_are_refused_by_name() {
    for (key, chosen, part) in [
        ("gmv", json!({ "span": "3 days" }), "has no parameter `span`"),
        ("gmv_trailing_30", json!({ "span": "30 days) + (1" }), "`span` cannot be"),
        ("gmv_trailing_30", json!({ "span": 30 }), "`span` cannot be 30"),
        ("q1_gmv", json!({ "period": "2026-Q5" }), "`period` cannot be"),
        ("high_value_share", json!({ "threshold": 1.001 }), "`threshold` cannot be 1.001"),
        ("high_value_share", json!({ "threshold": -1 }), "`threshold` cannot be -1"),
        ("p90_order_value", json!({ "percentile": [90] }), "`percentile` cannot be [90]"),
    ] {
        let refused = filled(key, chosen).expect_err("a refusal");
        assert!(refused.contains(part), "{refused}");
    }
    assert_eq!(
        filled("mobile_share", json!({ "channel": "Bob's" })).expect("a formula"),
        "(net_sales where sales_channel = 'Bob''s') / net_sales"
    );
}
