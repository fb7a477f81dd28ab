//! Constant folding.

use jiff::Timestamp;

use super::operators;
use super::program::{Op, Operand};
use crate::calendar::Calendar;
use crate::functions::{Environment, Family};
use crate::types::Value;

/// Returns the value of an operation on constants; `None` if it needs the calendar, or if the value
/// is null, since the origin of a null is found at evaluation.
pub(super) fn value<'v>(op: &Op, known: &dyn Fn(Operand) -> Option<&'v Value>) -> Option<Value> {
    let operands: Option<Vec<&Value>> = op.operands().into_iter().map(known).collect();
    let operands = operands?;
    let timeless = |value: &&Value| {
        matches!(value, Value::Number(_) | Value::Text(_) | Value::Bool(_) | Value::Missing(_))
    };
    if !operands.iter().all(timeless) {
        return None;
    }
    if let Op::Call(function, _) = op
        && !matches!(function.0.family, Family::Numbers | Family::Texts)
    {
        return None;
    }
    // Functions of numbers and texts do not use it.
    let calendar = Calendar::default();
    let env = Environment { calendar: &calendar, now: Timestamp::UNIX_EPOCH };
    Some(operators::apply(op, &operands, &env)).filter(|value| !value.is_missing())
}
