//! Programs on integers, for which the types state the digits, and how they treat values with other
//! digits.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a formula that does not check fails the test"
)]

use std::sync::LazyLock;

use proptest::prelude::*;
use quotient::data::Record;
use quotient::file::load;
use quotient::types::Value;
use quotient::{Engine, Inputs, Plan, Request, Runner};
use rust_decimal::Decimal;

const NAMES: [&str; 5] = ["revenue", "refunds", "orders", "returned", "rate"];

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let text = "\
input revenue money(USD)
input refunds money(USD)
input orders count
input returned count
input rate ratio
input yen money(JPY)
input dinars money(KWD)
";
    let loaded = load("inputs.metrics", &mut |_| Ok(text.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:#?}");
    engine
});

fn plan(text: &str) -> Plan {
    let formula = ENGINE.compile(text).unwrap_or_else(|found| panic!("{text}: {found:#?}"));
    ENGINE.plan(&[&formula]).expect("a small plan")
}

/// A value with its scale, reason and place, which numeric equality ignores.
fn spelt(value: &Value) -> String {
    format!("{value:?}")
}

/// The answers over a record of a runner that may have run before, and of the evaluator.
fn both(text: &str, runner: &mut Runner<'_>, record: &Record) -> (String, String) {
    let formula = ENGINE.compile(text).expect("a formula");
    let answers = ENGINE.evaluate(&[&formula], Inputs::record(record), &Request::default());
    let wanted = spelt(&answers.expect("an answer").first().expect("an answer").value);
    assert!(runner.bind(record).is_empty());
    runner.run();
    (spelt(&runner.value(0)), wanted)
}

fn record(values: &[(&str, &str)]) -> Record {
    let mut record = Record::new();
    for (name, value) in values {
        record.set(name, value.parse::<Decimal>().expect("a number"));
    }
    record
}

#[test]
fn digits_follow_from_currencies_counts_and_written_numbers() {
    for (text, forms) in [
        ("revenue - refunds", vec!["r0: money(USD) in i64·10^-2 = s0 - s1"]),
        ("yen * 2", vec!["s0: money(JPY) in i64 = yen", "r0: money(JPY) in i64 = s0 * 2"]),
        ("dinars * 1.5", vec!["r0: money(KWD) in i64·10^-4 = s0 * 1.5"]),
        ("orders - returned > 10", vec!["r1: bool in i64 = r0 > 10"]),
        ("revenue > 99.999 USD", vec!["r0: bool in i64·10^-3 = s0 > 99.999 USD"]),
        ("-revenue", vec!["r0: money(USD) in i64·10^-2 = -s0"]),
        ("round(revenue * 0.19, 2)", vec!["r1: money(USD) in i64·10^-2 = r0 rounded half_up to 2"]),
        (
            "round(revenue / orders, 2) - 1 USD",
            vec![
                "r0: money(USD) in i64·10^-2 = s0 / s1 rounded half_up to 2",
                "r1: money(USD) in i64·10^-2 = r0 - 1 USD",
            ],
        ),
        // A quotient without a remainder has as many digits as it needs.
        (
            "round(orders / returned, 2) + 1",
            vec!["r0: ratio in i64·10^-2 = s0 / s1 rounded half_up to 2", "r1: ratio = r0 + 1"],
        ),
        ("revenue * rate", vec!["s1: ratio = rate", "r0: money(USD) = s0 * s1"]),
        ("revenue / orders", vec!["r0: money(USD) = s0 / s1"]),
        (
            "if(orders > 0, revenue, refunds)",
            vec!["r1: money(USD) in i64·10^-2 = if r0 then s1 else s2"],
        ),
        ("if(orders > 0, revenue, 0)", vec!["r1: money(USD) = if r0 then s1 else 0"]),
        ("abs(revenue - refunds)", vec!["r1: money(USD) in i64·10^-2 = abs(r0)"]),
        ("round(orders / returned, 9)", vec!["r0: ratio = s0 / s1 rounded half_up to 9"]),
    ] {
        let listing = plan(text).to_string();
        for form in forms {
            assert!(listing.lines().any(|line| line == form), "{form} of {text}:\n{listing}");
        }
    }
}

#[test]
fn values_with_other_digits_than_declared_are_computed_in_decimals() {
    let text = "round((revenue - refunds) / orders, 2) - 0.50 USD";
    let plan = plan(text);
    let mut runner = ENGINE.runner(&plan, &Request::default()).expect("a runner");
    for (revenue, refunds, orders, wanted) in [
        ("100.00", "1.00", "8", "11.88"),
        ("1.005", "0.00", "1", "0.51"),
        ("100.00", "1.00", "8", "11.88"),
        ("100", "1", "8", "11.88"),
        ("100", "1", "9", "10.50"),
        ("100.00", "1.00", "2.5", "39.10"),
        ("0.00", "0.00", "7", "-0.50"),
        ("0.01", "0.00", "7", "-0.50"),
        ("92233720368547758.07", "-0.01", "1", "92233720368547757.58"),
        ("-92233720368547758.08", "0.01", "1", "-92233720368547758.59"),
        ("100.00", "1.00", "8", "11.88"),
    ] {
        let record = record(&[("revenue", revenue), ("refunds", refunds), ("orders", orders)]);
        let (computed, evaluated) = both(text, &mut runner, &record);
        assert_eq!(computed, evaluated, "{revenue} - {refunds}, {orders}");
        let number = runner.number(0).map(|number| number.to_string());
        assert_eq!(number.as_deref(), Some(wanted), "{revenue} - {refunds}, {orders}");
    }
}

