//! An expression of a row as SQL, with what is known of its value.

use rust_decimal::Decimal;

use super::binding::{InstantUnit, Storage};
use super::dialect::{BoundColumnKind, Dialect};
use super::query::BoundValue;
use super::statement::Statement;
use crate::number;
use crate::types::Value;

/// Why a part of a formula does not become SQL.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CompileFailure {
    /// No database computes it as the evaluator does: its rows come here instead.
    Stream(&'static str),
    /// The schema or the database is at fault.
    Fail(Box<crate::diagnostics::Diagnostic>),
}

pub(super) type Compiled<T> = Result<T, CompileFailure>;

/// A row's value as SQL.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    Number(Number),
    Text(String),
    /// A column of true, false and NULL.
    Bool(String),
    /// A condition, which is never NULL.
    Truth(String),
    Instant(String, InstantUnit),
    Day(String),
    /// The same for all rows of a bucket.
    Constant(Vec<Value>),
}

/// A number of a row: an integer, and how many digits of it stand after the point.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number {
    pub(super) text: String,
    pub(super) scale: u32,
    /// Whether the text is of the dialect's wide integers, or a product.
    pub(super) is_wide: bool,
    pub(super) form: NumberForm,
    /// To be added to the number; for what is finer than the column.
    pub(super) beside: Decimal,
}

/// How the evaluator holds the numbers of rows, which shows in the scale of some answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberForm {
    /// Integers of one scale.
    Scaled,
    /// Decimals of one scale.
    Decimals,
    /// Seconds with as many digits as each needs, counted in microseconds here.
    Seconds,
}

impl Number {
    pub(super) fn column(text: String, scale: u32) -> Self {
        Self { text, scale, is_wide: false, form: NumberForm::Scaled, beside: Decimal::ZERO }
    }

    /// The integer as a wide one.
    pub(super) fn wide(&self, dialect: Dialect) -> String {
        if self.is_wide { self.text.clone() } else { dialect.words().wide(&self.text) }
    }

    /// The integer at a finer scale.
    pub(super) fn at_scale(&self, scale: u32, statement: &mut Statement) -> Compiled<Self> {
        let digits = scale.saturating_sub(self.scale);
        if digits == 0 {
            return Ok(self.clone());
        }
        let factor =
            10_i64.checked_pow(digits).ok_or(CompileFailure::Stream("numbers of many digits"))?;
        let text = format!("{} * {}", self.wide(statement.dialect()), statement.integer(factor));
        Ok(Self { text: format!("({text})"), scale, is_wide: true, ..self.clone() })
    }
}

impl Term {
    /// A column.
    pub(super) fn column(text: String, storage: Storage) -> Self {
        match storage {
            Storage::Scaled(scale) => Self::Number(Number::column(text, scale)),
            Storage::Instant(unit) => Self::Instant(text, unit),
            Storage::Day => Self::Day(text),
            Storage::Text => Self::Text(text),
            Storage::Bool => Self::Bool(text),
        }
    }

    /// The SQL that is NULL where the row has no value; none for constants.
    pub(super) fn nullable(&self) -> Option<&str> {
        match self {
            Self::Number(number) => Some(&number.text),
            Self::Text(text) | Self::Bool(text) | Self::Instant(text, _) | Self::Day(text) => {
                Some(text)
            }
            Self::Truth(_) | Self::Constant(_) => None,
        }
    }
}

/// A constant of each bucket as a column or a placeholder.
pub(super) fn integers(statement: &mut Statement, values: Vec<Option<i64>>) -> String {
    let values = values.into_iter().map(|value| value.map(BoundValue::Integer)).collect();
    statement.of_bucket(BoundColumnKind::Integer, values)
}

/// Conditions of each bucket.
pub(super) fn truths(statement: &mut Statement, values: &[bool]) -> String {
    if values.iter().all(|truth| *truth) {
        return "TRUE".to_owned();
    }
    if !values.iter().any(|truth| *truth) {
        return "FALSE".to_owned();
    }
    let column = integers(statement, values.iter().map(|truth| Some(i64::from(*truth))).collect());
    format!("{column} = 1")
}

/// How a number lies between integers of a scale: the one below it or equal, and whether equal.
pub(super) fn floor(number: Decimal, scale: u32) -> Option<(i64, bool)> {
    let raised = number::multiply(number, Decimal::from(10_i64.checked_pow(scale)?)).ok()?;
    let whole = raised.floor();
    Some((i64::try_from(whole.trunc()).ok()?, whole == raised))
}
