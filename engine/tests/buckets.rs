//! Windows over the buckets of a request, computed independently of the engine from the rows of each
//! bucket.

#![expect(
    clippy::expect_used,
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "an expectation that does not hold fails the test, and the numbers are small"
)]

use std::cmp::Reverse;

use crate::lines::{Line, at, compiled, data, date, engine, lines, sold_at};
use jiff::Timestamp;
use proptest::prelude::*;
use quotient::calendar::{Period, TimeUnit};
use quotient::data::Record;
use quotient::number;
use quotient::types::{Reason, Value};
use quotient::{Comparison, Inputs, Request};
use rust_decimal::Decimal;

type Outcome = Result<Decimal, Reason>;

const FORMULAS: [&str; 9] = [
    "previous_bucket(sum(lines.price))",
    "previous_bucket(avg(lines.price), 3)",
    "moving_avg(sum(lines.price), 3)",
    "moving_avg(avg(lines.price), 2)",
    "moving_avg(sum(lines.price) default 1 USD, 400)",
    "rank(sum(lines.price), by: period)",
    "rank(avg(lines.price), by: period)",
    "running_share(sum(lines.quantity))",
    "sum(lines.price) / overall(sum(lines.price))",
];

/// One group of the rows over the buckets of a request, as of an instant.
struct Series<'l> {
    lines: Vec<&'l Line>,
    buckets: Vec<Period>,
    now: Timestamp,
}

impl Series<'_> {
    fn rows(&self, start: Timestamp, end: Timestamp) -> impl Iterator<Item = &Line> {
        let end = end.min(self.now);
        self.lines.iter().copied().filter(move |line| start <= sold_at(line) && sold_at(line) < end)
    }

    fn begun(&self, start: Timestamp) -> Result<(), Reason> {
        if self.now <= start { Err(Reason::NotYet) } else { Ok(()) }
    }

    fn sum(&self, start: Timestamp, end: Timestamp, value: fn(&Line) -> Option<i64>) -> Outcome {
        self.begun(start)?;
        Ok(self.rows(start, end).filter_map(value).sum::<i64>().into())
    }

    /// In cents.
    fn price(&self, bucket: usize) -> Outcome {
        let Period { start, end, .. } = self.buckets[bucket];
        self.sum(start, end, |line| line.price)
    }

    fn mean_price(&self, bucket: usize) -> Outcome {
        let Period { start, end, .. } = self.buckets[bucket];
        self.begun(start)?;
        let prices: Vec<i64> = self.rows(start, end).filter_map(|line| line.price).collect();
        mean(&prices.iter().map(|price| Decimal::from(*price)).collect::<Vec<_>>())
    }

    fn whole(&self) -> (Timestamp, Timestamp) {
        let (first, last) = (self.buckets.first(), self.buckets.last());
        (first.expect("a bucket").start, last.expect("a bucket").end)
    }

    /// The values of the formulas in a bucket, in order; money in cents.
    fn expected(&self, bucket: usize) -> [Outcome; 9] {
        let (first, end) = self.whole();
        let own = self.buckets[bucket];
        let quantity: fn(&Line) -> Option<i64> = |line| line.quantity;
        let prices = |bucket| self.price(bucket);
        let means = |bucket| self.mean_price(bucket);
        let filled = |bucket| self.price(bucket).or(self.begun(own.start).map(|()| 100.into()));
        [
            self.before(bucket, 1, prices),
            self.before(bucket, 3, means),
            self.moving(bucket, 3, prices),
            self.moving(bucket, 2, means),
            self.moving(bucket, 400, filled),
            self.rank(bucket, prices),
            self.rank(bucket, means),
            quotient(self.sum(first, own.end, quantity), self.sum(first, end, quantity)),
            quotient(self.price(bucket), self.sum(first, end, |line| line.price)),
        ]
    }

    fn before(&self, bucket: usize, count: usize, value: impl Fn(usize) -> Outcome) -> Outcome {
        self.begun(self.buckets[bucket].start)?;
        value(bucket.checked_sub(count).ok_or(Reason::NoBucket)?)
    }

    fn moving(&self, bucket: usize, count: usize, value: impl Fn(usize) -> Outcome) -> Outcome {
        self.begun(self.buckets[bucket].start)?;
        let window = (bucket + 1).saturating_sub(count)..=bucket;
        let known: Vec<Decimal> = window.filter_map(|bucket| value(bucket).ok()).collect();
        if known.is_empty() { value(bucket) } else { mean(&known) }
    }

    fn rank(&self, bucket: usize, value: impl Fn(usize) -> Outcome) -> Outcome {
        let own = value(bucket)?;
        let mut all: Vec<Decimal> =
            (0..self.buckets.len()).filter_map(|bucket| value(bucket).ok()).collect();
        all.sort_by_key(|value| Reverse(*value));
        let place = all.iter().position(|value| *value == own).expect("its own value");
        Ok((place + 1).into())
    }
}

