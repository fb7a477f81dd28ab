//! cel: the Common Expression Language, on doubles.

use std::sync::Arc;

use cel::{Context, Env, Program, Value};

use super::{Answer, Evaluating, floats};
use crate::Failure;
use crate::measure::Contestant;
use crate::workloads::Workload;

/// The name in reports.
pub const NAME: &str = "cel";

/// Creates the environment, with the extension that rounds.
fn environment() -> Result<Arc<Env>, Failure> {
    let mut env = Env::stdlib();
    env.add_extension(cel::extensions::math)?;
    Ok(Arc::new(env))
}

fn compiled(env: &Env, text: &str) -> Result<Program, Failure> {
    env.compile(text).map_err(|error| format!("{text}: {error}").into())
}

/// Compiles text to a syntax tree, which cel evaluates.
pub fn compiling(workload: &Workload) -> Result<Contestant<'static>, Failure> {
    let (env, text) = (environment()?, workload.texts.cel.clone());
    compiled(&env, &text)?;
    Ok(Contestant::new(NAME, move || env.compile(&text).is_ok()))
}

/// Evaluates a program over values that are set once.
pub fn evaluating(workload: &Workload) -> Result<Evaluating, Failure> {
    let env = environment()?;
    let program = compiled(&env, &workload.texts.cel)?;
    let mut context = Context::with_env(env);
    for (input, value) in workload.inputs.iter().zip(floats(workload)?) {
        context.add_variable_from_value(&*input.name, value);
    }
    let Value::Float(answer) = program.execute(&context)? else {
        return Err("cel gives no float".into());
    };
    let call = move || program.execute(&context);
    Ok(Evaluating { contestant: Contestant::new(NAME, call), answer: Answer::Float(answer) })
}
