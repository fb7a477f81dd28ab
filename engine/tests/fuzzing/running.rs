//! Bytes as the choices of a generator: rows, a formula over them, and the days it is asked for.

#![expect(clippy::arithmetic_side_effects, reason = "numbers of days are small")]

use quotient::calendar::TimeUnit;
use quotient::types::Value;
use quotient::{Answers, Inputs, Request};

use super::choices::Choices;
use crate::model::generate::COUNTRIES;
use crate::model::rows::{ENGINE, Order, data, date};
use crate::model::tree::Quantity;
use crate::model::{Model, Outcome};

/// How the answer is cut.
#[derive(Debug, Clone, Copy)]
enum Cut {
    Whole,
    Days,
    Countries,
}

/// What is asked: the formula, the first day, one past the last, and the cut.
#[derive(Debug)]
struct Question {
    formula: Quantity,
    start: i32,
    end: i32,
    cut: Cut,
}

impl Question {
    fn of(choices: &mut Choices<'_>) -> Self {
        let formula = choices.formula();
        let start = choices.below(80);
        let end = start + 1 + choices.below(31);
        let cut = match choices.byte() % 3 {
            0 => Cut::Whole,
            1 => Cut::Days,
            // Customers belong to no country.
            _ if formula.to_string().contains("customers") => Cut::Whole,
            _ => Cut::Countries,
        };
        Self { formula, start, end, cut }
    }
}

/// Any formula over any rows has the value that the model counts.
pub(super) fn check_and_run(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let question = Question::of(&mut choices);
    agrees(&choices.orders(), &question);
}

fn agrees(orders: &[Order], question: &Question) {
    let Question { formula, start, end, cut } = question;
    let text = formula.to_string();
    let answers = answers(&text, orders, question);
    let model = Model::new(orders, *start, *end);
    match cut {
        Cut::Whole => assert_eq!(outcomes(&answers), [model.value(formula)], "{text}"),
        Cut::Days => {
            let day = |day| Model::new(orders, day, day + 1).value(formula);
            let counted: Vec<Outcome> = (*start..*end).map(day).collect();
            assert_eq!(outcomes(&answers), counted, "{text} by day");
        }
        Cut::Countries => {
            for (group, given) in answers.groups.iter().zip(outcomes(&answers)) {
                let country = match group.first() {
                    Some(Value::Text(text)) => COUNTRIES.into_iter().find(|name| **name == **text),
                    _ => None,
                };
                let counted = model.of_country(country).value(formula);
                assert_eq!(given, counted, "{text} of {country:?}");
            }
        }
    }
}

fn answers(text: &str, orders: &[Order], question: &Question) -> Answers {
    let formula = ENGINE.compile(text).unwrap_or_else(|found| panic!("{text}: {found:#?}"));
    let period = Some((date(question.start), date(question.end - 1)));
    let request = match question.cut {
        Cut::Whole => Request { period, ..Request::default() },
        Cut::Days => Request { period, by: Some(TimeUnit::Day), ..Request::default() },
        Cut::Countries => {
            Request { period, group_by: vec!["country".into()], ..Request::default() }
        }
    };
    let data = data(orders);
    ENGINE
        .evaluate(&[&formula], Inputs::data(&data), &request)
        .unwrap_or_else(|found| panic!("{text}: {found:#?}"))
}

fn outcomes(answers: &Answers) -> Vec<Outcome> {
    let outcome = |value: &Value| match (value.as_missing(), value.as_number()) {
        (Some(missing), _) => Err(missing.reason),
        (None, Some(number)) => Ok(number),
        (None, None) => panic!("{value:?} is no quantity"),
    };
    answers.of(0).iter().map(|answer| outcome(&answer.value)).collect()
}
