//! The libraries and programs that the engine is compared with.
//!
//! Each is used as its own documentation advises for speed: a formula is compiled once, values are
//! set in the cheapest way it offers, and memory is reused between evaluations. A peer that computes
//! with decimals must give the engine's answer to 28 digits; one that computes with floats must come
//! close.

pub mod cel;
pub mod exmex;
pub mod fasteval;
pub mod python;
pub mod rhai;
pub mod zen;

use rust_decimal::Decimal;

use crate::Failure;
use crate::measure::Contestant;
use crate::workloads::Workload;

/// The answer of a contestant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Answer {
    /// A decimal.
    Exact(Decimal),
    /// A float, with its rounding errors.
    Float(f64),
}

/// A contestant that evaluates one formula over one set of values.
#[derive(Debug)]
pub struct Evaluating {
    /// The contestant.
    pub contestant: Contestant<'static>,
    /// Its answer.
    pub answer: Answer,
}

impl Answer {
    /// Checks that the answer is `expected`.
    pub fn check(self, expected: Decimal, who: &str) -> Result<(), Failure> {
        let held = match self {
            Self::Exact(value) => is_alike(value, expected),
            Self::Float(value) => close(value, expected)?,
        };
        if held { Ok(()) } else { Err(format!("{who} gives {self:?}, not {expected}").into()) }
    }
}

/// Returns whether a decimal of a peer is the engine's. The engine has 28 digits; a quotient of
/// `rust_decimal` may have one more, and then differs by no more than the rounding of that digit.
fn is_alike(value: Decimal, expected: Decimal) -> bool {
    let has_more = value.mantissa().unsigned_abs() >= 10_u128.pow(28);
    let off = value.checked_sub(expected).map(|off| off.abs());
    value == expected || has_more && off.is_some_and(|off| off <= Decimal::new(5, value.scale()))
}

/// Returns whether a float is within a billionth of a decimal, which is more than any of these
/// formulas loses in floats.
#[expect(clippy::float_arithmetic, reason = "floats are compared with what is exact")]
fn close(value: f64, expected: Decimal) -> Result<bool, Failure> {
    let expected = float(expected)?;
    Ok((value - expected).abs() <= 1e-9 * expected.abs().max(1.0))
}

/// Returns the float nearest to a decimal.
pub fn float(value: Decimal) -> Result<f64, Failure> {
    f64::try_from(value).map_err(|error| format!("{value}: {error}").into())
}

/// Returns the values of a workload's inputs as floats.
pub fn floats(workload: &Workload) -> Result<Vec<f64>, Failure> {
    workload.inputs.iter().map(|input| float(input.value)).collect()
}

/// Hand-written Rust on decimals.
pub fn native_decimal(workload: &Workload) -> Evaluating {
    let values: Vec<Decimal> = workload.inputs.iter().map(|input| input.value).collect();
    let run = workload.native_decimal;
    let answer = Answer::Exact(run(&values));
    let call = move || run(std::hint::black_box(&values));
    Evaluating { contestant: Contestant::new("native rust_decimal", call), answer }
}

/// Hand-written Rust on floats.
pub fn native_float(workload: &Workload) -> Result<Evaluating, Failure> {
    let values = floats(workload)?;
    let run = workload.native_float;
    let answer = Answer::Float(run(&values));
    let call = move || run(std::hint::black_box(&values));
    Ok(Evaluating { contestant: Contestant::new("native f64", call), answer })
}
