//! The arithmetic of each kind: parts in any order, rows taken out, and what is forgotten.

#![expect(clippy::arithmetic_side_effects, reason = "a test may fail by overflow")]

use jiff::Timestamp;
use proptest::collection::vec;
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::{
    Contribution, Dictionary, Edge, Extreme, Grain, Grid, KeyNumbers, Keys, Part, Repeats, Sketch,
    Spread, State, StateKind, Tally, Undone, cover,
};
use crate::check::AggregateFunction;
use crate::number;
use crate::types::{Reason, Value};

const KINDS: [StateKind; 9] = [
    StateKind::Tally,
    StateKind::Spread,
    StateKind::Sketch,
    StateKind::Least,
    StateKind::Largest,
    StateKind::First,
    StateKind::Last,
    StateKind::Keys,
    StateKind::Repeats,
];

fn cases() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(256) }
}

/// A row of cents; about one in ten has no value.
fn row() -> impl Strategy<Value = Contribution> {
    let cents = prop_oneof![9 => (-5_000_i64..100_000).prop_map(Some), 1 => Just(None)];
    (cents, 0_u32..12, 0_i64..20).prop_map(|(cents, number, at)| {
        let value = cents.map_or(Value::missing(Reason::NullValue), |cents| {
            Value::Number(Decimal::new(cents, 2))
        });
        let key = Part::Number(Decimal::from(number) + Decimal::from(at * 100));
        Contribution { value: Some(value), number: Some(number), place: Some((at, key)) }
    })
}

