//! exmex: mathematics on floats, with custom operators.

use ::exmex::{BinOp, Express, FlatEx, FloatOpsFactory, MakeOperators, Operator};

use super::{Answer, Evaluating};
use crate::measure::Contestant;
use crate::native::cents_float;
use crate::workloads::Workload;
use crate::{Failure, peers};

/// The name in reports.
pub const NAME: &str = "exmex f64";

/// Its operators on floats, plus comparisons, a choice and rounding.
#[derive(Debug, Clone)]
struct Operators;

impl MakeOperators<f64> for Operators {
    fn make<'a>() -> Vec<Operator<'a, f64>> {
        let binary = |name, prio, apply| {
            Operator::make_bin(name, BinOp { apply, prio, is_commutative: false })
        };
        let mut operators = FloatOpsFactory::<f64>::make();
        operators.extend([
            binary(">", -1, |a, b| f64::from(u8::from(a > b))),
            binary(">=", -1, |a, b| f64::from(u8::from(a >= b))),
            binary("then", -2, |condition, value| if condition > 0.0 { value } else { f64::NAN }),
            binary("otherwise", -3, |value, other| if value.is_nan() { other } else { value }),
            Operator::make_unary("round2", cents_float),
        ]);
        operators
    }
}

type Formula = FlatEx<f64, Operators>;

fn compiled(text: &str) -> Result<Formula, Failure> {
    Formula::parse(text).map_err(|error| format!("{text}: {error}").into())
}

/// Compiles text to a flat expression.
pub fn compiling(workload: &Workload) -> Result<Contestant<'static>, Failure> {
    let text = workload.texts.exmex.clone();
    compiled(&text)?;
    Ok(Contestant::new(NAME, move || Formula::parse(&text).is_ok()))
}

/// Evaluates a flat expression over values in the order of their names.
pub fn evaluating(workload: &Workload) -> Result<Evaluating, Failure> {
    let formula = compiled(&workload.texts.exmex)?;
    let values = formula.var_names().iter().map(|name| {
        let input = workload.inputs.iter().find(|input| input.name == **name);
        peers::float(input.ok_or("exmex reads a name that nobody declared")?.value)
    });
    let values = values.collect::<Result<Vec<f64>, Failure>>()?;
    let evaluate = move || formula.eval(&values);
    let answer = Answer::Float(evaluate()?);
    Ok(Evaluating { contestant: Contestant::new(NAME, evaluate), answer })
}
