//! zen-expression: rules in a language of its own, exact on `rust_decimal`.

use zen_expression::expression::Standard;
use zen_expression::variable::{Variable, VariableMap};
use zen_expression::vm::VM;
use zen_expression::{Expression, Isolate, Scope};

use super::{Answer, Evaluating};
use crate::Failure;
use crate::measure::Contestant;
use crate::workloads::Workload;

/// What reports call it.
pub const NAME: &str = "zen-expression";

fn compiled(workload: &Workload) -> Result<Expression<Standard>, Failure> {
    let text = &workload.texts.zen;
    Isolate::new().compile_standard(text).map_err(|error| format!("{text}: {error:?}").into())
}

/// Text to byte code, in an isolate that keeps its memory.
pub fn compiling(workload: &Workload) -> Result<Contestant<'static>, Failure> {
    compiled(workload)?;
    let (text, mut isolate) = (workload.texts.zen.clone(), Isolate::new());
    Ok(Contestant::new(NAME, move || isolate.compile_standard(&text).is_ok()))
}

/// Byte code over values that are set once, in a machine that keeps its stack.
pub fn evaluating(workload: &Workload) -> Result<Evaluating, Failure> {
    let expression = compiled(workload)?;
    let mut values = VariableMap::new();
    for input in &workload.inputs {
        values.insert(Variable::key(&input.name), Variable::Number(input.value));
    }
    let (scope, mut machine) = (Scope::new(Variable::from_object(values)), VM::new());
    let answer = expression.evaluate_with_scope(&scope, &mut machine);
    let answer = answer.map_err(|error| format!("{error:?}"))?;
    let answer = Answer::Exact(answer.as_number().ok_or("zen-expression gives no number")?);
    let call = move || expression.evaluate_with_scope(&scope, &mut machine);
    Ok(Evaluating { contestant: Contestant::new(NAME, call), answer })
}
