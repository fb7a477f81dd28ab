//! What holds of any orders and any formula: a second evaluator agrees, parts add up, windows
//! compose.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "numbers of days are small, and a generated formula that does not check fails the test"
)]

mod model;

use std::collections::BTreeSet;

use model::generate::{
    COUNTRIES, condition, count, customers, known_days, money, orders, ratio, sum_or_count, window,
};
use model::rows::{COVERED, ENGINE, Order, data, data_of, date};
use model::tree::Quantity;
use model::{Model, Outcome, day_number};
use proptest::collection::vec;
use proptest::prelude::*;
use quotient::calendar::TimeUnit;
use quotient::check::Additivity;
use quotient::types::{Reason, Value};
use quotient::{Answers, Formula, Inputs, Request};

/// February 2026, as numbers of days: from the first, to before the second.
const FEBRUARY: (i32, i32) = (31, 59);

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

fn compiled(text: &str) -> Formula {
    ENGINE.compile(text).unwrap_or_else(|found| panic!("{text}: {found:#?}"))
}

fn answers(text: &str, orders: &[Order], request: &Request) -> Answers {
    let data = data(orders);
    ENGINE
        .evaluate(&[&compiled(text)], Inputs::data(&data), request)
        .unwrap_or_else(|found| panic!("{text}: {found:#?}"))
}

/// A request over the days from `start` to before `end`.
fn over((start, end): (i32, i32)) -> Request {
    Request { period: Some((date(start), date(end - 1))), ..Request::default() }
}

/// The instant at which a day begins.
fn midnight(day: i32) -> jiff::Timestamp {
    format!("{}T00:00:00Z", date(day)).parse().unwrap_or_else(|error| panic!("{error}"))
}

fn outcome(value: &Value) -> Outcome {
    if let Some(missing) = value.as_missing() {
        return Err(missing.reason);
    }
    Ok(value.as_number().unwrap_or_else(|| panic!("{value:?} is no quantity")))
}

fn outcomes(answers: &Answers) -> Vec<Outcome> {
    answers.of(0).iter().map(|answer| outcome(&answer.value)).collect()
}

fn value(text: &str, orders: &[Order], days: (i32, i32)) -> Outcome {
    let answers = answers(text, orders, &over(days));
    outcome(&answers.first().unwrap_or_else(|| panic!("{text}: no answer")).value)
}

/// Parts in one number.
fn added(parts: &[Outcome]) -> Outcome {
    parts.iter().try_fold(0.into(), |sum, part| quotient::number::add(sum, (*part)?))
}

/// A value with its scale, which equality would not tell, and the reason and place of a null. Where
/// a window leaves the calendar, formulas that share a plan share the place too.
fn spelt(value: &Value) -> String {
    match value.as_missing().map(|missing| missing.reason) {
        Some(Reason::NoCoverage) => Reason::NoCoverage.name().to_owned(),
        Some(_) | None => format!("{value:?}"),
    }
}