fn mean(values: &[Decimal]) -> Outcome {
    if values.is_empty() {
        return Err(Reason::NoRows);
    }
    number::divide(values.iter().sum(), values.len().into())
}

fn quotient(above: Outcome, below: Outcome) -> Outcome {
    number::divide(above?, below?)
}

/// The value of a formula; money in cents, as the model has it.
fn outcome(formula: usize, value: &Value) -> Outcome {
    let number = match value.as_missing() {
        Some(missing) => return Err(missing.reason),
        None => value.as_number().unwrap_or_default(),
    };
    let is_money = formula < 5;
    // A mean of 28 digits has fewer left for cents than for dollars.
    if is_money { number::multiply(number, 100.into()) } else { Ok(number) }
}

fn is_near(found: &Outcome, expected: &Outcome) -> bool {
    match (found, expected) {
        (Ok(found), Ok(expected)) => (found - expected).abs() < Decimal::new(1, 20),
        (found, expected) => found == expected,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_bucket_has_the_value_computed_from_the_rows_of_all(
        lines in lines(),
        (first, days) in (0_i32..60, 1_i32..60),
        by in prop_oneof![
            Just(None), Just(Some(TimeUnit::Day)), Just(Some(TimeUnit::Week)), Just(Some(TimeUnit::Month))
        ],
        now in prop_oneof![Just(100_000), 0_i32..100 * 24],
        grouped: bool,
    ) {
        let engine = engine();
        let data = data(&engine, &lines);
        let formulas = FORMULAS.map(|text| compiled(&engine, text));
        let request = Request {
            period: Some((date(first), date(first + days - 1))),
            by,
            now: at(now),
            group_by: if grouped { vec!["country".to_owned()] } else { Vec::new() },
            ..Request::default()
        };
        let answers = engine
            .evaluate(&formulas.each_ref(), Inputs::data(&data), &request)
            .expect("answers");
        for (group, key) in answers.groups.iter().enumerate() {
            let own = |line: &&Line| {
                let country = line.country.map_or(Value::missing(Reason::NullValue), Value::text);
                key.first().is_none_or(|key| *key == country)
            };
            let series = Series {
                lines: lines.iter().filter(own).collect(),
                buckets: answers.buckets.clone(),
                now: at(now),
            };
            for bucket in 0..answers.buckets.len() {
                for (formula, expected) in series.expected(bucket).into_iter().enumerate() {
                    let value = &answers.get(formula, bucket, group).expect("a cell").value;
                    let found = outcome(formula, value);
                    prop_assert!(
                        is_near(&found, &expected),
                        "{} in bucket {bucket} of {:?}: {found:?}, not {expected:?}", FORMULAS[formula], key
                    );
                }
            }
        }
    }
}

#[test]
fn bucket_comparisons_are_allowed_only_in_a_series() {
    let engine = engine();
    for text in [
        "trailing(moving_avg(sum(lines.price), 3), 30 days)",
        "running(previous_bucket(count(lines)))",
        "during(rank(count(lines), by: period), @2026-Q1)",
        "running_share(moving_avg(count(lines), 2))",
        "closing(previous_bucket(count(lines)))",
        "avg(moving_avg(sum(lines.price), 3) per day)",
        "let usual = moving_avg(avg(lines.price), 3); count(lines where price > usual)",
    ] {
        let found = engine.compile(text).expect_err(text);
        let codes: Vec<&str> = found.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, ["E405"], "{text}");
    }
    for text in [
        "growth(moving_avg(sum(lines.price), 3), last_year)",
        "previous(rank(sum(lines.price), by: PERIOD))",
        "moving_avg(previous_bucket(trailing(sum(lines.price), 30 days)), 2)",
        "(moving_avg(sum(lines.price), 3) where country = 'DE')",
        "share(moving_avg(sum(lines.price), 3))",
        "avg(overall(count(lines)) per day)",
    ] {
        compiled(&engine, text);
    }
    for (text, code) in [
        ("moving_avg(count(lines), 0)", "E208"),
        ("moving_avg(count(lines))", "E207"),
        ("previous_bucket(count(lines), 1.5)", "E208"),
        ("moving_avg(first(lines.country), 3)", "E208"),
        ("rank(first(lines.country), by: period)", "E208"),
        ("total(count(lines), keep: period)", "E420"),
    ] {
        let found = engine.compile(text).expect_err(text);
        assert_eq!(found.first().expect("a finding").code.as_str(), code, "{text}");
    }
}

