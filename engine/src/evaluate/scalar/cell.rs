//! A cell: one value of a running program, small enough to copy.

use rust_decimal::Decimal;

use crate::number::{self, Small};
use crate::types::{Reason, Value};

/// A number, a boolean or a null is stored inline; any other value is stored separately.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell {
    Small(Small),
    Number(Decimal),
    Truth(bool),
    Missing(Reason),
    /// Stored by the runner at the cell's own index.
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

    /// The cell of a value; `Kept` for a value that is not stored inline.
    pub(super) fn of_value(value: &Value) -> Self {
        match value {
            Value::Number(number) => Self::of_number(*number),
            Value::Bool(truth) => Self::Truth(*truth),
            Value::Missing(missing) => Self::Missing(missing.reason),
            _ => Self::Kept,
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

/// Applies an operation to two numbers; `None` for other values.
pub(super) fn on_numbers(
    left: Cell,
    right: Cell,
    operation: impl FnOnce(Decimal, Decimal) -> Result<Decimal, Reason>,
) -> Option<Cell> {
    if let Some(reason) = left.reason().or(right.reason()) {
        return Some(Cell::Missing(reason));
    }
    Some(match operation(left.number()?, right.number()?) {
        Ok(number) => Cell::of_number(number),
        Err(reason) => Cell::Missing(reason),
    })
}

/// Negates a number or null; `None` for other values.
pub(super) fn negate(value: Cell) -> Option<Cell> {
    on_numbers(value, value, |number, _| Ok(number::negate(number)))
}
