//! Random formulas over a record of single values, and the records.

use std::sync::LazyLock;

use proptest::prelude::*;
use quotient::Engine;
use quotient::data::{Record, RecordValue};
use quotient::file::load;
use rust_decimal::Decimal;

const NUMBERS: [&str; 4] = ["a", "b", "c", "d"];

/// An engine whose inputs are numbers `a` to `d`, a text and a condition.
pub(crate) static INPUTS: LazyLock<Engine> = LazyLock::new(|| {
    let text = "
input a number
input b number
input c number
input d number
input word text
input flag bool

metric quotient = a / b
metric guarded = if(flag, quotient, c default 1)
";
    let loaded = load("inputs.metrics", &mut |_| Ok(text.to_owned()));
    let (engine, findings) = Engine::from_loaded(&loaded);
    assert!(findings.is_empty(), "{findings:#?}");
    engine
});

/// A number as people have them, and as they have them not.
fn number() -> impl Strategy<Value = Decimal> {
    let mantissas = prop_oneof![
        4 => -1_000_i128..1_000,
        3 => -10_000_000_000_i128..10_000_000_000,
        1 => -9_223_372_036_854_775_809_i128..=9_223_372_036_854_775_808,
        1 => -9_999_999_999_999_999_999_999_999_999_i128..=9_999_999_999_999_999_999_999_999_999,
    ];
    let scales = prop_oneof![5 => 0_u32..5, 1 => 0_u32..=28];
    (mantissas, scales).prop_map(|(mantissa, scale)| Decimal::from_i128_with_scale(mantissa, scale))
}

/// A record in which values may be null or missing.
pub(crate) fn record() -> impl Strategy<Value = Record> {
    let value = prop_oneof![
        8 => number().prop_map(|number| Some(RecordValue::Number(number))),
        1 => Just(Some(RecordValue::Null)),
        1 => Just(None),
    ];
    let word = prop_oneof![Just("x"), Just("yes"), Just("")];
    (proptest::collection::vec(value, NUMBERS.len()), word, any::<bool>()).prop_map(
        |(values, word, flag)| {
            let mut record = Record::new().with("word", word).with("flag", flag);
            for (name, value) in NUMBERS.into_iter().zip(values) {
                if let Some(value) = value {
                    record.set(name, value);
                }
            }
            record
        },
    )
}

/// The text of a formula that gives a number.
pub(crate) fn formula_text() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        6 => proptest::sample::select(&NUMBERS[..]).prop_map(str::to_owned),
        3 => (0_u32..500, 0_u32..4).prop_map(|(n, scale)| Decimal::new(n.into(), scale).to_string()),
        1 => Just("quotient".to_owned()),
        1 => Just("guarded".to_owned()),
    ];
    let formula = leaf.boxed().prop_recursive(4, 40, 4, |inner| {
        let inner = inner.boxed();
        let pair = (inner.clone(), inner.clone());
        let operator = proptest::sample::select(&["+", "-", "*", "/"][..]);
        let modes = ["half_up", "half_even", "floor", "ceiling", "truncate"];
        let mode = proptest::sample::select(modes.to_vec());
        prop_oneof![
            6 => (pair.clone(), operator).prop_map(|((a, b), op)| format!("({a} {op} {b})")),
            2 => (pair.clone(), 0_u32..10, mode.clone())
                .prop_map(|((a, b), n, mode)| format!("round({a} / {b}, {n}, mode: {mode})")),
            1 => (inner.clone(), -2_i32..10, mode)
                .prop_map(|(a, n, mode)| format!("round({a}, {n}, mode: {mode})")),
            2 => (condition(&inner), pair.clone())
                .prop_map(|(when, (a, b))| format!("if({when}, {a}, {b})")),
            1 => (condition(&inner), condition(&inner), pair.clone())
                .prop_map(|(c, d, (a, b))| format!("case when {c} then {a} when {d} then {b} end")),
            2 => pair.clone().prop_map(|(a, b)| format!("({a} default {b})")),
            1 => pair.clone().prop_map(|(a, b)| format!("nullif({a}, {b})")),
            1 => pair.prop_map(|(a, b)| format!("max(abs({a}), {b})")),
            1 => inner.prop_map(|a| format!("-({a})")),
        ]
        .boxed()
    });
    let named = (formula.clone(), formula.clone(), formula.clone());
    let named = named.prop_map(|(t, a, b)| format!("let t = {t}; if(t > 1, {a} / t, t - {b})"));
    prop_oneof![4 => formula, 1 => named].boxed()
}

fn condition(number: &BoxedStrategy<String>) -> BoxedStrategy<String> {
    let pair = (number.clone(), number.clone());
    let operator = proptest::sample::select(&["=", "!=", "<", "<=", ">", ">="][..]);
    let simple = prop_oneof![
        4 => (pair.clone(), operator).prop_map(|((a, b), op)| format!("{a} {op} {b}")),
        1 => number.clone().prop_map(|a| format!("{a} is null")),
        1 => number.clone().prop_map(|a| format!("is_error({a})")),
        1 => pair.prop_map(|(a, b)| format!("{a} in ({b}, 1, 2.50)")),
        1 => Just("flag".to_owned()),
        1 => Just("word & '!' = 'yes!'".to_owned()),
        1 => Just("word like 'y%'".to_owned()),
    ]
    .boxed();
    let joined = (simple.clone(), simple.clone(), proptest::sample::select(&["and", "or"][..]));
    prop_oneof![
        3 => simple.clone(),
        1 => joined.prop_map(|(a, b, op)| format!("({a}) {op} ({b})")),
        1 => simple.prop_map(|a| format!("not ({a})")),
    ]
    .boxed()
}
