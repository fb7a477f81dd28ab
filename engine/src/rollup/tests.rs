//! The arithmetic of each kind: merges in any order, subtractions, and stored forms.

#![expect(clippy::arithmetic_side_effects, reason = "a test may fail by overflow")]

use jiff::Timestamp;
use proptest::collection::vec;
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::{
    AggregateInput, AggregateKind, Dictionary, DistinctSet, Extreme, FirstOrLast, Frequencies,
    Grain, KeyNumbers, Moments, PartialAggregate, QuantileSketch, RepeatSet, Retraction, Rollup,
    ScalarValue, SumCount, cover,
};
use crate::check::AggregateFunction;
use crate::number;
use crate::types::{Reason, Value};

const KINDS: [AggregateKind; 10] = [
    AggregateKind::SumCount,
    AggregateKind::Moments,
    AggregateKind::QuantileSketch,
    AggregateKind::Minimum,
    AggregateKind::Maximum,
    AggregateKind::First,
    AggregateKind::Last,
    AggregateKind::DistinctSet,
    AggregateKind::RepeatSet,
    AggregateKind::Frequencies,
];

/// The answers that partial aggregates of a kind give.
fn told(kind: AggregateKind, partial: &PartialAggregate) -> Option<Value> {
    let function = match kind {
        AggregateKind::Moments => AggregateFunction::PopulationVariance,
        AggregateKind::Frequencies => AggregateFunction::Mode,
        _ => AggregateFunction::Sum,
    };
    partial.finish(function, None, 2)
}

fn cases() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) }
}

/// Generates a row of cents; about one in ten has no value.
fn row() -> impl Strategy<Value = AggregateInput> {
    let cents = prop_oneof![9 => (-5_000_i64..100_000).prop_map(Some), 1 => Just(None)];
    (cents, 0_u32..12, 0_i64..20).prop_map(|(cents, number, at)| {
        let value = cents.map_or(Value::missing(Reason::NullValue), |cents| {
            Value::Number(Decimal::new(cents, 2))
        });
        let key = ScalarValue::Number(Decimal::from(number) + Decimal::from(at * 100));
        AggregateInput { value: Some(value), key_number: Some(number), position: Some((at, key)) }
    })
}

fn folded(kind: AggregateKind, rows: &[AggregateInput]) -> PartialAggregate {
    let mut partial = PartialAggregate::empty(kind);
    for row in rows {
        partial.fold(kind, row);
    }
    partial
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn parts_merge_to_the_whole_in_any_order(
        rows in vec(row(), 0..60),
        cuts in vec(0_usize..60, 0..4),
        backwards: bool,
    ) {
        for kind in KINDS {
            let mut edges: Vec<usize> = cuts.iter().map(|cut| cut % (rows.len() + 1)).collect();
            edges.extend([0, rows.len()]);
            edges.sort_unstable();
            let mut parts: Vec<PartialAggregate> =
                edges.windows(2).map(|ends| folded(kind, &rows[ends[0]..ends[1]])).collect();
            if backwards {
                parts.reverse();
            }
            let mut merged = PartialAggregate::empty(kind);
            for part in &parts {
                merged.merge(kind, part);
            }
            let whole = folded(kind, &rows);
            if matches!(kind, AggregateKind::Moments | AggregateKind::Frequencies) {
                prop_assert!(told(kind, &whole).is_some(), "{:?}", kind);
            }
            prop_assert_eq!(told(kind, &merged), told(kind, &whole), "{:?}", kind);
            if !matches!(kind, AggregateKind::First | AggregateKind::Last) {
                // Which of two indistinguishable rows is kept does not matter.
                prop_assert_eq!(merged, whole, "{:?}", kind);
            }
        }
    }

    #[test]
    fn an_exact_subtraction_leaves_no_trace(rows in vec(row(), 1..40), gone in 0_usize..40) {
        let gone = gone % rows.len();
        for kind in KINDS {
            let mut partial = folded(kind, &rows);
            let mut rest = rows.clone();
            let row = rest.remove(gone);
            if partial.subtract(kind, &folded(kind, &[row])) == Retraction::Exact {
                let wanted = folded(kind, &rest);
                prop_assert_eq!(told(kind, &partial), told(kind, &wanted), "{:?}", kind);
                prop_assert_eq!(partial.is_empty(), wanted.is_empty(), "{:?}", kind);
            } else {
                prop_assert!(!kind.subtracts(), "{:?} subtracts", kind);
            }
        }
    }

    #[test]
    fn a_part_may_be_taken_out_before_it_is_put_in(rows in vec(row(), 0..40)) {
        for kind in KINDS.into_iter().filter(|kind| kind.subtracts()) {
            let part = folded(kind, &rows);
            let mut partial = PartialAggregate::empty(kind);
            prop_assert_eq!(partial.subtract(kind, &part), Retraction::Exact);
            partial.merge(kind, &part);
            prop_assert!(partial.is_empty(), "{:?}", kind);
        }
    }

    #[test]
    fn a_sketch_knows_every_rank_to_one_percent(
        numbers in vec((-1_000_000_000_i64..1_000_000_000, 0_u32..12), 1..80),
        rank in 0_usize..80,
    ) {
        let mut numbers: Vec<Decimal> =
            numbers.into_iter().map(|(digits, scale)| Decimal::new(digits, scale)).collect();
        let mut sketch = QuantileSketch::default();
        for number in &numbers {
            sketch.fold(&Value::Number(*number));
        }
        numbers.sort_unstable();
        let rank = rank % numbers.len();
        let last = Decimal::from((numbers.len() - 1).max(1));
        let fraction = number::divide(Decimal::from(rank), last).expect("a fraction");
        let position = fraction * Decimal::from(numbers.len() - 1);
        // A fraction of 28 digits may fall just short of its rank; then two ranks mix.
        let (low, high) = (numbers[rank.saturating_sub(1)], numbers[(rank + 1).min(numbers.len() - 1)]);
        let exact = numbers[rank];
        let Value::Number(given) = sketch.finish(fraction) else { panic!("no number") };
        let bound = if position == Decimal::from(rank) {
            exact.abs()
        } else {
            low.abs().max(high.abs())
        };
        let error = (given - exact).abs();
        prop_assert!(error <= bound * Decimal::new(1, 2) + Decimal::new(1, 20), "{given} for {exact}");
    }
}

