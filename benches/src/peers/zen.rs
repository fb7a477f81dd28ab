//! zen-expression: rules in a language of its own, exact on `rust_decimal`.

use rust_decimal::Decimal;
use zen_expression::expression::Standard;
use zen_expression::variable::{Variable, VariableMap};
use zen_expression::vm::VM;
use zen_expression::{Expression, Isolate, Scope};

use super::{Answer, Evaluating};
use crate::Failure;
use crate::measure::Contestant;
use crate::workloads::Workload;

/// The name in reports.
pub const NAME: &str = "zen-expression";

fn compiled(workload: &Workload) -> Result<Expression<Standard>, Failure> {
    let text = &workload.texts.zen;
    Isolate::new().compile_standard(text).map_err(|error| format!("{text}: {error:?}").into())
}

/// Compiles text to byte code, in an isolate that keeps its memory.
pub fn compiling(workload: &Workload) -> Result<Contestant<'static>, Failure> {
    compiled(workload)?;
    let (text, mut isolate) = (workload.texts.zen.clone(), Isolate::new());
    Ok(Contestant::new(NAME, move || isolate.compile_standard(&text).is_ok()))
}

/// Evaluates byte code over values that are set once, in a machine that keeps its stack.
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

/// Evaluates a formula over rows of three values, which replace those of the previous row.
pub fn over_rows<'r>(
    workload: &Workload,
    rows: &'r [[Decimal; 3]],
) -> Result<(Contestant<'r>, Vec<Decimal>), Failure> {
    let expression = compiled(workload)?;
    let keys: Vec<_> = workload.inputs.iter().map(|input| Variable::key(&input.name)).collect();
    let mut values = VariableMap::new();
    for key in &keys {
        values.insert(key.clone(), Variable::Null);
    }
    let (mut scope, mut machine) = (Scope::new(Variable::from_object(values)), VM::new());
    let mut row = move |values: &[Decimal; 3]| {
        if let Variable::Object(object) = scope.base_mut() {
            let mut object = object.borrow_mut();
            for (key, value) in keys.iter().zip(values) {
                if let Some(slot) = object.get_mut(key) {
                    *slot = Variable::Number(*value);
                }
            }
        }
        expression.evaluate_with_scope(&scope, &mut machine).ok()?.as_number()
    };
    let answers = rows.iter().map(&mut row).collect::<Option<_>>();
    let answers = answers.ok_or("zen-expression gives no number")?;
    let call = move || rows.iter().map(&mut row).collect::<Option<Vec<_>>>();
    Ok((Contestant::new(NAME, call).of(u32::try_from(rows.len())?), answers))
}
