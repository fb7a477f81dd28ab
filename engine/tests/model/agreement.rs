//! The engine over rows against the model: every value of every formula in every bucket and group, with the reason if
//! it is null; the groups; the comparisons; and how far the answer is known.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use quotient::data::Data;
use quotient::types::Value;
use quotient::{Answer, Answers, Engine, Formula, Inputs};

use super::calendar::Calendar;
use super::clock::{Day, date};
use super::exact::Outcome;
use super::generate::formulas::Formulas;
use super::generate::questions::{RandomRequest, fits, random_request};
use super::generate::{COUNTRIES, STATUSES, store};
use super::scope::{Group, Scope};
use super::store::{Policy, Store};
use super::tree::{Quantity, TextField, Window};

/// A store with requests to it.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) store: Store,
    pub(crate) formulas: Vec<Quantity>,
    pub(crate) requests: Vec<RandomRequest>,
}

/// Cases with this many formulas and requests.
pub(crate) fn cases(depth: usize, formulas: usize, times: usize) -> BoxedStrategy<Case> {
    let of = |policy| vec(Formulas::of(policy).any(depth), formulas).boxed();
    let (convert, refuse) = (of(Policy::Convert), of(Policy::Refuse));
    let cases = store().prop_flat_map(move |(base, store)| {
        let formulas = match store.settings.policy {
            Policy::Convert => convert.clone(),
            Policy::Refuse => refuse.clone(),
        };
        (Just(store), formulas, vec(random_request(base), times))
    });
    cases.prop_map(|(store, formulas, requests)| Case { store, formulas, requests }).boxed()
}

impl Case {
    /// The engine with its rows.
    pub(crate) fn engine(&self) -> (Engine, Data) {
        let engine = self.store.settings.engine();
        let data = self.store.data(&engine);
        (engine, data)
    }

    /// The formulas that a request fits.
    pub(crate) fn fitting(&self, query: &RandomRequest) -> Vec<&Quantity> {
        self.formulas.iter().filter(|formula| fits(formula, query)).collect()
    }
}

pub(crate) fn compiled(engine: &Engine, formula: &Quantity) -> Formula {
    let text = formula.to_string();
    engine.compile(&text).unwrap_or_else(|found| panic!("{text}: {found:#?}"))
}

pub(crate) fn outcome(value: &Value) -> Outcome {
    if let Some(missing) = value.as_missing() {
        return Err(missing.reason);
    }
    Ok(value.as_number().unwrap_or_else(|| panic!("{value:?} is no quantity")).into())
}

/// A group as the model writes it.
pub(crate) fn group(words: &[TextField], values: &[Value]) -> Group {
    let known = COUNTRIES.into_iter().chain(STATUSES).chain(["USD", "EUR", "eur", "GBP", "JPY"]);
    let word = |value: &Value| match value {
        Value::Text(text) => {
            Some(known.clone().find(|word| **word == **text).expect("a word of the rows"))
        }
        _ => None,
    };
    words.iter().copied().zip(values.iter().map(word)).collect()
}

/// The answer of the model to one request.
struct Expected<'a> {
    store: &'a Store,
    query: &'a RandomRequest,
    calendar: Calendar,
}

impl Expected<'_> {
    fn buckets(&self) -> Vec<(Day, Day)> {
        self.query.buckets(&self.calendar)
    }

    /// The groups of all formulas together, including those of their comparisons.
    fn groups(&self, formulas: &[&Quantity]) -> BTreeSet<Group> {
        if self.query.group_by.is_empty() {
            return [Group::new()].into();
        }
        let question = self.query.question(self.store, &self.calendar, &[]);
        let mut found = BTreeSet::new();
        for formula in formulas {
            for bucket in self.buckets() {
                let scope = question.scope(formula, bucket, &Group::new());
                let earlier = self.query.compare.map(|window| self.earlier(&scope, window));
                for scope in [Some(scope), earlier].into_iter().flatten() {
                    found.extend(scope.groups(formula, &self.query.group_by));
                }
            }
        }
        found
    }

    fn earlier<'q>(&self, scope: &Scope<'q>, window: Window) -> Scope<'q> {
        scope.compared(window, self.buckets().len() == 1)
    }

    /// The differences in one answer.
    fn differs(
        &self,
        formula: &Quantity,
        place: (Day, Day),
        groups: (&[Group], &Group),
        answer: &Answer,
    ) -> Option<String> {
        let scope = self
            .query
            .question(self.store, &self.calendar, groups.0)
            .scope(formula, place, groups.1);
        let (wanted, given) = (scope.value(formula), outcome(&answer.value));
        if wanted != given {
            return Some(format!("model:  {wanted:?}\nengine: {given:?}"));
        }
        if let Some(window) = self.query.compare {
            let wanted = self.earlier(&scope, window).value(formula);
            let given = answer.previous.as_ref().map(outcome);
            if given.as_ref() != Some(&wanted) {
                return Some(format!("before, model:  {wanted:?}\nbefore, engine: {given:?}"));
            }
        }
        let known = answer.period.map(|period| period.as_of.as_second());
        (known != Some(scope.period.as_of)).then(|| {
            format!("known until, model:  {}\nknown until, engine: {known:?}", scope.period.as_of)
        })
    }
}

/// Compares every value of one request; returns how many there are, or the first difference.
pub(crate) fn compared(
    case: &Case,
    (engine, data): (&Engine, &Data),
    query: &RandomRequest,
) -> Result<usize, String> {
    let formulas = case.fitting(query);
    if formulas.is_empty() {
        return Ok(0);
    }
    let compiled: Vec<Formula> = formulas.iter().map(|formula| compiled(engine, formula)).collect();
    let calendar = query.calendar(&case.store.settings);
    let expected = Expected { store: &case.store, query, calendar };
    let refs: Vec<&Formula> = compiled.iter().collect();
    let answers = engine.evaluate(&refs, Inputs::data(data), &query.request());
    let answers: Answers = answers.map_err(|found| format!("{found:#?}"))?;

    let given: Vec<Group> =
        answers.groups.iter().map(|values| group(&query.group_by, values)).collect();
    let wanted = expected.groups(&formulas);
    if given.iter().cloned().collect::<BTreeSet<_>>() != wanted {
        let texts: Vec<String> = formulas.iter().map(ToString::to_string).collect();
        return Err(format!(
            "groups of {texts:#?} in {query:?}\nmodel:  {wanted:?}\nengine: {given:?}"
        ));
    }
    let mut count = 0;
    for (bucket, days) in expected.buckets().into_iter().enumerate() {
        for (index, own) in given.iter().enumerate() {
            for (number, formula) in formulas.iter().enumerate() {
                let answer = answers.get(number, bucket, index).expect("an answer for each");
                if let Some(differs) = expected.differs(formula, days, (&given, own), answer) {
                    let (first, after) = days;
                    let bucket = format!("{} to {}", date(first), date(after - 1));
                    return Err(format!("{formula}\n{bucket} of {own:?} in {query:?}\n{differs}"));
                }
                count += 1;
            }
        }
    }
    Ok(count)
}
