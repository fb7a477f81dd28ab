//! A program of several formulas has, in every bucket and group, the values of each of them.

use std::sync::Arc;

use quotient::types::{Reason, Value};
use quotient::{Formula, Inputs, Request};

use crate::model::agreement::{Case, cases, compiled};
use crate::model::generate::questions::RandomRequest;
use crate::properties::columns::covering_all;
use crate::properties::exploring::explore;

/// A value with its scale, which equality ignores, and the reason and place of a null. If a window
/// leaves the calendar, formulas that share a plan also share the place.
fn spelt(value: &Value) -> String {
    match value.as_missing().map(|missing| missing.reason) {
        Some(Reason::NoCoverage) => Reason::NoCoverage.name().to_owned(),
        Some(_) | None => format!("{value:?}"),
    }
}

fn program(case: &Case, query: &RandomRequest) -> Result<usize, String> {
    let (engine, data) = case.engine();
    let said = |found| format!("{found:#?}");
    let request = Request { compare: None, ..query.request() };
    let mut formulas = Vec::new();
    for formula in case.fitting(query) {
        let formula = Arc::new(compiled(&engine, formula));
        let filter = request.filter.as_ref();
        formulas.push(
            filter
                .map_or(Ok(Arc::clone(&formula)), |filter| engine.narrowed(&formula, filter))
                .map_err(said)?,
        );
    }
    if formulas.is_empty() {
        return Ok(0);
    }
    let request = Request { filter: None, ..request };
    let formulas: Vec<&Formula> = formulas.iter().map(Arc::as_ref).collect();
    let plan = engine.plan_given(&formulas, &[], request.currency).map_err(said)?;
    let inputs = Inputs::data(&data);
    let answers = engine.evaluate(&formulas, inputs, &request).map_err(said)?;
    let slots = engine.slot_values(&plan, &formulas, inputs, &request).map_err(said)?;
    let mut runner = engine.runner(&plan, &request).map_err(said)?;
    let mut count = 0;
    for bucket in 0..slots.buckets.len() {
        for group in 0..slots.groups.len() {
            runner.fill(&slots.of(bucket, group));
            runner.run();
            for (index, formula) in formulas.iter().enumerate() {
                let wanted = answers.get(index, bucket, group).map(|answer| spelt(&answer.value));
                let given = Some(spelt(&runner.value(index)));
                if given != wanted {
                    let text = formula.text();
                    return Err(format!("{text}\n{request:?}\n{plan}\n{wanted:?}\n{given:?}"));
                }
                count += 1;
            }
        }
    }
    Ok(count)
}

#[test]
fn the_program_of_any_formulas_has_their_values() {
    explore("formulas and programs", &cases(3, 3, 2), 40, |case| {
        let case = Case { store: covering_all(&case.store), ..case.clone() };
        let counts = case.requests.iter().map(|query| {
            program(&case, query).map_err(|differs| format!("{differs}\n{}", case.store))
        });
        counts.sum()
    });
}
