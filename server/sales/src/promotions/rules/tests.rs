//! Tables of rules and eligibility.

use super::{
    Budget, Campaign, Facts, MAX_RULE_VALUES, MAX_RULES, Operator, Refusal, Rule, RuleError,
    Shopper, Status, Terms, check_count, eligible,
};

fn rule(attribute: &str, operator: Operator, values: &[&str]) -> Rule {
    Rule::new(attribute, operator, values.iter().map(|value| (*value).to_owned()).collect())
        .unwrap()
}

fn terms() -> Terms {
    Terms {
        status: Status::Active,
        limit: None,
        used: 0,
        currency: None,
        campaign: None,
        rules: vec![],
    }
}

fn in_campaign(campaign: Campaign) -> Terms {
    Terms { campaign: Some(campaign), ..terms() }
}

fn checked(terms: &Terms) -> Result<(), Refusal> {
    let facts = Facts::default().with("region_id", "us");
    eligible(terms, &Shopper { currency: "usd", now_ms: 100, facts: &facts })
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

#[test]
fn a_promotion_applies_unless_one_of_its_terms_refuses() {
    let spend = |used_minor, currency: &str| Campaign {
        budget: Some(Budget::Spend {
            limit_minor: Some(10),
            used_minor,
            currency: currency.into(),
        }),
        ..Campaign::default()
    };
    let usage = |used| Campaign {
        budget: Some(Budget::Usage { limit: Some(2), used }),
        ..Campaign::default()
    };
    let dates = |starts_at_ms, ends_at_ms| Campaign { starts_at_ms, ends_at_ms, budget: None };
    let rules = |region| vec![rule("region_id", Operator::Eq, &[region])];
    for (terms, expected) in [
        (terms(), Ok(())),
        (Terms { status: Status::Draft, ..terms() }, Err(Refusal::NotActive)),
        (Terms { status: Status::Inactive, ..terms() }, Err(Refusal::NotActive)),
        (Terms { limit: Some(1), used: 0, ..terms() }, Ok(())),
        (Terms { limit: Some(1), used: 1, ..terms() }, Err(Refusal::UsedUp)),
        (Terms { currency: Some("usd".into()), ..terms() }, Ok(())),
        (Terms { currency: Some("eur".into()), ..terms() }, Err(Refusal::OtherCurrency)),
        (in_campaign(dates(Some(100), Some(101))), Ok(())),
        (in_campaign(dates(Some(101), None)), Err(Refusal::NotStarted)),
        (in_campaign(dates(None, Some(100))), Err(Refusal::Ended)),
        (in_campaign(spend(9, "usd")), Ok(())),
        (in_campaign(spend(10, "usd")), Err(Refusal::BudgetSpent)),
        (in_campaign(spend(0, "eur")), Err(Refusal::OtherCurrency)),
        (in_campaign(usage(1)), Ok(())),
        (in_campaign(usage(2)), Err(Refusal::BudgetSpent)),
        (Terms { rules: rules("us"), ..terms() }, Ok(())),
        (Terms { rules: rules("eu"), ..terms() }, Err(Refusal::RulesUnmet)),
    ] {
        assert_eq!(checked(&terms), expected, "{terms:?}");
    }
}
