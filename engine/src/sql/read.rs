//! Cells of a result as values, with the scale that the evaluator gives them.

use super::binding::InstantUnit;
use super::place::date_of_number;
use super::query::Cell;
use super::term::{Compiled, Form, Halt, Term};
use crate::data::{Column, NULL};
use crate::evaluate::Part;
use crate::number;
use crate::schema::DataType;
use crate::types::{Reason, Value};

/// What a column of a result holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Number { scale: u32, form: Form },
    Text,
    Bool,
    Instant(InstantUnit),
    Day,
}

impl Shape {
    /// The shape of a term that has a column.
    pub(super) const fn of(term: &Term) -> Option<Self> {
        Some(match term {
            Term::Number(number) => Self::Number { scale: number.scale, form: number.form },
            Term::Text(_) => Self::Text,
            Term::Bool(_) => Self::Bool,
            Term::Instant(_, unit) => Self::Instant(*unit),
            Term::Day(_) => Self::Day,
            Term::Truth(_) | Term::Constant(_) => return None,
        })
    }

    /// The value of a cell; null without a reason of its own.
    pub(super) fn value(self, cell: &Cell) -> Compiled<Value> {
        let none = Value::missing(Reason::NullValue);
        if *cell == Cell::Null {
            return Ok(none);
        }
        Ok(match self {
            Self::Number { scale, form } => {
                let number = number::from_scaled(whole(cell)?, scale);
                let seconds = form == Form::Seconds;
                number.map(|found| if seconds { found.normalize() } else { found }).into()
            }
            Self::Text => match cell {
                Cell::Text(text) => Value::text(text.as_str()),
                _ => return Err(misread("a text")),
            },
            Self::Bool => match cell {
                Cell::Bool(truth) => Value::Bool(*truth),
                other => Value::Bool(whole(other)? != 0),
            },
            Self::Instant(unit) => {
                let micros = whole(cell)?.saturating_mul(i128::from(unit.microseconds()));
                let micros = i64::try_from(micros).unwrap_or(i64::MAX);
                crate::data::instant(micros)
            }
            Self::Day => {
                let day = i64::try_from(whole(cell)?).ok().and_then(date_of_number);
                day.map_or(Value::missing(Reason::Domain), Value::Date)
            }
        })
    }

    /// The column in memory of values of this shape.
    pub(super) fn column(self, values: &[Value]) -> Column {
        match self {
            Self::Number { scale, .. } => {
                let integer = |value: &Value| {
                    let mantissa = value.as_number().map(|number| number.mantissa());
                    mantissa.and_then(|mantissa| i64::try_from(mantissa).ok()).unwrap_or(NULL)
                };
                Column::Scaled { values: values.iter().map(integer).collect(), scale }
            }
            Self::Text => Column::of_values(&DataType::Text, values),
            Self::Bool => Column::of_values(&DataType::Bool, values),
            Self::Instant(_) => Column::of_values(&DataType::DateTime, values),
            Self::Day => Column::of_values(&DataType::Date, values),
        }
    }

    /// The cell as a part of a group's tuple.
    pub(super) fn part(self, cell: &Cell) -> Compiled<Part> {
        Ok(Part::of(&self.value(cell)?))
    }
}

/// A whole number.
pub(super) fn whole(cell: &Cell) -> Compiled<i128> {
    match cell {
        Cell::Integer(value) => Ok(i128::from(*value)),
        Cell::Text(text) => text.trim().parse().map_err(|_not_whole| misread("a whole number")),
        Cell::Bool(truth) => Ok(i128::from(*truth)),
        Cell::Null => Ok(0),
    }
}

/// A count.
pub(super) fn count(cell: &Cell) -> Compiled<u64> {
    u64::try_from(whole(cell)?).map_err(|_negative| misread("a count"))
}

pub(super) fn misread(what: &str) -> Halt {
    Halt::Fail(Box::new(super::finding(&format!("the database gave something else than {what}"))))
}
