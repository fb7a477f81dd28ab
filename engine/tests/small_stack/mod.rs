//! Cases run on a small stack, over the corner shop.

#![expect(clippy::expect_used, reason = "a thread that cannot be started fails the test")]

use quotient::diagnostics::Diagnostic;
use quotient::{Engine, Inputs};

use crate::requests::request;
use crate::stores::engine;

/// Limit: the stack of a case, as a thread of a server has it.
const STACK_BYTES: usize = 2 * 1024 * 1024;

/// Runs on a small stack. An overflow ends the whole test program, which fails it too.
pub(crate) fn on_a_small_stack(case: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(case);
    if let Err(panic) = thread.expect("a thread").join() {
        std::panic::resume_unwind(panic);
    }
}

/// The corner shop.
pub(crate) fn corner() -> Engine {
    engine("stores/corner/corner.metrics")
}

/// The answer over the corner shop, or the codes of its diagnostics.
pub(crate) fn answer(engine: &Engine, text: &str, inputs: Inputs<'_>) -> String {
    let request = request("2026-02-01", "2026-02-28", "2026-03-15T00:00:00Z");
    let formatted = |found: Vec<Diagnostic>| {
        let codes: Vec<_> = found.iter().map(|finding| finding.code.as_str()).collect();
        codes.join(" ")
    };
    let formula = match engine.compile(text) {
        Ok(formula) => formula,
        Err(found) => return formatted(found),
    };
    // Its plan is compiled, listed and dropped on the same stack; a plan that is too large is
    // refused.
    if let Ok(plan) = engine.plan(&[&formula]) {
        assert!(!plan.to_string().is_empty());
    }
    match engine.evaluate(&[&formula], inputs, &request) {
        Ok(answers) => {
            let answer = answers.first().expect("one answer");
            match answer.null_reason {
                Some(reason) => format!("null ({})", reason.name()),
                None => quotient::format::exact(&answer.value),
            }
        }
        Err(found) => formatted(found),
    }
}

/// `let` lines `a0`, `a1` and so on up to `a{count}`: the first with a formula, each other with the one that `line` makes
/// of the number of the line before it.
pub(crate) fn lets(first: &str, count: usize, line: impl Fn(usize) -> String) -> String {
    let numbers = (0..count).zip(1_usize..);
    let others = numbers.map(|(before, at)| format!("let a{at} = {}; ", line(before)));
    std::iter::once(format!("let a0 = {first}; ")).chain(others).collect()
}