fn formula() -> impl Strategy<Value = Quantity> {
    prop_oneof![3 => money(3), 1 => count(3), 2 => ratio(3)]
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn any_formula_has_the_value_that_the_model_counts(
        orders in orders(),
        formulas in vec(formula(), 4),
    ) {
        for formula in formulas {
            let text = formula.to_string();
            let counted = Model::new(&orders, FEBRUARY.0, FEBRUARY.1).value(&formula);
            prop_assert_eq!(value(&text, &orders, FEBRUARY), counted, "{}", text);
        }
    }

    #[test]
    fn any_formula_has_the_value_that_the_model_counts_of_what_is_known(
        orders in orders(),
        formulas in vec(prop_oneof![8 => formula(), 1 => customers()], 4),
        (days, known) in known_days(),
    ) {
        let data = data_of(&COVERED, &orders);
        let request = Request { now: midnight(known.now), ..over(days) };
        for formula in formulas {
            let text = formula.to_string();
            let compiled = COVERED.compile(&text).unwrap_or_else(|found| panic!("{found:#?}"));
            let answers = COVERED.evaluate(&[&compiled], Inputs::data(&data), &request);
            let answers = answers.unwrap_or_else(|found| panic!("{text}: {found:#?}"));
            let counted = Model::knowing(&orders, days, known).value(&formula);
            prop_assert_eq!(outcomes(&answers), vec![counted], "{} over {:?}, {:?}", text, days, known);
        }
    }

    #[test]
    fn any_formula_has_the_value_that_the_model_counts_in_each_week(
        orders in orders(),
        formula in formula(),
    ) {
        let text = formula.to_string();
        let request = Request { by: Some(TimeUnit::Week), ..over(FEBRUARY) };
        let weeks = [(31, 32), (32, 39), (39, 46), (46, 53), (53, 59)];
        let counted = weeks.map(|(start, end)| Model::new(&orders, start, end).value(&formula));
        prop_assert_eq!(outcomes(&answers(&text, &orders, &request)), counted, "{}", text);
    }

    #[test]
    fn any_formula_has_the_value_that_the_model_counts_in_each_country(
        orders in orders(),
        formula in formula(),
    ) {
        let text = formula.to_string();
        let request = Request { group_by: vec!["country".into()], ..over(FEBRUARY) };
        let answers = answers(&text, &orders, &request);
        let model = Model::new(&orders, FEBRUARY.0, FEBRUARY.1);
        for (index, group) in answers.groups.iter().enumerate() {
            let country = match group.first() {
                Some(Value::Text(text)) => COUNTRIES.into_iter().find(|name| **name == **text),
                _ => None,
            };
            let counted = model.of_country(country).value(&formula);
            let given = answers.get(0, 0, index).map(|answer| outcome(&answer.value));
            prop_assert_eq!(given, Some(counted), "{} of {:?}", text, country);
        }
    }

    #[test]
    fn windows_one_in_another_have_the_days_that_the_model_counts(
        orders in orders(),
        formulas in vec((window(), window(), sum_or_count()), 4),
    ) {
        for (outer, inner, plain) in formulas {
            let once = Quantity::Window(inner, plain.into());
            let twice = Quantity::Window(outer, once.clone().into());
            for (formula, days) in [(&once, FEBRUARY), (&twice, FEBRUARY), (&twice, (40, 52))] {
                let text = formula.to_string();
                let counted = Model::new(&orders, days.0, days.1).value(formula);
                prop_assert_eq!(value(&text, &orders, days), counted, "{}", text);
            }
        }
    }

    #[test]
    fn the_groups_are_the_countries_of_the_rows(orders in orders()) {
        let request = Request { group_by: vec!["country".into()], ..over(FEBRUARY) };
        let answers = answers("count(orders)", &orders, &request);
        let given: BTreeSet<Option<String>> = answers
            .groups
            .iter()
            .filter_map(|group| group.first())
            .map(|key| if let Value::Text(text) = key { Some(text.to_string()) } else { None })
            .collect();
        let in_february = |order: &&Order| (FEBRUARY.0..FEBRUARY.1).contains(&order.day);
        let countries = orders.iter().filter(in_february).map(|order| order.country);
        let wanted = countries.map(|country| country.map(str::to_owned)).collect();
        prop_assert_eq!(given.len(), answers.groups.len());
        prop_assert_eq!(given, wanted);
    }

    #[test]
    fn customers_are_those_that_the_model_counts(
        orders in orders(),
        formula in customers(),
        window in window(),
    ) {
        for formula in [formula.clone(), Quantity::Window(window, formula.into())] {
            let text = formula.to_string();
            let counted = Model::new(&orders, FEBRUARY.0, FEBRUARY.1).value(&formula);
            prop_assert_eq!(value(&text, &orders, FEBRUARY), counted, "{}", text);
        }
    }

    #[test]
    fn a_condition_and_its_opposite_part_the_rows(orders in orders(), condition in condition()) {
        for (call, whole) in [("count", "orders"), ("sum", "orders.total"), ("sum", "kept.cost")] {
            let parts = [
                value(&format!("{call}({whole} where {condition})"), &orders, FEBRUARY),
                value(&format!("{call}({whole} where not ({condition}))"), &orders, FEBRUARY),
            ];
            let whole = value(&format!("{call}({whole})"), &orders, FEBRUARY);
            prop_assert_eq!(added(&parts), whole, "{}", condition);
        }
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn days_add_up_to_the_month_and_so_do_any_two_parts(
        orders in orders(),
        formula in prop_oneof![sum_or_count(), money(2)],
        cut in FEBRUARY.0 + 1..FEBRUARY.1,
    ) {
        let text = formula.to_string();
        prop_assume!(compiled(&text).additivity() == Additivity::Additive);
        let whole = value(&text, &orders, FEBRUARY);
        let daily = Request { by: Some(TimeUnit::Day), ..over(FEBRUARY) };
        let days = answers(&text, &orders, &daily);
        prop_assert_eq!(days.buckets.len(), 28);
        prop_assert_eq!(added(&outcomes(&days)), whole, "days of {}", text);
        let parts = [
            value(&text, &orders, (FEBRUARY.0, cut)),
            value(&text, &orders, (cut, FEBRUARY.1)),
        ];
        prop_assert_eq!(added(&parts), whole, "{} cut at {}", text, cut);
    }

    #[test]
    fn groups_add_up_to_the_total(orders in orders(), formula in sum_or_count()) {
        let text = formula.to_string();
        let request = Request { group_by: vec!["country".into()], ..over(FEBRUARY) };
        let parts = outcomes(&answers(&text, &orders, &request));
        prop_assert_eq!(added(&parts), value(&text, &orders, FEBRUARY), "{}", text);
    }

    #[test]
    fn the_month_before_the_month_before_is_two_months_before(
        orders in orders(),
        formula in money(1),
    ) {
        for month in [FEBRUARY, (59, 90), (90, 120)] {
            let twice = value(&format!("previous(previous({formula}))"), &orders, month);
            let at_once = value(&format!("previous({formula}, 2)"), &orders, month);
            prop_assert_eq!(twice, at_once, "{}", formula);
        }
    }

    #[test]
    fn two_shifts_by_days_are_one_shift_by_their_sum(
        orders in orders(),
        formula in money(1),
        (first, second) in (-40_i32..40, -40_i32..40),
    ) {
        let twice = format!("shift(shift({formula}, {first} days), {second} days)");
        let at_once = format!("shift({formula}, {} days)", first + second);
        let (twice, at_once) = (value(&twice, &orders, FEBRUARY), value(&at_once, &orders, FEBRUARY));
        prop_assert_eq!(twice, at_once, "{}", formula);
    }

    #[test]
    fn the_canonical_text_means_the_same_and_is_its_own_canonical_text(
        orders in orders(),
        formula in formula(),
    ) {
        let text = formula.to_string();
        let canonical = compiled(&text).canonical().to_owned();
        let again = compiled(&canonical);
        prop_assert_eq!(again.canonical(), &canonical);
        let (given, again) =
            (value(&text, &orders, FEBRUARY), value(&canonical, &orders, FEBRUARY));
        prop_assert_eq!(given, again, "{} as {}", text, canonical);
    }

    #[test]
    fn the_order_of_rows_does_not_matter(
        (orders, shuffled) in orders().prop_flat_map(|orders| {
            (Just(orders.clone()), Just(orders).prop_shuffle())
        }),
        formula in formula(),
    ) {
        let text = formula.to_string();
        let (given, again) =
            (value(&text, &orders, FEBRUARY), value(&text, &shuffled, FEBRUARY));
        prop_assert_eq!(given, again, "{}", text);
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn the_program_of_any_formulas_has_their_values(
        orders in orders(),
        formulas in vec(formula(), 3),
    ) {
        let data = data(&orders);
        let formulas: Vec<Formula> =
            formulas.into_iter().map(|formula| compiled(&formula.to_string())).collect();
        let formulas: Vec<&Formula> = formulas.iter().collect();
        let plan = ENGINE.plan(&formulas).unwrap();
        for request in [
            Request { by: Some(TimeUnit::Week), ..over(FEBRUARY) },
            Request { group_by: vec!["country".into()], ..over(FEBRUARY) },
            Request::default(),
        ] {
            let inputs = Inputs::data(&data);
            let answers = ENGINE.evaluate(&formulas, inputs, &request).unwrap();
            let slots = ENGINE.slot_values(&plan, &formulas, inputs, &request).unwrap();
            let mut runner = ENGINE.runner(&plan, &request).unwrap();
            for (bucket, group) in (0..slots.buckets.len())
                .flat_map(|bucket| (0..slots.groups.len()).map(move |group| (bucket, group)))
            {
                runner.fill(&slots.of(bucket, group));
                runner.run();
                for (index, formula) in formulas.iter().enumerate() {
                    let wanted = answers.get(index, bucket, group).map(|answer| &answer.value);
                    let wanted = wanted.map(spelt);
                    let given = Some(spelt(&runner.value(index)));
                    prop_assert_eq!(given, wanted, "{}\n{}", formula.text(), plan);
                }
            }
        }
    }
}

#[test]
fn the_model_knows_the_calendar() {
    assert_eq!(day_number(jiff::civil::date(2026, 2, 1)), FEBRUARY.0);
    assert_eq!(day_number(jiff::civil::date(2026, 3, 1)), FEBRUARY.1);
}
