//! Tables of rules.

use super::{Facts, MAX_RULE_VALUES, MAX_RULES, Operator, Rule, RuleError, check_count};

fn rule(attribute: &str, operator: Operator, values: &[&str]) -> Rule {
    Rule::new(attribute, operator, values.iter().map(|value| (*value).to_owned()).collect())
        .unwrap()
}

#[test]
fn rules_compare_the_present_values_with_their_own() {
    let facts = Facts::default()
        .with("customer.groups.id", "vip")
        .with("customer.groups.id", "staff")
        .with("subtotal", "50.00")
        .with("items.product.id", "pen");
    for (attribute, operator, values, expected) in [
        ("customer.groups.id", Operator::Eq, vec!["vip"], true),
        ("customer.groups.id", Operator::In, vec!["press", "staff"], true),
        ("customer.groups.id", Operator::Ne, vec!["staff"], false),
        ("customer.groups.id", Operator::Ne, vec!["press"], true),
        ("missing", Operator::Ne, vec!["x"], true),
        ("missing", Operator::Eq, vec!["x"], false),
        ("missing", Operator::Gt, vec!["0"], false),
        ("subtotal", Operator::Gt, vec!["50"], false),
        ("subtotal", Operator::Gt, vec!["49.99"], true),
        ("subtotal", Operator::Gte, vec!["50"], true),
        ("subtotal", Operator::Gte, vec!["50.01"], false),
        ("subtotal", Operator::Lt, vec!["50"], false),
        ("subtotal", Operator::Lte, vec!["50"], true),
        ("subtotal", Operator::Lt, vec!["50.01"], true),
        ("subtotal", Operator::Lte, vec!["49.99"], false),
        ("subtotal", Operator::Gt, vec!["60", "40"], true),
        ("customer.groups.id", Operator::Gt, vec!["1"], false),
        ("product.id", Operator::Eq, vec!["pen"], true),
        ("items.product.id", Operator::Eq, vec!["pen"], true),
    ] {
        let holds = rule(attribute, operator, &values).holds(&facts);
        assert_eq!(holds, expected, "{attribute} {operator:?} {values:?}");
    }
}

#[test]
fn a_rule_that_can_never_hold_is_refused() {
    let refused = |operator, values: Vec<String>| Rule::new("subtotal", operator, values).err();
    let attribute = || "subtotal".to_owned();
    assert_eq!(
        refused(Operator::Gt, vec!["much".into()]),
        Some(RuleError::NotANumber { attribute: attribute(), value: "much".into() })
    );
    assert_eq!(check_count(MAX_RULES), Ok(()));
    let count = MAX_RULES + 1;
    assert_eq!(check_count(count), Err(RuleError::TooMany { count }));
    for count in [0, MAX_RULE_VALUES + 1] {
        let expected = Some(RuleError::ValueCount { attribute: attribute(), count });
        assert_eq!(refused(Operator::Eq, vec!["x".into(); count]), expected);
    }
}

#[test]
fn every_operator_has_its_own_word() {
    for &operator in Operator::ALL {
        assert_eq!(Operator::parse(operator.as_str()), Some(operator));
    }
    assert_eq!(Operator::parse("like"), None);
}
