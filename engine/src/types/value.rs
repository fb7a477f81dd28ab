//! Computed values.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use super::{Missing, Reason};
use crate::calendar::{Period, TimeSpan};

/// A value of any type, or the reason there is none.
///
/// Money is in major units of its currency, a duration in seconds, a percentage as its fraction.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// No value, and why.
    Missing(Missing),
    /// A quantity; its unit is in the type.
    Number(Decimal),
    /// A text.
    Text(Arc<str>),
    /// A condition's outcome.
    Bool(bool),
    /// A calendar day.
    Date(Date),
    /// An instant.
    DateTime(Timestamp),
    /// A stretch of time.
    Period(Period),
    /// A step in the calendar, such as 2 months.
    Span(TimeSpan),
    /// Several values of one type.
    List(Arc<[Value]>),
}

impl Value {
    /// A null with its reason.
    pub const fn missing(reason: Reason) -> Self {
        Self::Missing(Missing::new(reason))
    }

    /// A text value.
    pub fn text(text: impl Into<Arc<str>>) -> Self {
        Self::Text(text.into())
    }

    /// The null, if it is one.
    pub const fn as_missing(&self) -> Option<Missing> {
        if let Self::Missing(missing) = self { Some(*missing) } else { None }
    }

    /// The quantity, if it is one.
    pub const fn as_number(&self) -> Option<Decimal> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }

    /// Whether there is no value.
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
