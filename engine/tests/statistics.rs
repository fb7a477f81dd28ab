//! Variance, mode, weighted means and extremes of texts: computed independently of the engine, over
//! rows and over columns.

#![expect(
    clippy::expect_used,
    clippy::arithmetic_side_effects,
    reason = "an expectation that does not hold fails the test, and the numbers are small"
)]

use std::collections::{BTreeMap, BTreeSet};

use crate::lines::{Line, compiled, data, date, engine, lines, sold_at};
use proptest::prelude::*;
use quotient::calendar::{Period, TimeUnit};
use quotient::columns::{Batch, Column};
use quotient::number;
use quotient::types::{Reason, Value};
use quotient::{Inputs, Request};
use rust_decimal::Decimal;

/// The expected values of the formulas over some lines, in the order of [`FORMULAS`].
const FORMULAS: [&str; 12] = [
    "variance(lines.quantity)",
    "variance_pop(lines.quantity)",
    "variance(lines.price / 1 USD)",
    "stddev(lines.price)",
    "stddev_pop(lines.price)",
    "mode(lines.price)",
    "mode(lines.country)",
    "mode(lines.quantity where price is not null)",
    "min(lines.country)",
    "max(lines.country where quantity > 0)",
    "weighted_avg(lines.price, lines.quantity)",
    "weighted_avg(lines.quantity, lines.quantity where country = 'DE')",
];

type Outcome = Result<Value, Reason>;

fn expected(lines: &[&Line]) -> [Outcome; 12] {
    let prices: Vec<i64> = lines.iter().filter_map(|line| line.price).collect();
    let quantities: Vec<i64> = lines.iter().filter_map(|line| line.quantity).collect();
    let countries: Vec<&str> = lines.iter().filter_map(|line| line.country).collect();
    let with_price = lines.iter().filter(|line| line.price.is_some());
    let of_priced: Vec<i64> = with_price.filter_map(|line| line.quantity).collect();
    let sold = lines.iter().filter(|line| line.quantity > Some(0));
    let both = |line: &&&Line| line.price.zip(line.quantity);
    let german = lines.iter().filter(|line| line.country == Some("DE"));
    let german: Vec<(i64, i64)> =
        german.filter_map(|line| line.quantity.zip(line.quantity)).collect();
    let root = |variance: Result<Decimal, Reason>| variance.and_then(number::sqrt);
    [
        variance(&quantities, 0, 1),
        variance(&quantities, 0, 0),
        variance(&prices, 2, 1),
        root(variance(&prices, 2, 1)),
        root(variance(&prices, 2, 0)),
        mode(&prices).map(|cents| Decimal::new(cents, 2)),
    ]
    .map(|number| number.map(Value::Number))
    .into_iter()
    .chain([
        mode(&countries).map(Value::text),
        mode(&of_priced).map(|quantity| Value::Number(quantity.into())),
        countries.iter().min().map(|text| Value::text(*text)).ok_or(Reason::NoRows),
        sold.filter_map(|line| line.country).max().map(Value::text).ok_or(Reason::NoRows),
        weighted(&lines.iter().filter_map(|line| both(&line)).collect::<Vec<_>>(), 2),
        weighted(&german, 0),
    ])
    .collect::<Vec<_>>()
    .try_into()
    .expect("as many as there are formulas")
}

/// (n·Σx² − (Σx)²) / (n·(n − `less`)) of whole numbers over 10^`scale`.
fn variance(values: &[i64], scale: u32, less: i128) -> Result<Decimal, Reason> {
    let count: i128 = values.iter().map(|_| 1).sum();
    if count <= less {
        return Err(Reason::NoRows);
    }
    let sum: i128 = values.iter().copied().map(i128::from).sum();
    let squares: i128 = values.iter().map(|value| i128::from(*value) * i128::from(*value)).sum();
    let above = number::from_scaled(count * squares - sum * sum, 2 * scale)?;
    number::divide(above, number::from_scaled(count * (count - less), 0)?)
}

/// The most frequent value, the smallest of several.
fn mode<T: Ord + Copy>(values: &[T]) -> Result<T, Reason> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    for value in values {
        *counts.entry(*value).or_insert(0) += 1;
    }
    let most = counts.values().max().copied().ok_or(Reason::NoRows)?;
    counts
        .into_iter()
        .find(|(_, count)| *count == most)
        .map(|(value, _)| value)
        .ok_or(Reason::NoRows)
}

fn weighted(pairs: &[(i64, i64)], scale: u32) -> Outcome {
    if pairs.is_empty() {
        return Err(Reason::NoRows);
    }
    let above: i64 = pairs.iter().map(|(value, weight)| value * weight).sum();
    let below: i64 = pairs.iter().map(|(_, weight)| weight).sum();
    number::divide(Decimal::new(above, scale), below.into()).map(Value::Number)
}

fn outcome(value: &Value) -> Outcome {
    value.as_missing().map_or(Ok(value.clone()), |missing| Err(missing.reason))
}

