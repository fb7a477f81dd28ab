//! What holds for any orders and any formula without a second evaluator: parts add up, windows compose, and
//! neither the order of rows nor the spelling of a formula matters.

use std::sync::LazyLock;

use proptest::prelude::*;
use quotient::calendar::TimeUnit;
use quotient::check::Additivity;
use quotient::{Answers, Engine, Formula, Inputs, Request};

use crate::model::agreement::outcome;
use crate::model::clock::{Day, date};
use crate::model::exact::{Exact, Outcome};
use crate::model::generate::aggregates::additive;
use crate::model::generate::conditions::condition;
use crate::model::generate::formulas::Formulas;
use crate::model::generate::orders;
use crate::model::store::{Order, Policy, Settings, Store};
use crate::model::tree::{Quantity, Source};

/// February 2026, from the first to before the second.
const FEBRUARY: (Day, Day) = (20_485, 20_513);
/// March and April.
const LATER: [(Day, Day); 2] = [(20_513, 20_544), (20_544, 20_574)];

static ENGINE: LazyLock<Engine> = LazyLock::new(|| Settings::PLAIN.engine());

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Orders of December to March, most of them of February.
fn some_orders() -> impl Strategy<Value = Vec<Order>> {
    orders(FEBRUARY.0 + 14, 30)
}

fn amount(depth: usize) -> impl Strategy<Value = Quantity> {
    Formulas::of(Policy::Convert).dollars(depth)
}

fn compiled(text: &str) -> Formula {
    ENGINE.compile(text).unwrap_or_else(|found| panic!("{text}: {found:#?}"))
}

fn answers(text: &str, orders: &[Order], request: &Request) -> Answers {
    let data = Store::of(orders.to_vec()).data(&ENGINE);
    ENGINE
        .evaluate(&[&compiled(text)], Inputs::data(&data), request)
        .unwrap_or_else(|found| panic!("{text}: {found:#?}"))
}

/// A request over the days from `start` to before `end`.
fn over((start, end): (Day, Day)) -> Request {
    Request { period: Some((date(start), date(end - 1))), ..Request::default() }
}

fn outcomes(answers: &Answers) -> Vec<Outcome> {
    answers.of(0).iter().map(|answer| outcome(&answer.value)).collect()
}

fn value(text: &str, orders: &[Order], days: (Day, Day)) -> Outcome {
    let answers = answers(text, orders, &over(days));
    outcome(&answers.first().unwrap_or_else(|| panic!("{text}: no answer")).value)
}

/// Parts in one number.
fn added(parts: &[Outcome]) -> Outcome {
    let parts: Vec<Exact> = parts.iter().cloned().collect::<Result<_, _>>()?;
    Exact::sum(&parts)
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn a_condition_and_its_opposite_part_the_rows(
        orders in some_orders(),
        condition in condition(Source::Orders),
    ) {
        for (call, whole) in [("count", "orders"), ("sum", "orders.total"), ("sum", "kept.cost")] {
            let parts = [
                value(&format!("{call}({whole} where {condition})"), &orders, FEBRUARY),
                value(&format!("{call}({whole} where not ({condition}))"), &orders, FEBRUARY),
            ];
            let whole = value(&format!("{call}({whole})"), &orders, FEBRUARY);
            prop_assert_eq!(added(&parts), whole, "{}", condition);
        }
    }

    #[test]
    fn days_add_up_to_the_month_and_so_do_any_two_parts(
        orders in some_orders(),
        formula in additive(),
        cut in FEBRUARY.0 + 1..FEBRUARY.1,
    ) {
        let text = formula.to_string();
        prop_assert_eq!(compiled(&text).additivity(), Additivity::Additive, "{}", text);
        let whole = value(&text, &orders, FEBRUARY);
        let daily = Request { by: Some(TimeUnit::Day), ..over(FEBRUARY) };
        let days = answers(&text, &orders, &daily);
        prop_assert_eq!(days.buckets.len(), 28);
        prop_assert_eq!(&added(&outcomes(&days)), &whole, "days of {}", text);
        let parts = [
            value(&text, &orders, (FEBRUARY.0, cut)),
            value(&text, &orders, (cut, FEBRUARY.1)),
        ];
        prop_assert_eq!(added(&parts), whole, "{} cut at {}", text, cut);
    }

    #[test]
    fn groups_add_up_to_the_total(orders in some_orders(), formula in additive()) {
        let text = formula.to_string();
        let request = Request { group_by: vec!["country".into()], ..over(FEBRUARY) };
        let parts = outcomes(&answers(&text, &orders, &request));
        prop_assert_eq!(added(&parts), value(&text, &orders, FEBRUARY), "{}", text);
    }

    #[test]
    fn the_month_before_the_month_before_is_two_months_before(
        orders in some_orders(),
        formula in amount(1),
    ) {
        for month in [FEBRUARY, LATER[0], LATER[1]] {
            let twice = value(&format!("previous(previous({formula}))"), &orders, month);
            let at_once = value(&format!("previous({formula}, 2)"), &orders, month);
            prop_assert_eq!(twice, at_once, "{}", formula);
        }
    }

    #[test]
    fn two_shifts_by_days_are_one_shift_by_their_sum(
        orders in some_orders(),
        formula in amount(1),
        (first, second) in (-40_i32..40, -40_i32..40),
    ) {
        let twice = format!("shift(shift({formula}, {first} days), {second} days)");
        let at_once = format!("shift({formula}, {} days)", first + second);
        let (twice, at_once) = (value(&twice, &orders, FEBRUARY), value(&at_once, &orders, FEBRUARY));
        prop_assert_eq!(twice, at_once, "{}", formula);
    }

    #[test]
    fn the_canonical_text_means_the_same_and_is_its_own_canonical_text(
        orders in some_orders(),
        formula in amount(3),
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
        (orders, shuffled) in some_orders().prop_flat_map(|orders| {
            (Just(orders.clone()), Just(orders).prop_shuffle())
        }),
        formula in amount(3),
    ) {
        let text = formula.to_string();
        let (given, again) =
            (value(&text, &orders, FEBRUARY), value(&text, &shuffled, FEBRUARY));
        prop_assert_eq!(given, again, "{}", text);
    }
}
