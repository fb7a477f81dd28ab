//! Row expressions as SQL, with the static type of the value.

use rust_decimal::Decimal;

use super::binding::{InstantUnit, Storage};
use super::dialect::{BoundColumnKind, Dialect};
use super::query::BoundValue;
use super::statement::Statement;
use crate::number;
use crate::types::Value;

/// Why a part of a formula cannot be compiled to SQL.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum CompileFailure {
    /// No database computes it as the evaluator does: its rows are streamed instead.
    Stream(&'static str),
    /// An error of the schema or the database.
    Fail(Box<crate::diagnostics::Diagnostic>),
}

impl CompileFailure {
    pub(super) fn fail(message: &str) -> Self {
        Self::Fail(Box::new(super::finding(message)))
    }
}

/// A database does not keep the currencies of rows apart, and does not convert them.
pub(super) const SEVERAL_CURRENCIES: CompileFailure =
    CompileFailure::Stream("amounts of several currencies");

pub(super) type Compiled<T> = Result<T, CompileFailure>;

/// A row's value as SQL.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Term {
    Number(Number),
    Text(String),
    /// A Boolean column, possibly NULL.
    Bool(String),
    /// A condition, never NULL.
    Truth(String),
    Instant(String, InstantUnit),
    Day(String),
    /// The same for all rows of a bucket.
    Constant(Vec<Value>),
}

/// A number of a row: an integer and its scale.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Number {
    pub(super) text: String,
    pub(super) scale: u32,
    /// Whether the text has the dialect's wide integer type, or is a product.
    pub(super) is_wide: bool,
    pub(super) form: NumberForm,
    /// A constant to add to the number, finer than the column's scale.
    pub(super) beside: Decimal,
}

/// The evaluator's representation of row numbers, which decides the scale of some answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberForm {
    /// Integers of one scale.
    Scaled,
    /// Decimals of one scale.
    Decimals,
    /// Seconds, each with as many digits as it needs, counted in microseconds here.
    Seconds,
}

impl Number {
    pub(super) fn column(text: String, scale: u32) -> Self {
        Self { text, scale, is_wide: false, form: NumberForm::Scaled, beside: Decimal::ZERO }
    }

    /// Widens the integer.
    pub(super) fn wide(&self, dialect: Dialect) -> String {
        if self.is_wide { self.text.clone() } else { dialect.words().wide(&self.text) }
    }

    /// Rescales the integer to a finer scale.
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
    pub(super) fn column(text: String, storage: Storage) -> Self {
        match storage {
            Storage::Scaled(scale) => Self::Number(Number::column(text, scale)),
            Storage::Instant(unit) => Self::Instant(text, unit),
            Storage::Day => Self::Day(text),
            Storage::Text => Self::Text(text),
            Storage::Bool => Self::Bool(text),
        }
    }

    /// Returns the SQL that is NULL if the row has no value; `None` for constants.
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

/// Compiles a constant of each bucket to a column or a placeholder.
pub(super) fn integers(statement: &mut Statement, values: Vec<Option<i64>>) -> String {
    let values = values.into_iter().map(|value| value.map(BoundValue::Integer)).collect();
    statement.of_bucket(BoundColumnKind::Integer, values)
}

/// Compiles the conditions of each bucket.
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

/// Returns the greatest integer of a scale not above the number, and whether it is equal.
pub(super) fn floor(number: Decimal, scale: u32) -> Option<(i64, bool)> {
    let raised = number::multiply(number, Decimal::from(10_i64.checked_pow(scale)?)).ok()?;
    let whole = raised.floor();
    Some((i64::try_from(whole).ok()?, whole == raised))
}
