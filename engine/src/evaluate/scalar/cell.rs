//! One value of a running program, small enough to be copied.

use rust_decimal::Decimal;

use crate::number::{self, Quotient, Small};
use crate::types::{Reason, Value};

/// A value: numbers, truths and nulls themselves, anything else beside them.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell {
    Small(Small),
    Number(Decimal),
    Truth(bool),
    Missing(Reason),
    /// Kept by the runner under the cell's own index.
    Kept,
}

impl Cell {
    #[inline]
    pub(super) fn of_number(number: Decimal) -> Self {
        match Small::of(number) {
            Some(small) => Self::Small(small),
            None => Self::Number(number),
        }
    }

    /// The cell of a value that needs no keeping.
    pub(super) fn of_value(value: &Value) -> Self {
        match value {
            Value::Number(number) => Self::of_number(*number),
            Value::Bool(truth) => Self::Truth(*truth),
            Value::Missing(missing) => Self::Missing(missing.reason),
            Value::Text(_)
            | Value::Date(_)
            | Value::DateTime(_)
            | Value::Period(_)
            | Value::Span(_)
            | Value::List(_) => Self::Kept,
        }
    }

    #[inline]
    fn of_result(result: Result<Decimal, Reason>) -> Self {
        match result {
            Ok(number) => Self::of_number(number),
            Err(reason) => Self::Missing(reason),
        }
    }

    #[inline]
    pub(super) fn number(self) -> Option<Decimal> {
        match self {
            Self::Small(small) => Some(small.decimal()),
            Self::Number(number) => Some(number),
            Self::Truth(_) | Self::Missing(_) | Self::Kept => None,
        }
    }

    #[inline]
    pub(super) const fn is_true(self) -> bool {
        matches!(self, Self::Truth(true))
    }

    #[inline]
    pub(super) const fn is_missing(self) -> bool {
        matches!(self, Self::Missing(_))
    }

    #[inline]
    pub(super) const fn reason(self) -> Option<Reason> {
        if let Self::Missing(reason) = self { Some(reason) } else { None }
    }
}

/// An operation on two numbers, in 64 bits where they reach. `None` for other values.
#[inline]
pub(super) fn on_numbers(
    left: Cell,
    right: Cell,
    small: impl FnOnce(Small, Small) -> Option<Small>,
    large: impl FnOnce(Decimal, Decimal) -> Result<Decimal, Reason>,
) -> Option<Cell> {
    if let (Cell::Small(a), Cell::Small(b)) = (left, right)
        && let Some(result) = small(a, b)
    {
        return Some(Cell::Small(result));
    }
    Some(match (left, right) {
        (Cell::Missing(reason), _) | (_, Cell::Missing(reason)) => Cell::Missing(reason),
        (left, right) => Cell::of_result(large(left.number()?, right.number()?)),
    })
}

#[inline]
pub(super) fn divide(left: Cell, right: Cell) -> Option<Cell> {
    if let (Cell::Small(a), Cell::Small(b)) = (left, right)
        && let Some(quotient) = a.divide(b)
    {
        return Some(match quotient {
            Ok(Quotient::Small(small)) => Cell::Small(small),
            Ok(Quotient::Large(number)) => Cell::Number(number),
            Err(reason) => Cell::Missing(reason),
        });
    }
    on_numbers(left, right, |_, _| None, number::divide)
}

/// The growth from the second to the first.
pub(super) fn growth(current: Cell, earlier: Cell) -> Option<Cell> {
    if let Some(reason) = current.reason().or(earlier.reason()) {
        return Some(Cell::Missing(reason));
    }
    let (current_number, earlier_number) = (current.number()?, earlier.number()?);
    if earlier_number.is_zero() {
        return Some(Cell::Missing(Reason::DivisionByZero));
    }
    if earlier_number.is_sign_negative() {
        return Some(Cell::Missing(Reason::NotComparable));
    }
    let change = on_numbers(current, earlier, Small::subtract, |_, _| {
        number::subtract(current_number, earlier_number)
    })?;
    divide(change, earlier)
}