fn within(line: &Line, period: &Period) -> bool {
    period.holds(sold_at(line))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_bucket_and_group_has_the_value_computed_from_its_rows(
        lines in lines(),
        by in prop_oneof![Just(None), Just(Some(TimeUnit::Month)), Just(Some(TimeUnit::Week))],
    ) {
        let engine = engine();
        let data = data(&engine, &lines);
        let formulas = FORMULAS.map(|text| compiled(&engine, text));
        let formulas: Vec<_> = formulas.iter().collect();
        for group_by in [vec![], vec!["country".to_owned()]] {
            let request = Request {
                period: Some((date(3), date(80))), by, group_by, ..Request::default()
            };
            let answers = engine.evaluate(&formulas, Inputs::data(&data), &request).expect("answers");
            let held = |line: &&Line| answers.buckets.iter().any(|bucket| within(line, bucket));
            let countries: BTreeSet<_> = lines.iter().filter(held).map(|line| line.country).collect();
            let is_grouped = !request.group_by.is_empty();
            prop_assert_eq!(answers.groups.len(), if is_grouped { countries.len() } else { 1 });
            for (bucket, period) in answers.buckets.iter().enumerate() {
                for (group, key) in answers.groups.iter().enumerate() {
                    let own = |line: &&Line| {
                        let country = line.country.map_or(Value::missing(Reason::NullValue), Value::text);
                        within(line, period) && key.first().is_none_or(|key| *key == country)
                    };
                    let rows: Vec<&Line> = lines.iter().filter(own).collect();
                    for (formula, expected) in expected(&rows).into_iter().enumerate() {
                        let found = &answers.get(formula, bucket, group).expect("a cell").value;
                        prop_assert_eq!(
                            outcome(found), expected,
                            "{} in {:?} of {:?}", FORMULAS[formula], period, key
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn columns_give_what_rows_give(lines in lines()) {
        let engine = engine();
        let data = data(&engine, &lines);
        let number = |values: Vec<Option<i64>>, scale| {
            let nulls: Vec<bool> = values.iter().map(Option::is_none).collect();
            let values = values.into_iter().map(Option::unwrap_or_default).collect();
            Column::scaled(values, scale).with_nulls(&nulls)
        };
        let text = |line: &Line| line.country.map_or(Value::missing(Reason::NullValue), Value::text);
        let batch = Batch::new(lines.len())
            .with("price", number(lines.iter().map(|line| line.price).collect(), 2))
            .with("quantity", number(lines.iter().map(|line| line.quantity).collect(), 0))
            .with("country", lines.iter().map(text).collect());
        let request = Request::default();
        for text in FORMULAS {
            let formula = compiled(&engine, text);
            let rows = engine.evaluate(&[&formula], Inputs::data(&data), &request).expect("an answer");
            let rows = &rows.first().expect("an answer").value;
            let plan = engine.plan(&[&formula]).expect("a small plan");
            let totals = engine.column_totals(&plan, &batch, &request).expect("aggregates");
            let total = totals.first().expect("a total");
            prop_assert_eq!(outcome(total), outcome(rows), "{}", text);
        }
    }
}

#[test]
fn a_square_of_money_is_refused_and_one_of_time_is_told() {
    let engine = engine();
    let refused = |text: &str| {
        let found = engine.compile(text).expect_err(text);
        (found.len(), found.first().expect("a finding").code.as_str())
    };
    for text in [
        "variance(lines.price)",
        "variance(sum(lines.price) per day)",
        "weighted_avg(lines.price, lines.price)",
        "weighted_avg(sum(lines.price), sum(lines.price) per day)",
    ] {
        assert_eq!(refused(text), (1, "E305"), "{text}");
    }
    assert_eq!(refused("variance(lines.country)"), (1, "E350"));
    assert_eq!(refused("weighted_avg(lines.country, lines.quantity)"), (1, "E350"));
    assert_eq!(refused("weighted_avg(lines, 1)"), (1, "E350"));
    assert_eq!(refused("weighted_avg(sum(lines.price), 1)"), (1, "E403"));
    assert_eq!(refused("weighted_avg(lines.price)"), (1, "E207"));
    assert_eq!(refused("sum(list('a', 'b'))"), (1, "E350"));
    let ty = |text: &str| compiled(&engine, text).ty().to_string();
    assert_eq!(ty("variance(lines.sold_at - @2026-01-01)"), "duration^2");
    assert_eq!(ty("variance(lines.quantity)"), "number");
    assert_eq!(ty("variance_pop(lines.quantity / 2)"), "number");
    assert_eq!(ty("weighted_avg(lines.price, lines.quantity)"), "money(USD)");
    assert_eq!(ty("mode(lines.country)"), "text");
    assert_eq!(ty("max(mode(lines.country) per day)"), "text");
}

#[test]
fn a_weighted_mean_is_explained_as_one_aggregate() {
    let engine = engine();
    let line = |price, quantity| Line { hour: 30, price, quantity, country: Some("DE") };
    let lines = [line(Some(100), Some(3)), line(Some(500), Some(1)), line(None, Some(7))];
    let data = data(&engine, &lines);
    let mean = compiled(&engine, "weighted_avg(lines.price, lines.quantity) / 2");
    let tree = engine.explain(&mean, Inputs::data(&data), &Request::default()).expect("a tree");
    assert_eq!(tree.formatted, "$1.00");
    let part = tree.children.first().expect("the mean");
    assert_eq!(
        (part.label.as_str(), part.formatted.as_str(), part.children.len()),
        ("weighted_avg(lines.price, lines.quantity)", "$2.00", 0)
    );
    assert_eq!(part.rows.as_ref().map(|rows| rows.count), Some(3));
}

#[test]
fn the_rows_of_a_share_are_those_that_it_is_a_share_of() {
    let engine = engine();
    let line = |quantity, country| Line { hour: 30, price: None, quantity, country: Some(country) };
    let lines = [line(Some(3), "DE"), line(Some(1), "DE"), line(Some(7), "FR")];
    let data = data(&engine, &lines);
    for (text, formatted, count) in [
        ("share_of(lines where country = 'DE')", "66.7%", 3),
        ("share_of(lines.quantity > 2 where country = 'DE')", "50.0%", 2),
    ] {
        let share = compiled(&engine, text);
        let tree = engine.explain(&share, Inputs::data(&data), &Request::default()).expect(text);
        assert_eq!(tree.formatted, formatted, "{text}");
        assert_eq!(tree.rows.as_ref().map(|rows| rows.count), Some(count), "{text}");
    }
}
