//! Tables of price choices.

use std::collections::BTreeMap;

use super::*;

/// Returns an id for a name; ids of single letters are in the order of these.
fn id(name: &str) -> PriceId {
    PriceId::seeded(0, name.bytes().fold(0, |seed, byte| (seed << 8) | u128::from(byte)))
}

fn currency(code: &str) -> Currency {
    code.parse().unwrap()
}

fn at(ms: i64) -> Timestamp {
    Timestamp::from_millis(ms)
}

fn price(name: &str, amount_minor: i64) -> Candidate {
    Candidate {
        id: id(name),
        amount_minor,
        currency: currency("usd"),
        min_quantity: None,
        max_quantity: None,
        rules: vec![],
        list: None,
    }
}

fn rule(attribute: &str, value: &str) -> PriceRule {
    PriceRule { attribute: attribute.into(), values: vec![value.into()] }
}

fn listed(name: &str, amount_minor: i64, kind: ListKind) -> Candidate {
    let list = ListTerms {
        id: PriceListId::new(),
        kind,
        is_active: true,
        starts_at: Some(at(100)),
        ends_at: Some(at(200)),
        rules: vec![],
    };
    Candidate { list: Some(list), ..price(name, amount_minor) }
}

fn context() -> Context {
    let attributes = BTreeMap::from([
        (REGION.to_owned(), vec!["us".to_owned()]),
        ("customer.groups.id".to_owned(), vec!["vip".to_owned(), "staff".to_owned()]),
    ]);
    Context { currency: currency("usd"), attributes, quantity: 1, now: at(150) }
}

/// Returns the ids of the calculated and the original price, and checks that the order of the candidates does not
/// matter.
fn chosen(mut candidates: Vec<Candidate>, context: &Context) -> Option<(PriceId, PriceId)> {
    let ids = |candidates: &[Candidate]| {
        let choice = choose(candidates, context)?;
        Some((choice.calculated.id.clone(), choice.original.id.clone()))
    };
    let forwards = ids(&candidates);
    candidates.reverse();
    assert_eq!(forwards, ids(&candidates), "the order matters");
    forwards
}

fn pair(calculated: &str, original: &str) -> (PriceId, PriceId) {
    (id(calculated), id(original))
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
    let euro = Candidate { currency: currency("eur"), ..price("euro", 1) };
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
fn every_price_counts_however_many_there_are() {
    let many = [vec![price("b", 2); 1_000], vec![price("a", 1)]].concat();
    assert_eq!(chosen(many, &context()), Some(pair("a", "a")));
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
    assert_eq!(with(&|_| ()), id("sale"));
    assert_eq!(with(&|list| list.starts_at = Some(at(150))), id("sale"));
    assert_eq!(with(&|list| list.starts_at = Some(at(151))), id("plain"));
    assert_eq!(with(&|list| list.ends_at = Some(at(150))), id("plain"));
    assert_eq!(with(&|list| list.ends_at = None), id("sale"));
    assert_eq!(with(&|list| list.is_active = false), id("plain"));
    assert_eq!(with(&|list| list.rules = vec![rule("customer.groups.id", "staff")]), id("sale"));
    assert_eq!(with(&|list| list.rules = vec![rule("customer.groups.id", "press")]), id("plain"));
}

fn preference(attribute: &str, value: &str, is_tax_inclusive: bool) -> Preference {
    Preference { attribute: attribute.into(), value: value.into(), is_tax_inclusive }
}

#[test]
fn tax_inclusivity_comes_from_the_region_for_its_prices_and_else_from_the_currency() {
    let region = preference(REGION, "us", true);
    let currency = preference("currency_code", "usd", false);
    let both = [currency, region];
    let plain = price("plain", 1);
    let regional = Candidate { rules: vec![rule(REGION, "us")], ..plain.clone() };
    assert!(is_tax_inclusive(&regional, &both));
    assert!(!is_tax_inclusive(&plain, &both));
    assert!(!is_tax_inclusive(&regional, &[]));
    let inclusive = [preference("currency_code", "usd", true)];
    assert!(is_tax_inclusive(&regional, &inclusive));
}