#[test]
fn a_null_among_integers_keeps_its_reason_and_place() {
    for text in ["(revenue - refunds) * 2", "round(revenue / orders, 2) default refunds"] {
        let plan = plan(text);
        let mut runner = ENGINE.runner(&plan, &Request::default()).expect("a runner");
        for values in [
            &[("revenue", "1.00"), ("refunds", "0.25"), ("orders", "4")][..],
            &[("revenue", "1.00"), ("orders", "0")],
            &[("refunds", "0.25"), ("orders", "0")],
            &[("revenue", "1.00"), ("refunds", "0.25"), ("orders", "0")],
            &[("revenue", "1.00"), ("refunds", "0.25"), ("orders", "3")],
        ] {
            let (computed, wanted) = both(text, &mut runner, &record(values));
            assert_eq!(computed, wanted, "{text} over {values:?}");
        }
    }
}

#[test]
fn integers_of_a_plan_are_written_down_with_it() {
    let plan = plan("round((revenue - refunds) / orders, 2)");
    let text = serde_json::to_string(&plan).expect("a text");
    assert!(text.contains(r#""integers":{"zeros":[0,0],"scale":2}"#), "{text}");
    let again: Plan = serde_json::from_str(&text).expect("a plan");
    assert_eq!(again.to_string(), plan.to_string());
    assert_eq!(serde_json::to_string(&again).expect("a text"), text);
}

/// A number: mostly with the digits that its type states, sometimes with others or at an edge.
fn number(digits: u32) -> impl Strategy<Value = Decimal> {
    let mantissas = prop_oneof![
        5 => -1_000_i64..1_000,
        3 => -10_000_000_000_i64..10_000_000_000,
        1 => Just(i64::MAX),
        1 => Just(i64::MIN),
    ];
    let scales = prop_oneof![8 => Just(digits), 1 => 0_u32..5];
    (mantissas, scales).prop_map(|(mantissa, scale)| Decimal::new(mantissa, scale))
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let given = |digits| proptest::option::weighted(0.95, number(digits));
    let one = [given(2), given(2), given(0), given(0), given(2)].prop_map(|values| {
        let mut record = Record::new();
        for (name, value) in NAMES.into_iter().zip(values) {
            if let Some(value) = value {
                record.set(name, value);
            }
        }
        record
    });
    proptest::collection::vec(one, 6)
}

fn modes() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(&["half_up", "half_even", "floor", "ceiling", "truncate"][..])
}

/// A formula that gives a count.
fn count() -> BoxedStrategy<String> {
    let leaf = prop_oneof![Just("orders".to_owned()), Just("returned".to_owned())];
    let counts = leaf.prop_recursive(2, 6, 2, |inner| {
        let operator = proptest::sample::select(&["+", "-"][..]);
        prop_oneof![
            (inner.clone(), operator, inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            (inner, 0_u32..5).prop_map(|(a, factor)| format!("({a} * {factor})")),
        ]
    });
    counts.boxed()
}

/// A formula that gives money.
fn money() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        3 => Just("revenue".to_owned()),
        3 => Just("refunds".to_owned()),
        1 => (0_u32..5_000, 0_u32..4).prop_map(|(n, scale)| format!("{} USD", Decimal::new(n.into(), scale))),
    ];
    let all = leaf.prop_recursive(4, 30, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        let condition = prop_oneof![
            pair.clone().prop_map(|(a, b)| format!("{a} >= {b}")),
            (count(), count()).prop_map(|(a, b)| format!("{a} != {b}")),
            inner.clone().prop_map(|a| format!("{a} < 10 USD")),
        ];
        prop_oneof![
            4 => (pair.clone(), proptest::sample::select(&["+", "-"][..]))
                .prop_map(|((a, b), op)| format!("({a} {op} {b})")),
            1 => (inner.clone(), count()).prop_map(|(a, b)| format!("({a} * {b})")),
            1 => (inner.clone(), 0_u32..300, 0_u32..4)
                .prop_map(|(a, n, scale)| format!("({a} * {})", Decimal::new(n.into(), scale))),
            1 => inner.clone().prop_map(|a| format!("({a} * rate)")),
            1 => inner.clone().prop_map(|a| format!("(-{a})")),
            1 => inner.clone().prop_map(|a| format!("abs({a})")),
            1 => pair.clone().prop_map(|(a, b)| format!("max({a}, {b})")),
            2 => (inner.clone(), -1_i32..7, modes())
                .prop_map(|(a, n, mode)| format!("round({a}, {n}, mode: {mode})")),
            3 => (inner.clone(), count(), 0_u32..10, modes())
                .prop_map(|(a, b, n, mode)| format!("round({a} / {b}, {n}, mode: {mode})")),
            1 => (inner.clone(), count()).prop_map(|(a, b)| format!("({a} / {b})")),
            2 => (condition.clone(), pair.clone()).prop_map(|(c, (a, b))| format!("if({c}, {a}, {b})")),
            1 => (condition, inner).prop_map(|(c, a)| format!("case when {c} then {a} end")),
            1 => pair.prop_map(|(a, b)| format!("({a} default {b})")),
        ]
    });
    all.boxed()
}

/// A formula, or the ratio of two.
fn formula() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => money(),
        1 => count(),
        1 => (money(), money(), 0_u32..9).prop_map(|(a, b, n)| format!("round({a} / {b}, {n}) + 1")),
        1 => (count(), count(), 0_u32..9).prop_map(|(a, b, n)| format!("round({a} / {b}, {n}) * 2")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn programs_on_integers_answer_as_the_evaluator_does(text in formula(), records in records()) {
        let plan = plan(&text);
        let mut runner = ENGINE.runner(&plan, &Request::default()).expect("a runner");
        for record in records {
            let (computed, wanted) = both(&text, &mut runner, &record);
            prop_assert_eq!(computed, wanted, "{} over {:?}\n{}", text, record, plan);
        }
    }
}
