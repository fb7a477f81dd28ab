//! Kernels of the functions that have one.

use super::found::{Form, FormKind};
use super::lower::Lowering;
use super::step::Step;
use crate::check::Comparison;
use crate::number::Rounding;
use crate::plan::program::Operand;
use crate::types::Value;

/// The kernel of a call, if there is one.
pub(super) fn call(lowering: &mut Lowering<'_>, name: &str, arguments: &[Operand]) -> Option<Form> {
    match (name, arguments) {
        ("round", [x, digits, mode]) => {
            let Value::Text(mode) = lowering.known(*mode)? else { return None };
            let rounding = Rounding::from_name(mode)?;
            round_to(lowering, *x, *digits, rounding)
        }
        ("floor", [x, digits]) => round_to(lowering, *x, *digits, Rounding::Floor),
        ("ceil", [x, digits]) => round_to(lowering, *x, *digits, Rounding::Ceiling),
        ("trunc", [x, digits]) => round_to(lowering, *x, *digits, Rounding::Truncate),
        ("abs", [x]) => {
            let x = lowering.form(*x)?;
            let FormKind::Ints { .. } = x.kind else { return None };
            Some(lowering.step(Step::Absolute(x.at), x.kind))
        }
        ("min", [a, b]) => extreme(lowering, (*a, *b), Comparison::LessOrEqual),
        ("max", [a, b]) => extreme(lowering, (*a, *b), Comparison::GreaterOrEqual),
        _ => None,
    }
}

/// To digits that the program gives as a constant.
fn round_to(
    lowering: &mut Lowering<'_>,
    x: Operand,
    digits: Operand,
    rounding: Rounding,
) -> Option<Form> {
    let digits = lowering.known(digits)?.as_number().filter(rust_decimal::Decimal::is_integer)?;
    let digits = i64::try_from(digits).ok()?;
    let x = lowering.form(x)?;
    round(lowering, x, digits, rounding)
}

/// The kernel of a rounding to digits after the point.
pub(super) fn round(
    lowering: &mut Lowering<'_>,
    x: Form,
    digits: i64,
    rounding: Rounding,
) -> Option<Form> {
    match x.kind {
        FormKind::Ints { scale, .. } => {
            let wanted = u32::try_from(digits).ok()?;
            if wanted >= scale {
                return Some(x);
            }
            let divisor = 10_i64.checked_pow(scale.checked_sub(wanted)?)?;
            let step = Step::RoundInts { at: x.at, divisor, rounding };
            Some(lowering.step(step, FormKind::Ints { scale: wanted, own: false }))
        }
        FormKind::Decimals => {
            let step = Step::RoundDecimals { at: x.at, digits, rounding };
            Some(lowering.step(step, FormKind::Decimals))
        }
        FormKind::Truths | FormKind::Null(_) => None,
    }
}

/// The one of two integers that stands in the comparison to the other.
fn extreme(
    lowering: &mut Lowering<'_>,
    (a, b): (Operand, Operand),
    op: Comparison,
) -> Option<Form> {
    let (a, b) = (lowering.form(a)?, lowering.form(b)?);
    let (FormKind::Ints { scale: first, own: one }, FormKind::Ints { scale: second, own: two }) =
        (a.kind, b.kind)
    else {
        return None;
    };
    let (a, b, scale) = lowering.one_scale((a.at, first), (b.at, second))?;
    let own = one && two && first == second;
    Some(lowering.step(Step::Extreme(op, a, b), FormKind::Ints { scale, own }))
}
