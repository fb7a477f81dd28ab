//! Computed values.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use super::{Missing, Reason};
use crate::calendar::{Period, TimeSpan};

/// A value of any type, or a null with its reason.
///
/// Money is in major units of its currency, a duration in seconds, a percentage as a fraction.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Null, with its reason.
    Missing(Missing),
    /// A quantity; its unit is in the type.
    Number(Decimal),
    /// A text.
    Text(Arc<str>),
    /// True or false.
    Bool(bool),
    /// A calendar day.
    Date(Date),
    /// An instant.
    DateTime(Timestamp),
    /// A stretch of time; boxed, for it would more than double the size of every value.
    Period(Box<Period>),
    /// A calendar step such as 2 months.
    Span(TimeSpan),
    /// Several values of one type.
    List(Arc<[Value]>),
}

impl Value {
    /// A null with its reason.
    pub const fn missing(reason: Reason) -> Self {
        Self::Missing(Missing::new(reason))
    }

    /// A stretch of time.
    pub fn period(period: Period) -> Self {
        Self::Period(Box::new(period))
    }

    /// A text value.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// Returns the null, if it is one.
    pub const fn as_missing(&self) -> Option<Missing> {
        if let Self::Missing(missing) = self { Some(*missing) } else { None }
    }

    /// Returns the number, if it is one.
    pub const fn as_number(&self) -> Option<Decimal> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// Returns whether the value is null.
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Missing(_))
    }
}

impl From<Decimal> for Value {
    fn from(number: Decimal) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<Result<Decimal, Reason>> for Value {
    fn from(result: Result<Decimal, Reason>) -> Self {
        result.map_or_else(Self::missing, Self::Number)
    }
}
