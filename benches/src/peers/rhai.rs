//! rhai: a script language, on decimals.

use rhai::{AST, Dynamic, Engine, Scope};
use rust_decimal::Decimal;

use super::{Answer, Evaluating};
use crate::Failure;
use crate::measure::Contestant;
use crate::workloads::Workload;

/// The name in reports.
pub const NAME: &str = "rhai Decimal";

/// Creates an engine without the limit on nesting, which a sum of a thousand terms exceeds.
fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.set_max_expr_depths(0, 0);
    engine
}

fn compiled(engine: &Engine, text: &str) -> Result<AST, Failure> {
    engine.compile_expression(text).map_err(|error| format!("{text}: {error}").into())
}

/// Compiles text to a syntax tree, which rhai evaluates.
pub fn compiling(workload: &Workload) -> Result<Contestant<'static>, Failure> {
    let (engine, text) = (engine(), workload.texts.rhai.clone());
    compiled(&engine, &text)?;
    Ok(Contestant::new(NAME, move || engine.compile_expression(&text).is_ok()))
}

/// Evaluates a tree over values that are set once.
pub fn evaluating(workload: &Workload) -> Result<Evaluating, Failure> {
    let engine = engine();
    let tree = compiled(&engine, &workload.texts.rhai)?;
    let mut scope = Scope::new();
    for input in &workload.inputs {
        scope.push_dynamic(&*input.name, Dynamic::from_decimal(input.value));
    }
    let mut evaluate = move || engine.eval_ast_with_scope::<Decimal>(&mut scope, &tree);
    let answer = evaluate().map_err(|error| format!("rhai: {error}"))?;
    Ok(Evaluating { contestant: Contestant::new(NAME, evaluate), answer: Answer::Exact(answer) })
}
