//! Compares the kinds of records with the OpenAPI document.

use super::*;

fn description() -> Value {
    serde_json::from_str(include_str!("../../../../openapi.json")).expect("JSON")
}

/// Returns the schema of a query parameter of a kind's list.
fn parameter<'v>(api: &'v Value, kind: &Kind, name: &str) -> &'v Value {
    let list = api.pointer(&format!("/paths/{}/get/parameters", kind.api.replace('/', "~1")));
    let parameters = list.and_then(Value::as_array).unwrap_or_else(|| panic!("{}", kind.name));
    let own = parameters.iter().find(|own| own["name"] == name);
    &own.unwrap_or_else(|| panic!("{name} of {}", kind.name))["schema"]
}

#[test]
fn a_list_is_sorted_by_every_column_that_the_api_orders_by() {
    let api = description();
    for kind in ALL {
        let order = parameter(&api, kind, "order");
        let words = order["enum"].as_array().expect("words");
        let fields = kind.columns.iter().filter_map(|own| own.pointer.strip_prefix('/'));
        let fields: Vec<&str> = fields.filter(|own| words.iter().any(|word| word == own)).collect();
        assert_eq!(kind.sorts, fields, "{}", kind.name);
        assert_eq!(kind.order, order["default"], "{}", kind.name);
    }
}

#[test]
fn a_filter_offers_every_word_that_the_api_takes() {
    let api = description();
    for kind in ALL {
        for filter in kind.filters {
            let words = parameter(&api, kind, filter.name)["enum"].as_array();
            let words = words.into_iter().flatten().filter_map(Value::as_str);
            let missing: Vec<&str> = words.filter(|word| !filter.values.contains(word)).collect();
            assert!(missing.is_empty(), "{} of {}: {missing:?}", filter.name, kind.name);
        }
    }
}
