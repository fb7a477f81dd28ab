//! Changes attributed to inputs, and answers compared: the parts shown add up to the last digit.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    reason = "an expectation that does not hold fails the test"
)]

use proptest::prelude::*;
use quotient::data::{Data, Rates, Record};
use quotient::explain::{
    Cause, ChangeKind, DecomposeError, Decomposition, Diff, FormulaRequest, Method, Scope, causes,
    diff,
};
use quotient::format::exact;
use quotient::types::{Reason, Value};
use quotient::{Engine, Filter, Inputs, Request, file};
use rust_decimal::Decimal;

const INPUTS: &str = "
input a money(EUR)
input b money(EUR)
input c count
input d count
input r ratio
";

fn engine(text: &str) -> Engine {
    let loaded = file::load("shop", &mut |_| Ok(text.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:?}");
    engine
}

fn record(values: &[(&str, &str)]) -> Record {
    values.iter().fold(Record::new(), |record, (name, value)| match *value {
        "null" => record.with(name, quotient::data::RecordValue::Null),
        value => record.with(name, value),
    })
}

fn split(engine: &Engine, formula: &str, from: &Record, to: &Record) -> Decomposition {
    let request = Request::default();
    let formula = engine.compile(formula).expect(formula);
    let scope = |record| Scope { inputs: Inputs::record(record), request: &request };
    engine.decompose(&formula, (&scope(from), &scope(to)), 1).expect("numbers")
}

fn number(value: &Value) -> Decimal {
    value.as_number().expect("a number")
}

/// The sum of the attributed amounts and the unattributed rest.
fn sum(split: &Decomposition) -> Decimal {
    let amounts = split.contributions.iter().filter(|part| !part.amount.is_missing());
    amounts.map(|part| number(&part.amount)).sum::<Decimal>() + number(&split.unassigned)
}

fn amounts(split: &Decomposition) -> Vec<String> {
    let amount = |value: &Value| match value.as_missing() {
        Some(missing) => missing.reason.name().to_owned(),
        None => exact(value),
    };
    split
        .contributions
        .iter()
        .map(|part| format!("{} {}", part.label, amount(&part.amount)))
        .collect()
}

const FORMULAS: [&str; 12] = [
    "a / c",
    "a - b",
    "(a - b) / (c + d)",
    "a * r",
    "a * r / c - b / d",
    "if(c > d, a, b) * r",
    "a / c default b",
    "a + b + a * r - b * r",
    "max(a, b) / (c - d)",
    "round(a / c, 1) + b",
    "let x = a / c; x + x / 2 * r",
    "(a / c + b / d) * (r + 1) ^ 2",
];

fn values() -> impl Strategy<Value = Vec<(&'static str, String)>> {
    let amount = prop_oneof![
        8 => (-99_999_i64..99_999).prop_map(|cents| Decimal::new(cents, 2).to_string()),
        1 => Just("null".to_owned()),
        1 => Just("0".to_owned()),
    ];
    let count =
        prop_oneof![8 => (0_i64..50).prop_map(|n| n.to_string()), 1 => Just("null".to_owned())];
    let ratio = (-2_000_i64..2_000).prop_map(|parts| Decimal::new(parts, 3).to_string());
    (amount.clone(), amount, count.clone(), count, ratio)
        .prop_map(|(a, b, c, d, r)| vec![("a", a), ("b", b), ("c", c), ("d", d), ("r", r)])
}

fn given(values: &[(&'static str, String)]) -> Record {
    let values: Vec<(&str, &str)> =
        values.iter().map(|(name, text)| (*name, text.as_str())).collect();
    record(&values)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn contributions_add_up_a_swap_negates_and_what_stays_adds_nothing(
        which in 0..FORMULAS.len(), before in values(), after in values(), kept in 0_usize..5,
    ) {
        let mut after = after;
        after[kept] = before[kept].clone();
        let engine = engine(INPUTS);
        let (from, to) = (given(&before), given(&after));
        let there = split(&engine, FORMULAS[which], &from, &to);
        let back = split(&engine, FORMULAS[which], &to, &from);

        prop_assert_eq!(there.change.is_missing(), matches!(there.method, Method::None(_)) && there.unassigned.is_missing());
        if !there.change.is_missing() {
            prop_assert_eq!(number(&there.from.value) + number(&there.change), number(&there.to.value));
            prop_assert_eq!(sum(&there), number(&there.change));
            prop_assert_eq!(number(&back.change), -number(&there.change));
        }
        for (part, other) in there.contributions.iter().zip(&back.contributions) {
            match (part.amount.as_number(), other.amount.as_number()) {
                (Some(amount), Some(other)) => prop_assert_eq!(amount, -other),
                (amount, other) => prop_assert_eq!(amount, other),
            }
            if part.presence == ChangeKind::Unchanged && !part.amount.is_missing() {
                prop_assert_eq!(number(&part.amount), Decimal::ZERO);
            }
        }
    }

    #[test]
    fn inputs_of_one_part_contribute_equally(before in -9_999_i64..9_999, after in -9_999_i64..9_999, r in 1_i64..9) {
        let engine = engine(INPUTS);
        let at = |cents: i64, r: i64| {
            let amount = Decimal::new(cents, 2).to_string();
            record(&[("a", &amount), ("b", &amount), ("r", &r.to_string())])
        };
        let split = split(&engine, "(a + b) / r", &at(before, r), &at(after, 9 - r));
        let (a, b) = (number(&split.contributions[0].amount), number(&split.contributions[1].amount));
        // The last cent goes to one of them.
        prop_assert!((a - b).abs() <= Decimal::new(1, 2), "{a} {b}");
        prop_assert_eq!(sum(&split), number(&split.change));
    }

    #[test]
    fn many_inputs_add_up_as_well(seed in prop::collection::vec((-999_i64..999, -999_i64..999), 24)) {
        let names: Vec<String> = (0..seed.len()).map(|index| format!("x{index}")).collect();
        let inputs: Vec<String> = names.iter().map(|name| format!("input {name} money(EUR)")).collect();
        let inputs = inputs.join("
");
        let engine = engine(&inputs);
        let pairs: Vec<String> = names.chunks(2).map(|pair| format!("{} * ({} / (1 EUR))", pair[0], pair[1])).collect();
        let formula = pairs.join(" + ");
        let side = |later: bool| {
            names.iter().zip(&seed).fold(Record::new(), |record, (name, (old, new))| {
                record.with(name, Decimal::new(if later { *new } else { *old }, 2))
            })
        };
        let there = split(&engine, &formula, &side(false), &side(true));
        let back = split(&engine, &formula, &side(true), &side(false));
        prop_assert_eq!(there.method, Method::SomeOrders);
        prop_assert_eq!(sum(&there), number(&there.change));
        for (part, other) in there.contributions.iter().zip(&back.contributions) {
            prop_assert_eq!(number(&part.amount), -number(&other.amount));
        }
    }
}

#[test]
fn an_amount_is_the_average_over_the_orders_of_change() {
    let engine = engine(INPUTS);
    for (formula, from, to, expected) in [
        // 200 to 333.33 with more money first, 120 to 200 with more orders first.
        (
            "a / c",
            &[("a", "600"), ("c", "60")][..],
            &[("a", "1000"), ("c", "60")][..],
            vec!["a 6.67", "c 0"],
        ),
        (
            "a / c",
            &[("a", "600"), ("c", "3")],
            &[("a", "1000"), ("c", "5")],
            vec!["a 106.66", "c -106.66"],
        ),
        ("a - b", &[("a", "5"), ("b", "1")], &[("a", "7"), ("b", "4")], vec!["a 2", "b -3"]),
        (
            "a + b",
            &[("a", "1")],
            &[("a", "1"), ("b", "4")],
            vec!["a missing_input", "b missing_input"],
        ),
        ("a + (b default 0)", &[("a", "1")], &[("a", "1"), ("b", "4")], vec!["a 0", "b 4"]),
        (
            "a / c",
            &[("a", "600"), ("c", "0")],
            &[("a", "600"), ("c", "5")],
            vec!["a division_by_zero", "c division_by_zero"],
        ),
    ] {
        let split = split(&engine, formula, &record(from), &record(to));
        let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(amounts(&split), expected, "{formula}");
    }
}

#[test]
fn a_change_without_a_way_from_one_side_to_the_other_is_given_to_no_input() {
    let engine = engine(INPUTS);
    // Either change alone divides by zero.
    let split = split(
        &engine,
        "a / (c - d)",
        &record(&[("a", "12"), ("c", "3"), ("d", "1")]),
        &record(&[("a", "12"), ("c", "1"), ("d", "3")]),
    );
    assert_eq!(split.method, Method::None(Reason::DivisionByZero));
    assert_eq!(number(&split.change), Decimal::from(-12));
    assert_eq!(split.unassigned, split.change);
}

#[test]
fn texts_and_conditions_have_no_amount() {
    let engine = engine(INPUTS);
    let (record, request) = (record(&[]), Request::default());
    let scope = Scope { inputs: Inputs::record(&record), request: &request };
    for formula in ["a > b", "'text'"] {
        let formula = engine.compile(formula).expect(formula);
        let refused = engine.decompose(&formula, (&scope, &scope), 1).expect_err("no number");
        assert!(matches!(refused, DecomposeError::NotANumber(_)), "{refused}");
    }
}

const SHOP: &str = "
store
    currency EUR
    timezone UTC

source orders event
    date placed_at datetime
    field total money
    field country text

metric sales = sum(orders.total)
    type currency
metric order_count = count(orders)
metric aov = sales / order_count
    type currency
metric doubled = aov * 2
";

fn rows(engine: &Engine, rows: &[[&str; 3]], version: &str) -> Data {
    let mut table = engine.table("orders", &["placed_at", "total", "country"]).expect("a source");
    for row in rows {
        table.push(row).expect("a row");
    }
    engine.data(vec![table.finish()], Rates::new()).expect("rows").with_version(version)
}

const ROWS: [[&str; 3]; 6] = [
    ["2026-01-05 10:00:00", "40.00", "DE"],
    ["2026-01-31 23:30:00", "20.00", "FR"],
    ["2026-01-20 10:00:00", "30.01", "DE"],
    ["2026-02-02 10:00:00", "55.00", "DE"],
    ["2026-02-12 10:00:00", "10.10", "FR"],
    ["2026-02-22 10:00:00", "12.34", "FR"],
];

fn month(first: &str, last: &str) -> Request {
    let day = |text: &str| text.parse().expect("a day");
    Request { period: Some((day(first), day(last))), ..Request::default() }
}

fn scope<'a>(data: &'a Data, request: &'a Request) -> Scope<'a> {
    Scope { inputs: Inputs::data(data), request }
}

#[test]
fn a_change_between_months_is_split_at_the_depth_asked_for() {
    let engine = engine(SHOP);
    let data = rows(&engine, &ROWS, "v1");
    let (january, february) =
        (month("2026-01-01", "2026-01-31"), month("2026-02-01", "2026-02-28"));
    let split = |formula: &str, levels, conditions: [Option<&'static str>; 2]| {
        let formula = engine.compile(formula).expect(formula);
        let narrowed = |request: &Request, condition: Option<&str>| Request {
            filter: condition.map(Filter::new),
            ..request.clone()
        };
        let (before, after) =
            (narrowed(&january, conditions[0]), narrowed(&february, conditions[1]));
        let (from, to) = (scope(&data, &before), scope(&data, &after));
        engine.decompose(&formula, (&from, &to), levels).expect("numbers")
    };
    let plain = split("aov", 1, [None, None]);
    assert_eq!((plain.from.formatted.as_str(), plain.to.formatted.as_str()), ("€30.00", "€25.81"));
    assert_eq!(amounts(&plain), ["sales -4.19", "order_count 0"]);
    assert_eq!(amounts(&split("doubled", 1, [None, None])), ["aov -8.38"]);
    assert_eq!(amounts(&split("doubled", 2, [None, None])), ["sales -8.38", "order_count 0"]);
    assert_eq!(amounts(&split("doubled", 9, [None, None])), ["sales -8.38", "order_count 0"]);
    let french = split("aov", 1, [Some("country = 'DE'"), Some("country = 'FR'")]);
    assert_eq!(
        (french.from.formatted.as_str(), french.to.formatted.as_str()),
        ("€35.01", "€11.22")
    );
    assert_eq!(amounts(&french), ["sales -23.79", "order_count 0"]);
    let inside = split("(aov where country = 'FR')", 1, [None, None]);
    assert_eq!(inside.contributions[0].label, "sales where country = 'FR'");
    assert_eq!(sum(&inside), number(&inside.change));
    let grown = split("growth(sales)", 1, [None, None]);
    assert_eq!(grown.contributions.len(), 2);
}

fn told(diff: &Diff) -> Vec<String> {
    let cause =
        |(cause, was, is): &(Cause, String, String)| format!("{}: {was} to {is}", cause.name());
    let step = |step: &quotient::explain::DiffStep| {
        let causes: Vec<String> = step.causes.iter().map(cause).collect();
        format!("{} {}", causes.join(", "), step.formatted)
    };
    diff.steps.iter().map(step).collect()
}

#[test]
fn two_answers_differ_by_their_causes_one_after_the_other() {
    let old = engine(SHOP);
    let new =
        engine(&SHOP.replace("aov = sales / order_count", "aov = (sales - 1 EUR) / order_count"));
    let late = [&ROWS[..], &[["2026-02-23 10:00:00", "5.00", "DE"]]].concat();
    let (first, second) = (rows(&old, &ROWS, "v1"), rows(&new, &late, "v2"));
    let january = month("2026-01-01", "2026-01-31");
    let february = Request {
        timezone: Some("Europe/Paris".to_owned()),
        filter: Some(Filter::new("country = 'FR'")),
        ..month("2026-02-01", "2026-02-28")
    };
    let query = |engine, data, request| FormulaRequest {
        engine,
        formula: "aov",
        inputs: Inputs::data(data),
        request,
    };
    let from = query(&old, &first, &january);
    let to = query(&new, &second, &february);
    let found = diff(&from, &to).expect("numbers");
    let added: Decimal = found.steps.iter().map(|step| number(&step.amount)).sum();
    assert_eq!(added, number(&found.change));
    assert_eq!(
        told(&found),
        [
            "data: v1 to v2 €0.00",
            "definition: sales / order_count to (sales - 1 EUR) / order_count -€0.33",
            "time zone: UTC to Europe/Paris €4.84",
            // In Paris time, no French order is left in January.
            "filter: everything to country = 'FR', \
             period: 2026-01-01 to 2026-01-31 to 2026-02-01 to 2026-02-28 -€20.70",
        ]
    );
    let same = diff(&from, &from).expect("numbers");
    assert_eq!((same.steps.len(), number(&same.change)), (0, Decimal::ZERO));

    let answer = |query: &FormulaRequest<'_>| {
        let formula = query.engine.compile(query.formula).expect("a metric");
        query.engine.evaluate(&[&formula], query.inputs, query.request).expect("answers")
    };
    assert_eq!(
        causes(&answer(&from), &answer(&to)),
        [Cause::Data, Cause::Definition, Cause::TimeZone, Cause::Period]
    );
}

#[test]
fn a_definition_is_the_same_however_it_is_laid_out_and_another_where_anything_below_changes() {
    let hash = |text: &str, formula: &str| {
        let engine = engine(text);
        engine.definition_hash(&engine.compile(formula).expect(formula))
    };
    let own = hash(SHOP, "doubled");
    assert_eq!(own.len(), 64);
    assert_eq!(own, hash(&SHOP.replace("aov * 2", "(aov  * 2) // twice"), "DOUBLED"));
    assert_ne!(own, hash(&SHOP.replace("sum(orders.total)", "max(orders.total)"), "doubled"));
    assert_ne!(own, hash(SHOP, "aov"));
}

const PAID: &str = "
source orders event
    key id text
    date at datetime
    field customer_id text
    field total number
    field size number = total * 2
    link customer to customers by customer_id
source customers entity
    key id text
    field country text
    field home text = country & '!'
population paid = orders where total > 10
metric parts = 2
";

#[test]
fn a_definition_is_another_where_rows_inside_rows_or_behind_links_mean_something_else() {
    let hash = |text: &str, formula: &str| {
        let engine = engine(text);
        engine.definition_hash(&engine.compile(formula).expect(formula))
    };
    for (formula, old, new) in [
        ("count(customers where count(paid) >= 1)", "total > 10", "total > 20"),
        ("count(customers where count(orders where size > 1) >= 1)", "total * 2", "total * 3"),
        ("count(orders where customer.home = 'DE!')", "'!'", "'?'"),
        ("max(count(orders) per customer.home)", "'!'", "'?'"),
        ("sum(orders.size)", "total * 2", "total * 3"),
    ] {
        assert_ne!(hash(PAID, formula), hash(&PAID.replace(old, new), formula), "{formula}");
    }
    for (old, new) in [("'!'", "'?'"), ("parts = 2", "parts = 3")] {
        let formula = "sum(orders.total)";
        assert_eq!(hash(PAID, formula), hash(&PAID.replace(old, new), formula), "{new}");
    }
}

#[test]
fn a_population_defined_otherwise_is_the_cause_of_a_change_inside_rows() {
    let (old, new) = (engine(PAID), engine(&PAID.replace("total > 10", "total > 20")));
    let mut orders = old.table("orders", &["id", "at", "customer_id", "total"]).expect("a source");
    orders.push(&["1", "2026-02-03 09:30:00", "a", "15"]).expect("a row");
    let mut customers = old.table("customers", &["id", "country"]).expect("a source");
    customers.push(&["a", "DE"]).expect("a row");
    let data = old.data(vec![orders.finish(), customers.finish()], Rates::new()).expect("rows");
    let request = month("2026-02-01", "2026-02-28");
    let query = |engine| FormulaRequest {
        engine,
        formula: "count(customers where count(paid) >= 1)",
        inputs: Inputs::data(&data),
        request: &request,
    };

    let found = diff(&query(&old), &query(&new)).expect("numbers");

    assert_eq!((number(&found.change), found.steps.len()), (-Decimal::ONE, 1));
}