#[test]
fn a_sketch_reaches_from_the_smallest_decimal_to_the_largest() {
    for number in
        [Decimal::MAX, Decimal::MIN, Decimal::new(1, 28), Decimal::new(-1, 28), Decimal::ZERO]
    {
        let mut sketch = QuantileSketch::default();
        sketch.fold(&Value::Number(number));
        let Value::Number(given) = sketch.finish(Decimal::ZERO) else {
            // A number of more than 28 digits is an overflow, as everywhere.
            assert!(number.abs() > Decimal::new(i64::MAX, 0));
            continue;
        };
        let error = (given - number).abs();
        assert!(
            error <= number.abs() * Decimal::new(1, 2) + Decimal::new(1, 28),
            "{number} {given}"
        );
    }
}

#[test]
fn a_sum_keeps_the_digits_of_its_terms() {
    let sum_of = |texts: &[&str]| {
        let mut sum_count = SumCount::default();
        for text in texts {
            sum_count.fold(&Value::Number(text.parse().expect("a number")));
        }
        sum_count
    };
    let mut sum_count = sum_of(&["1.5", "2.125"]);
    assert_eq!(format!("{:?}", sum_count.finish_sum(0)), "Some(Number(3.625))");
    assert_eq!(sum_count.subtract(&sum_of(&["2.125"])), Retraction::Exact);
    assert_eq!(format!("{:?}", sum_count.finish_sum(0)), "Some(Number(1.5))");
    assert_eq!(sum_count.subtract(&sum_of(&["1.5"])), Retraction::Exact);
    assert_eq!(format!("{:?}", sum_count.finish_sum(2)), "Some(Number(0.00))");
    assert_eq!(sum_count.finish_average(), Some(Value::missing(Reason::NoRows)));
}