fn folded(kind: StateKind, rows: &[Contribution]) -> State {
    let mut state = State::empty(kind);
    for row in rows {
        state.fold(kind, row);
    }
    state
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
            let mut parts: Vec<State> =
                edges.windows(2).map(|ends| folded(kind, &rows[ends[0]..ends[1]])).collect();
            if backwards {
                parts.reverse();
            }
            let mut merged = State::empty(kind);
            for part in &parts {
                merged.merge(kind, part);
            }
            let whole = folded(kind, &rows);
            let told = |state: &State| state.finish(AggregateFunction::Sum, None, 2);
            prop_assert_eq!(told(&merged), told(&whole), "{:?}", kind);
            if !matches!(kind, StateKind::First | StateKind::Last) {
                // Which of two rows that cannot be told apart is kept does not matter.
                prop_assert_eq!(merged, whole, "{:?}", kind);
            }
        }
    }

    #[test]
    fn what_is_undone_exactly_was_never_there(rows in vec(row(), 1..40), gone in 0_usize..40) {
        let gone = gone % rows.len();
        for kind in KINDS {
            let mut state = folded(kind, &rows);
            let mut rest = rows.clone();
            let row = rest.remove(gone);
            if state.undo(kind, &row) == Undone::Exactly {
                let wanted = folded(kind, &rest);
                let answer = |state: &State| state.finish(AggregateFunction::Sum, None, 2);
                prop_assert_eq!(answer(&state), answer(&wanted), "{:?}", kind);
                prop_assert_eq!(state.is_empty(), wanted.is_empty(), "{:?}", kind);
            } else {
                prop_assert!(!kind.subtracts(), "{:?} subtracts", kind);
            }
        }
    }

    #[test]
    fn a_part_may_be_taken_out_before_it_is_put_in(rows in vec(row(), 0..40)) {
        for kind in KINDS.into_iter().filter(|kind| kind.subtracts()) {
            let part = folded(kind, &rows);
            let mut state = State::empty(kind);
            prop_assert_eq!(state.take_out(kind, &part), Undone::Exactly);
            state.merge(kind, &part);
            prop_assert!(state.is_empty(), "{:?}", kind);
        }
    }

    #[test]
    fn a_sketch_knows_every_rank_to_one_percent(
        numbers in vec((-1_000_000_000_i64..1_000_000_000, 0_u32..12), 1..80),
        rank in 0_usize..80,
    ) {
        let mut numbers: Vec<Decimal> =
            numbers.into_iter().map(|(digits, scale)| Decimal::new(digits, scale)).collect();
        let mut sketch = Sketch::default();
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
        let mut sketch = Sketch::default();
        sketch.fold(&Value::Number(number));
        let Value::Number(given) = sketch.finish(Decimal::ZERO) else {
            // What is larger than 28 digits is an overflow, as everywhere.
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
fn a_sum_keeps_the_digits_of_what_is_in_it() {
    let value = |text: &str| Value::Number(text.parse().expect("a number"));
    let mut tally = Tally::default();
    tally.fold(&value("1.5"));
    tally.fold(&value("2.125"));
    assert_eq!(format!("{:?}", tally.finish_sum(0)), "Some(Number(3.625))");
    assert_eq!(tally.undo(&value("2.125")), Undone::Exactly);
    assert_eq!(format!("{:?}", tally.finish_sum(0)), "Some(Number(1.5))");
    assert_eq!(tally.undo(&value("1.5")), Undone::Exactly);
    assert_eq!(format!("{:?}", tally.finish_sum(2)), "Some(Number(0.00))");
    assert_eq!(tally.finish_average(), Some(Value::missing(Reason::NoRows)));
}

#[test]
fn a_null_that_blocks_a_sum_blocks_it_until_it_is_taken_out() {
    let mut tally = Tally::default();
    tally.fold(&Value::Number(Decimal::ONE));
    let no_rate = Value::missing(Reason::NoRate);
    tally.fold(&no_rate);
    assert_eq!(tally.finish_sum(0), Some(no_rate.clone()));
    tally.fold(&Value::missing(Reason::Overflow));
    assert_eq!(tally.finish_sum(0), None, "the rows know which came first");
    assert_eq!(tally.undo(&Value::missing(Reason::Overflow)), Undone::Exactly);
    assert_eq!(tally.undo(&no_rate), Undone::Exactly);
    assert_eq!(tally.finish_sum(0), Some(Value::Number(Decimal::ONE)));
}

#[test]
fn sums_past_their_integers_are_never_told() {
    let mut tally = Tally::default();
    tally.fold(&Value::Number(Decimal::MAX));
    for _ in 0..40 {
        let twice = tally.clone();
        tally.merge(&twice);
    }
    assert_eq!(tally.finish_sum(0), None);
    let mut spread = Spread::default();
    spread.fold(&Value::Number(Decimal::new(i64::MAX, 0)));
    for _ in 0..70 {
        let twice = spread.clone();
        spread.merge(&twice);
    }
    assert_eq!(spread.finish(), None);
}

#[test]
fn an_extreme_that_goes_asks_for_its_rows() {
    let value = |number: i64| Value::Number(Decimal::from(number));
    let mut largest = Extreme::default();
    for number in [3, 7, 5] {
        largest.fold(&value(number), true);
    }
    assert_eq!(largest.undo(&value(5), true), Undone::Exactly);
    assert_eq!(largest.finish(), Some(value(7)));
    assert_eq!(largest.undo(&value(7), true), Undone::Rebuild);
}

#[test]
fn the_last_of_one_instant_is_told_by_its_key() {
    let mut last = Edge::default();
    for (text, at, key) in [("a", 1, 1), ("b", 2, 1), ("c", 2, 3), ("d", 2, 2)] {
        last.fold(&Value::text(text), (at, &Part::Number(Decimal::from(key))), true);
    }
    assert_eq!(last.finish(), Some(Value::text("c")));
    last.fold(&Value::text("e"), (2, &Part::Number(Decimal::from(3))), true);
    assert_eq!(last.finish(), None, "two rows of one instant and key");
}

#[test]
fn a_key_in_both_parts_came_again() {
    let part = |keys: &[u32]| {
        let mut part = Repeats::default();
        for key in keys {
            part.fold(*key);
        }
        part
    };
    let mut whole = part(&[1, 2, 2]);
    whole.merge(&part(&[1, 3]));
    assert_eq!(whole.again().iter().collect::<Vec<_>>(), [1, 2]);
    assert_eq!(whole.undo(3), Undone::Exactly);
    assert_eq!(whole.undo(1), Undone::Rebuild);
    assert_eq!(whole.seen().iter().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn a_dirty_day_is_rebuilt_with_its_blocks() {
    let row = |key| Contribution { value: None, number: Some(key), place: None };
    let mut grid = Grid::new(StateKind::Keys, Grain::Day);
    let tuple = vec![Part::Text("DE".into())];
    for (day, key) in [(100, 1), (100, 2), (101, 2), (140, 3)] {
        grid.fold(day, &tuple, &row(key));
    }
    assert_eq!(grid.undo(100, &tuple, &row(1)), Undone::Rebuild);
    assert_eq!(grid.dirty_in(90, 200), Some(100));
    let mut fresh = Grid::new(StateKind::Keys, Grain::Day);
    fresh.fold(100, &tuple, &row(2));
    grid.rebuild(100, &fresh);
    assert_eq!(grid.dirty_in(90, 200), None);
    let mut states = [State::empty(StateKind::Keys)];
    let merges = grid.merged((96, 160), &[Some(0)], &mut states);
    assert_eq!(merges, 2, "two blocks of 32 days");
    let [State::Keys(keys)] = &states else { panic!("keys") };
    assert_eq!(keys.seen().iter().collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn cells_and_keys_come_back_from_their_text() {
    let mut grid = Grid::new(StateKind::Tally, Grain::Hour);
    let value = Some(Value::Number(Decimal::new(-1250, 2)));
    let at = Part::Instant(Timestamp::UNIX_EPOCH.as_microsecond());
    let day = Part::Date("2026-02-28".parse().expect("a day"));
    let tuple = vec![at, day, Part::Null, Part::Bool(true), Part::Number(Decimal::new(15, 1))];
    grid.fold(-5, &tuple, &Contribution { value, number: None, place: None });
    let text = serde_json::to_string(&grid).expect("text");
    assert_eq!(serde_json::from_str::<Grid>(&text).expect("a grid"), grid);
    let mut dictionary = Dictionary::new();
    assert_eq!(dictionary.number("customers", &Part::Text("c1".into())), Some(0));
    assert_eq!(dictionary.number("customers", &Part::Text("c2".into())), Some(1));
    assert_eq!(dictionary.number("customers", &Part::Text("c1".into())), Some(0));
    assert_eq!(dictionary.len(), 2);
    let text = serde_json::to_string(&dictionary).expect("text");
    assert_eq!(serde_json::from_str::<Dictionary>(&text).expect("keys"), dictionary);
    for (count, step) in [(1, 7), (2, u32::MAX), (64, 1_000_000), (65, 1_000_000), (1_000, 3)] {
        let mut keys = Keys::default();
        (0..count).for_each(|number: u32| keys.fold(number.saturating_mul(step)));
        let text = serde_json::to_string(&keys).expect("text");
        assert_eq!(serde_json::from_str::<Keys>(&text).expect("keys"), keys);
    }
}

#[test]
fn kept_cells_that_make_no_sense_are_refused_or_left_out() {
    let text = r#"{"kind":"Tally","grain":"Day","tuples":[],"cells":[[1,7,{"Tally":{"Many":{"sums":[],"blocked":[],"overflowed":false}}}]],"dirty":[],"extent":null,"is_loose":false,"scale":0}"#;
    let grid: Grid = serde_json::from_str(text).expect("a grid");
    assert!(grid.is_empty());
    assert!(serde_json::from_str::<Part>(r#"{"Number":[1,99]}"#).is_err());
    for distances in ["5,0", "4294967295,1", "1,-1"] {
        let text = format!(r#"{{"seen":{{"Few":[{distances}]}},"keyless":0}}"#);
        assert!(serde_json::from_str::<Keys>(&text).is_err(), "{distances}");
    }
    let twice = r#"[["orders",["Null","Null"]]]"#;
    assert!(serde_json::from_str::<Dictionary>(twice).is_err());
}

/// The cells and blocks that a range is merged from, in a grid of their own.
fn part_of(whole: &Grid, tuple: &[Part], (from, to): (i32, i32)) -> Grid {
    let mut levels = vec![Vec::new(), Vec::new()];
    for piece in cover(Grain::Day, from, to) {
        let span = Grain::Day.spans()[piece.level];
        for number in piece.first..piece.end {
            let mut states = [State::empty(StateKind::Tally)];
            whole.merged((number * span, (number + 1) * span), &[Some(0)], &mut states);
            let [state] = states;
            levels[piece.level].push(((number, 0), state));
        }
    }
    Grid::part(StateKind::Tally, Grain::Day, vec![tuple.to_vec()], levels)
}

#[test]
fn a_part_of_a_grid_gives_in_its_range_what_the_whole_gives() {
    let tuple = vec![Part::Text("web".into())];
    let mut whole = Grid::new(StateKind::Tally, Grain::Day);
    for day in 0..200 {
        let value = Some(Value::Number(Decimal::from(day)));
        whole.fold(day, &tuple, &Contribution { value, number: None, place: None });
    }
    for range in [(0, 200), (3, 4), (31, 33), (10, 120), (64, 96), (199, 200), (7, 7)] {
        let merged = |grid: &Grid| {
            let mut states = [State::empty(StateKind::Tally)];
            let merges = grid.merged(range, &[Some(0)], &mut states);
            (states[0].finish(AggregateFunction::Sum, None, 0), merges)
        };
        let part = part_of(&whole, &tuple, range);
        assert_eq!(merged(&part).0, merged(&whole).0, "{range:?}");
        assert!(merged(&part).1 <= 64 + 5, "{range:?} is merged from blocks");
    }
}

#[test]
fn the_stored_form_of_each_kind_never_changes() {
    let row = Contribution {
        value: Some(Value::Number(Decimal::new(250, 2))),
        number: Some(7),
        place: Some((3, Part::Text("o1".into()))),
    };
    let best = r#"{"best":{"Number":[250,2]},"count":1,"lost":false}"#;
    let last = r#"{"best":{"at":3,"key":{"Text":"o1"},"value":{"Number":[250,2]},"is_unclear":false},"count":1}"#;
    let sums = r#"{"scale":2,"count":1,"sum":250,"squares":62500,"lost":false}"#;
    let stored = [
        ("Tally", "Tally", r#"{"One":{"scale":2,"total":250,"count":1}}"#),
        ("Spread", "Spread", sums),
        ("Sketch", "Sketch", r#"{"counts":{"3323":1}}"#),
        ("Least", "Extreme", best),
        ("Largest", "Extreme", best),
        ("First", "Edge", last),
        ("Last", "Edge", last),
        ("Keys", "Keys", r#"{"seen":{"Few":[7]},"keyless":0}"#),
        ("Repeats", "Repeats", r#"{"seen":{"Few":[7]},"again":{"Few":[]}}"#),
    ];
    for (kind, (name, variant, state)) in KINDS.into_iter().zip(stored) {
        let mut grid = Grid::new(kind, Grain::Day);
        grid.fold(5, &vec![Part::Text("DE".into()), Part::Null], &row);
        let text = serde_json::to_string(&grid).expect("text");
        let wanted = format!(
            r#"{{"kind":"{name}","grain":"Day","tuples":[[{{"Text":"DE"}},"Null"]],"cells":[[5,0,{{"{variant}":{state}}}]],"dirty":[],"extent":null,"is_loose":false,"scale":0}}"#
        );
        assert_eq!(text, wanted);
    }
}
