//! fasteval: algebra on floats.

use std::collections::BTreeMap;

use fasteval::{Compiler, Evaler, Instruction, Parser, Slab};

use super::{Answer, Evaluating, floats};
use crate::Failure;
use crate::measure::Contestant;
use crate::workloads::{WIDE, Workload};

/// The name in reports.
pub const NAME: &str = "fasteval f64";

fn parser() -> Parser {
    Parser { expr_len_limit: WIDE.max_bytes, ..Parser::new() }
}

fn compiled(text: &str, slab: &mut Slab) -> Result<Instruction, fasteval::Error> {
    let parsed = parser().parse(text, &mut slab.ps)?;
    Ok(parsed.from(&slab.ps).compile(&slab.ps, &mut slab.cs))
}

/// Compiles text to instructions, in a slab that keeps its memory.
pub fn compiling(workload: &Workload) -> Result<Contestant<'static>, Failure> {
    let (text, mut slab) = (workload.texts.fasteval.clone(), Slab::new());
    compiled(&text, &mut slab)?;
    Ok(Contestant::new(NAME, move || compiled(&text, &mut slab).is_ok()))
}

/// Evaluates instructions over values in a map.
pub fn evaluating(workload: &Workload) -> Result<Evaluating, Failure> {
    let mut slab = Slab::new();
    let instruction = compiled(&workload.texts.fasteval, &mut slab)?;
    let names = workload.inputs.iter().map(|input| input.name.clone());
    let mut values: BTreeMap<String, f64> = names.zip(floats(workload)?).collect();
    let mut evaluate = move || instruction.eval(&slab, &mut values);
    let answer = Answer::Float(evaluate()?);
    Ok(Evaluating { contestant: Contestant::new(NAME, evaluate), answer })
}