#[test]
fn a_null_that_blocks_a_sum_blocks_it_until_it_is_taken_out() {
    let sum_of = |value: &Value| {
        let mut sum_count = SumCount::default();
        sum_count.fold(value);
        sum_count
    };
    let (no_rate, overflow) = (Value::missing(Reason::NoRate), Value::missing(Reason::Overflow));
    let mut sum_count = sum_of(&Value::Number(Decimal::ONE));
    sum_count.fold(&no_rate);
    assert_eq!(sum_count.finish_sum(0), Some(no_rate.clone()));
    sum_count.fold(&overflow);
    assert_eq!(sum_count.finish_sum(0), None, "the rows know which came first");
    assert_eq!(sum_count.subtract(&sum_of(&overflow)), Retraction::Exact);
    assert_eq!(sum_count.subtract(&sum_of(&no_rate)), Retraction::Exact);
    assert_eq!(sum_count.finish_sum(0), Some(Value::Number(Decimal::ONE)));
}

#[test]
fn overflowing_sums_are_never_returned() {
    let mut sum_count = SumCount::default();
    sum_count.fold(&Value::Number(Decimal::MAX));
    for _ in 0..40 {
        let twice = sum_count.clone();
        sum_count.merge(&twice);
    }
    assert_eq!(sum_count.finish_sum(0), None);
    let mut moments = Moments::default();
    moments.fold(&Value::Number(Decimal::new(i64::MAX, 0)));
    for _ in 0..70 {
        let twice = moments.clone();
        moments.merge(&twice);
    }
    assert_eq!(moments.finish(AggregateFunction::StandardDeviation), None);
}

#[test]
fn the_mode_is_limited_to_a_thousand_values() {
    let values_of = |texts: &[&str]| {
        let mut values = Frequencies::default();
        for text in texts {
            values.fold(&Value::text(*text));
        }
        values
    };
    let mut values = values_of(&["b", "a", "b", "a", "c"]);
    assert_eq!(values.finish(), Some(Value::text("a")), "the smallest of two");
    assert_eq!(values.subtract(&values_of(&["a"])), Retraction::Exact);
    assert_eq!(values.finish(), Some(Value::text("b")));
    for number in 0..1_100 {
        values.fold(&Value::text(format!("{number}")));
    }
    assert_eq!(values.finish(), None);
    assert_eq!(values.subtract(&values_of(&["b"])), Retraction::Rebuild);
}

#[test]
fn an_extreme_that_goes_asks_for_its_rows() {
    let value = |number: i64| Value::Number(Decimal::from(number));
    let largest_of = |numbers: &[i64]| {
        let mut largest = Extreme::default();
        for number in numbers {
            largest.fold(&value(*number), true);
        }
        largest
    };
    let mut largest = largest_of(&[3, 7, 5]);
    assert_eq!(largest.subtract(&largest_of(&[5]), true), Retraction::Exact);
    assert_eq!(largest.finish(), Some(value(7)));
    assert_eq!(largest.subtract(&largest_of(&[7]), true), Retraction::Rebuild);
}

#[test]
fn the_key_decides_the_last_row_of_an_instant() {
    let mut last = FirstOrLast::default();
    for (text, at, key) in [("a", 1, 1), ("b", 2, 1), ("c", 2, 3), ("d", 2, 2)] {
        last.fold(&Value::text(text), (at, &ScalarValue::Number(Decimal::from(key))), true);
    }
    assert_eq!(last.finish(), Some(Value::text("c")));
    last.fold(&Value::text("e"), (2, &ScalarValue::Number(Decimal::from(3))), true);
    assert_eq!(last.finish(), None, "two rows of one instant and key");
}

