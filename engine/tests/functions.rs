//! The examples in the documentation of functions give the documented results, over the corner
//! shop.

use std::fmt::Write;

use crate::requests::request;
use crate::stores::{data, engine};
use quotient::diagnostics::Diagnostic;
use quotient::functions::{ALL, Example};
use quotient::{Engine, Inputs, Request};

#[test]
fn each_example_of_a_function_gives_the_result_beside_it() {
    let engine = engine("stores/corner/corner.metrics");
    let data = data(&engine);
    let request = request("2026-02-01", "2026-02-28", "2026-03-15T00:00:00Z");
    let mut wrong = String::new();
    let mut count = 0;

    for spec in ALL {
        for Example { formula, result } in spec.examples {
            let given = answer(&engine, formula, Inputs::data(&data), &request);
            count += 1;
            if given != *result {
                writeln!(wrong, "{}: {formula}\n  says  {result}\n  gives {given}", spec.name)
                    .expect("text grows");
            }
        }
    }

    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(count >= 150, "only {count} examples");
}

/// The formatted answer, or the diagnostics of the formula.
fn answer(engine: &Engine, formula: &str, inputs: Inputs<'_>, request: &Request) -> String {
    let refusal = |found: Vec<Diagnostic>| {
        let lines: Vec<_> =
            found.iter().map(|finding| format!("{} {}", finding.code, finding.message)).collect();
        lines.join("; ")
    };
    let compiled = match engine.compile(formula) {
        Ok(compiled) => compiled,
        Err(found) => return refusal(found),
    };
    match engine.evaluate(&[&compiled], inputs, request) {
        Ok(answers) => {
            let Some(answer) = answers.first() else { return "no answer".to_owned() };
            match answer.null_reason {
                Some(reason) => format!("null ({})", reason.name()),
                None => answer.formatted.clone(),
            }
        }
        Err(found) => refusal(found),
    }
}