#[test]
fn a_metric_that_compares_buckets_is_known_to_do_so() {
    let mut engine = engine();
    engine.define("smooth", "moving_avg(sum(lines.price), 3)").expect("a metric");
    engine.define("twice", "2 * smooth").expect("a metric");
    for text in ["running(twice)", "count(lines where price > twice)", "max(smooth per week)"] {
        let found = engine.compile(text).expect_err(text);
        assert_eq!(found.first().expect("a finding").code.as_str(), "E405", "{text}");
    }
    compiled(&engine, "previous_bucket(twice)");
}

#[test]
fn the_same_question_for_the_year_before_has_buckets_of_its_own() {
    let engine = engine();
    let line = |hour, price| Line { hour, price: Some(price), quantity: None, country: None };
    // The same hours of January 2025 and of January 2026.
    let lines = [(-365, 100), (-364, 300), (0, 1_000), (1, 3_000)]
        .map(|(day, price)| line(day * 24, price));
    let data = data(&engine, &lines);
    let request = Request {
        period: Some((date(0), date(1))),
        by: Some(TimeUnit::Day),
        compare: Some(Comparison::LastYear),
        ..Request::default()
    };
    for (text, expected) in [
        ("previous_bucket(sum(lines.price))", ["null null", "$10.00 $1.00"]),
        ("moving_avg(sum(lines.price), 2)", ["$10.00 $1.00", "$20.00 $2.00"]),
        ("running(sum(lines.price))", ["$10.00 $1.00", "$40.00 $4.00"]),
        ("running_share(sum(lines.price))", ["25.0% 25.0%", "100.0% 100.0%"]),
    ] {
        let formula = compiled(&engine, text);
        let answers = engine.evaluate(&[&formula], Inputs::data(&data), &request).expect("answers");
        let shown = answers.of(0).iter().map(|answer| {
            let is_null = answer.null_reason.is_some();
            let before = answer.previous_formatted.as_deref().unwrap_or("none");
            if is_null { "null null".to_owned() } else { format!("{} {before}", answer.formatted) }
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
    }
}

#[test]
fn a_group_of_the_earlier_period_alone_is_answered_too() {
    let engine = engine();
    let line = |hour, price, country| Line {
        hour,
        price: Some(price),
        quantity: None,
        country: Some(country),
    };
    let data = data(&engine, &[line(-24, 700, "FR"), line(-23, 100, "DE"), line(1, 300, "DE")]);
    let formula = compiled(&engine, "sum(lines.price)");
    let day = Request {
        period: Some((date(0), date(0))),
        group_by: vec!["country".to_owned()],
        ..Request::default()
    };
    let answered = |request: &Request| {
        let answers = engine.evaluate(&[&formula], Inputs::data(&data), request).expect("answers");
        let groups = answers.groups.iter().map(|group| format!("{group:?}"));
        let values = answers.of(0).iter().map(|answer| {
            let before = answer.previous_formatted.as_deref().unwrap_or("none");
            format!("{} {before}", answer.formatted)
        });
        groups.zip(values).map(|(group, values)| format!("{group} {values}")).collect::<Vec<_>>()
    };
    let compared = Request { compare: Some(Comparison::Previous), ..day.clone() };
    assert_eq!(answered(&day), [r#"[Text("DE")] $3.00 none"#]);
    assert_eq!(answered(&compared), [r#"[Text("DE")] $3.00 $1.00"#, r#"[Text("FR")] $0.00 $7.00"#]);
}

#[test]
fn a_record_has_one_bucket_and_may_give_the_one_before() {
    let engine = engine();
    let formula = compiled(&engine, "sum(lines.price) - previous_bucket(sum(lines.price))");
    let record = |json: &str| Record::from_json(json).expect("a record");
    let rows = r#""lines": [{"id": "l1", "sold_at": "2026-01-02T00:00:00Z", "price": "5.00"}]"#;
    let alone = record(&format!("{{{rows}}}"));
    let given = record(&format!(r#"{{{rows}, "previous_bucket(sum(lines.price))": "2.00"}}"#));
    let answer = |record: &Record| {
        let answers = engine.evaluate(&[&formula], Inputs::record(record), &Request::default());
        let answers = answers.expect("an answer");
        let answer = answers.first().expect("an answer");
        answer.null_reason.map_or(answer.formatted.clone(), |reason| reason.name().to_owned())
    };
    assert_eq!(answer(&alone), "no_bucket");
    assert_eq!(answer(&given), "$3.00");
}