#[test]
fn a_key_in_both_parts_came_again() {
    let part = |keys: &[u32]| {
        let mut part = RepeatSet::default();
        for key in keys {
            part.fold(*key);
        }
        part
    };
    let mut whole = part(&[1, 2, 2]);
    whole.merge(&part(&[1, 3]));
    assert_eq!(whole.repeated().iter().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(whole.subtract(&part(&[3])), Retraction::Exact);
    assert_eq!(whole.subtract(&part(&[1])), Retraction::Rebuild);
    assert_eq!(whole.seen().iter().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn a_dirty_day_is_rebuilt_with_its_blocks() {
    let row = |key| AggregateInput { value: None, key_number: Some(key), position: None };
    let mut rollup = Rollup::new(AggregateKind::DistinctSet, Grain::Day);
    let key = vec![ScalarValue::Text("DE".into())];
    for (day, number) in [(100, 1), (100, 2), (101, 2), (140, 3)] {
        rollup.fold(day, &key, &row(number));
    }
    let first = folded(AggregateKind::DistinctSet, &[row(1)]);
    assert_eq!(rollup.subtract_partial(100, &key, &first), Retraction::Rebuild);
    assert_eq!(rollup.dirty_in(90, 200), Some(100));
    let mut fresh = Rollup::new(AggregateKind::DistinctSet, Grain::Day);
    fresh.fold(100, &key, &row(2));
    rollup.rebuild(100, &fresh);
    assert_eq!(rollup.dirty_in(90, 200), None);
    let mut partials = [PartialAggregate::empty(AggregateKind::DistinctSet)];
    let merges = rollup.merge_range((96, 160), &[Some(0)], &mut partials);
    assert_eq!(merges, 2, "two blocks of 32 days");
    let [PartialAggregate::DistinctSet(keys)] = &partials else { panic!("keys") };
    assert_eq!(keys.seen().iter().collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn a_dirty_bucket_that_is_taken_out_makes_a_dirty_one() {
    let key = vec![ScalarValue::Null];
    let row = |number: i64| {
        let value = Some(Value::Number(Decimal::from(number)));
        AggregateInput { value, key_number: None, position: None }
    };
    let rollup_of = |numbers: &[i64]| {
        let mut rollup = Rollup::new(AggregateKind::Maximum, Grain::Day);
        for number in numbers {
            rollup.fold(5, &key, &row(*number));
        }
        rollup
    };
    let mut whole = rollup_of(&[1, 3, 4]);
    let mut part = rollup_of(&[1, 2]);
    let largest = folded(AggregateKind::Maximum, &[row(2)]);
    assert_eq!(part.subtract_partial(5, &key, &largest), Retraction::Rebuild);
    whole.subtract(&part);
    assert_eq!(whole.dirty_in(5, 6), Some(5));
}

#[test]
fn cells_and_keys_come_back_from_their_text() {
    let mut rollup = Rollup::new(AggregateKind::SumCount, Grain::Hour);
    let value = Some(Value::Number(Decimal::new(-1250, 2)));
    let at = ScalarValue::Instant(Timestamp::UNIX_EPOCH.as_microsecond());
    let day = ScalarValue::Date("2026-02-28".parse().expect("a day"));
    let key = vec![
        at,
        day,
        ScalarValue::Null,
        ScalarValue::Bool(true),
        ScalarValue::Number(Decimal::new(15, 1)),
    ];
    rollup.fold(-5, &key, &AggregateInput { value, key_number: None, position: None });
    let text = serde_json::to_string(&rollup).expect("text");
    assert!(text.contains(r#"{"Date":"2026-02-28"}"#), "{text}");
    assert_eq!(serde_json::from_str::<Rollup>(&text).expect("a grid"), rollup);
    let mut dictionary = Dictionary::new();
    assert_eq!(dictionary.number("customers", &ScalarValue::Text("c1".into())), Some(0));
    assert_eq!(dictionary.number("customers", &ScalarValue::Text("c2".into())), Some(1));
    assert_eq!(dictionary.number("customers", &ScalarValue::Text("c1".into())), Some(0));
    assert_eq!(dictionary.len(), 2);
    let text = serde_json::to_string(&dictionary).expect("text");
    assert_eq!(serde_json::from_str::<Dictionary>(&text).expect("keys"), dictionary);
    for (count, step) in [(1, 7), (2, u32::MAX), (64, 1_000_000), (65, 1_000_000), (1_000, 3)] {
        let mut keys = DistinctSet::default();
        (0..count).for_each(|number: u32| keys.fold(number.saturating_mul(step)));
        let text = serde_json::to_string(&keys).expect("text");
        assert_eq!(serde_json::from_str::<DistinctSet>(&text).expect("keys"), keys);
    }
}

#[test]
fn stored_partials_that_make_no_sense_are_refused_or_left_out() {
    let text = r#"{"kind":"SumCount","grain":"Day","keys":[],"partials":[[1,7,{"SumCount":{"Many":{"sums":[],"blocked":[],"overflowed":false}}}]],"dirty":[],"extent":null,"is_extent_loose":false,"scale":0}"#;
    let rollup: Rollup = serde_json::from_str(text).expect("a rollup");
    assert!(rollup.is_empty());
    assert!(serde_json::from_str::<ScalarValue>(r#"{"Number":[1,99]}"#).is_err());
    for distances in ["5,0", "4294967295,1", "1,-1"] {
        let text = format!(r#"{{"seen":{{"Few":[{distances}]}},"keyless":0}}"#);
        assert!(serde_json::from_str::<DistinctSet>(&text).is_err(), "{distances}");
    }
    let twice = r#"[["orders",["Null","Null"]]]"#;
    assert!(serde_json::from_str::<Dictionary>(twice).is_err());
}

/// Returns the buckets and blocks that a range is merged from, as a rollup of their own.
fn part_of(whole: &Rollup, key: &[ScalarValue], (from, to): (i32, i32)) -> Rollup {
    let mut levels = vec![Vec::new(), Vec::new()];
    for piece in cover(Grain::Day, from, to) {
        let span = Grain::Day.spans()[piece.level];
        for number in piece.first..piece.end {
            let mut partials = [PartialAggregate::empty(AggregateKind::SumCount)];
            whole.merge_range((number * span, (number + 1) * span), &[Some(0)], &mut partials);
            let [partial] = partials;
            levels[piece.level].push(((number, 0), partial));
        }
    }
    Rollup::from_levels(AggregateKind::SumCount, Grain::Day, vec![key.to_vec()], levels)
}

#[test]
fn a_part_of_a_grid_gives_in_its_range_what_the_whole_gives() {
    let key = vec![ScalarValue::Text("web".into())];
    let mut whole = Rollup::new(AggregateKind::SumCount, Grain::Day);
    for day in 0..200 {
        let value = Some(Value::Number(Decimal::from(day)));
        whole.fold(day, &key, &AggregateInput { value, key_number: None, position: None });
    }
    for range in [(0, 200), (3, 4), (31, 33), (10, 120), (64, 96), (199, 200), (7, 7)] {
        let merged = |rollup: &Rollup| {
            let mut partials = [PartialAggregate::empty(AggregateKind::SumCount)];
            let merges = rollup.merge_range(range, &[Some(0)], &mut partials);
            (partials[0].finish(AggregateFunction::Sum, None, 0), merges)
        };
        let part = part_of(&whole, &key, range);
        assert_eq!(merged(&part).0, merged(&whole).0, "{range:?}");
        assert!(merged(&part).1 <= 64 + 5, "{range:?} is merged from blocks");
    }
}

#[test]
fn the_stored_form_of_each_kind_never_changes() {
    let row = AggregateInput {
        value: Some(Value::Number(Decimal::new(250, 2))),
        key_number: Some(7),
        position: Some((3, ScalarValue::Text("o1".into()))),
    };
    let best = r#"{"best":{"Number":[250,2]},"count":1,"lost":false}"#;
    let last = r#"{"best":{"at":3,"key":{"Text":"o1"},"value":{"Number":[250,2]},"is_unclear":false},"count":1}"#;
    let sums = r#"{"scale":2,"count":1,"sum":250,"squares":62500,"lost":false}"#;
    let stored = [
        ("SumCount", "SumCount", r#"{"One":{"scale":2,"total":250,"count":1}}"#),
        ("Moments", "Moments", sums),
        ("QuantileSketch", "QuantileSketch", r#"{"counts":{"3323":1}}"#),
        ("Minimum", "Extreme", best),
        ("Maximum", "Extreme", best),
        ("First", "FirstOrLast", last),
        ("Last", "FirstOrLast", last),
        ("DistinctSet", "DistinctSet", r#"{"seen":{"Few":[7]},"keyless":0}"#),
        ("RepeatSet", "RepeatSet", r#"{"seen":{"Few":[7]},"repeated":{"Few":[]}}"#),
        ("Frequencies", "Frequencies", r#"{"counts":[[{"Number":[250,2]},1]],"lost":false}"#),
    ];
    for (kind, (name, variant, partial)) in KINDS.into_iter().zip(stored) {
        let mut rollup = Rollup::new(kind, Grain::Day);
        rollup.fold(5, &vec![ScalarValue::Text("DE".into()), ScalarValue::Null], &row);
        let text = serde_json::to_string(&rollup).expect("text");
        let wanted = format!(
            r#"{{"kind":"{name}","grain":"Day","keys":[[{{"Text":"DE"}},"Null"]],"partials":[[5,0,{{"{variant}":{partial}}}]],"dirty":[],"extent":null,"is_extent_loose":false,"scale":0}}"#
        );
        assert_eq!(text, wanted);
    }
}
