//! Tables of price choices.

use std::collections::BTreeMap;

use super::{
    Candidate, Context, ListKind, ListTerms, Preference, PriceRule, REGION, choose,
    is_tax_inclusive,
};

fn price(id: &str, amount_minor: i64) -> Candidate {
    Candidate {
        id: id.into(),
        amount_minor,
        currency: "usd".into(),
        min_quantity: None,
        max_quantity: None,
        rules: vec![],
        list: None,
    }
}

fn rule(attribute: &str, value: &str) -> PriceRule {
    PriceRule { attribute: attribute.into(), values: vec![value.into()] }
}

fn listed(id: &str, amount_minor: i64, kind: ListKind) -> Candidate {
    let list = ListTerms {
        id: "list".into(),
        kind,
        is_active: true,
        starts_at_ms: Some(100),
        ends_at_ms: Some(200),
        rules: vec![],
    };
    Candidate { list: Some(list), ..price(id, amount_minor) }
}

fn context() -> Context {
    let attributes = BTreeMap::from([
        (REGION.to_owned(), vec!["us".to_owned()]),
        ("customer.groups.id".to_owned(), vec!["vip".to_owned(), "staff".to_owned()]),
    ]);
    Context { currency: "usd".into(), attributes, quantity: 1, now_ms: 150 }
}

/// Returns the ids of the calculated and the original price, and checks that the order of the candidates does not
/// matter.
fn chosen(mut candidates: Vec<Candidate>, context: &Context) -> Option<(String, String)> {
    let ids = |candidates: &[Candidate]| {
        let choice = choose(candidates, context)?;
        Some((choice.calculated.id.clone(), choice.original.id.clone()))
    };
    let forwards = ids(&candidates);
    candidates.reverse();
    assert_eq!(forwards, ids(&candidates), "the order matters");
    forwards
}

fn pair(calculated: &str, original: &str) -> (String, String) {
    (calculated.into(), original.into())
}

#[test]
fn most_matching_rules_win_then_the_higher_tier_then_the_lower_amount() {
    let plain = price("plain", 1_000);
    let region = Candidate { rules: vec![rule(REGION, "us")], ..price("region", 1_200) };
    let elsewhere = Candidate { rules: vec![rule(REGION, "eu")], ..price("eu", 1) };
    let vip = Candidate {
        rules: vec![rule(REGION, "us"), rule("customer.groups.id", "vip")],
        ..price("vip", 1_300)
    };
    let bulk = Candidate { min_quantity: Some(10), ..price("bulk", 800) };
    let few = Candidate { max_quantity: Some(9), ..price("few", 900) };
    let euro = Candidate { currency: "eur".into(), ..price("euro", 1) };
    let mut ten = context();
    ten.quantity = 10;

    let one = context();
    assert_eq!(chosen(vec![plain.clone(), region.clone()], &one), Some(pair("region", "region")));
    assert_eq!(chosen(vec![plain.clone(), region, vip], &one), Some(pair("vip", "vip")));
    assert_eq!(chosen(vec![plain.clone(), elsewhere, euro], &one), Some(pair("plain", "plain")));
    assert_eq!(chosen(vec![plain.clone(), bulk.clone()], &one), Some(pair("plain", "plain")));
    assert_eq!(chosen(vec![plain.clone(), bulk, few.clone()], &ten), Some(pair("bulk", "bulk")));
    assert_eq!(chosen(vec![plain, few], &one), Some(pair("few", "few")));
    assert_eq!(chosen(vec![price("b", 1), price("a", 1)], &one), Some(pair("a", "a")));
    assert_eq!(chosen(vec![], &one), None);
}

#[test]
fn a_sale_applies_when_it_is_not_dearer_and_keeps_the_original_beside_it() {
    let plain = price("plain", 1_000);
    let sale = |amount| listed("sale", amount, ListKind::Sale);
    let now = context();
    assert_eq!(chosen(vec![plain.clone(), sale(900)], &now), Some(pair("sale", "plain")));
    assert_eq!(chosen(vec![plain.clone(), sale(1_000)], &now), Some(pair("sale", "plain")));
    assert_eq!(chosen(vec![plain, sale(1_001)], &now), Some(pair("plain", "plain")));
    assert_eq!(chosen(vec![sale(900)], &now), Some(pair("sale", "sale")));
}

#[test]
fn an_override_always_wins_by_its_lowest_price() {
    let candidates = vec![
        price("plain", 1_000),
        listed("sale", 10, ListKind::Sale),
        listed("high", 3_000, ListKind::Override),
        listed("low", 2_000, ListKind::Override),
    ];
    assert_eq!(chosen(candidates, &context()), Some(pair("low", "low")));
}

#[test]
fn a_list_applies_only_while_it_is_open_and_to_its_customers() {
    let with = |change: &dyn Fn(&mut ListTerms)| {
        let mut candidate = listed("sale", 1, ListKind::Sale);
        if let Some(list) = candidate.list.as_mut() {
            change(list);
        }
        chosen(vec![price("plain", 1_000), candidate], &context()).unwrap().0
    };
    assert_eq!(with(&|_| ()), "sale");
    assert_eq!(with(&|list| list.starts_at_ms = Some(150)), "sale");
    assert_eq!(with(&|list| list.starts_at_ms = Some(151)), "plain");
    assert_eq!(with(&|list| list.ends_at_ms = Some(150)), "plain");
    assert_eq!(with(&|list| list.ends_at_ms = None), "sale");
    assert_eq!(with(&|list| list.is_active = false), "plain");
    assert_eq!(with(&|list| list.rules = vec![rule("customer.groups.id", "staff")]), "sale");
    assert_eq!(with(&|list| list.rules = vec![rule("customer.groups.id", "press")]), "plain");
}

#[test]
fn tax_inclusivity_comes_from_the_region_for_its_prices_and_else_from_the_currency() {
    let region = Preference::Region { id: "us".into(), is_tax_inclusive: true };
    let currency = Preference::Currency { code: "usd".into(), is_tax_inclusive: false };
    let both = [currency, region];
    let plain = price("plain", 1);
    let regional = Candidate { rules: vec![rule(REGION, "us")], ..plain.clone() };
    assert!(is_tax_inclusive(&regional, &both));
    assert!(!is_tax_inclusive(&plain, &both));
    assert!(!is_tax_inclusive(&regional, &[]));
    let inclusive = [Preference::Currency { code: "usd".into(), is_tax_inclusive: true }];
    assert!(is_tax_inclusive(&regional, &inclusive));
}
