//! Typed columns, compact enough to scan millions of rows.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::types::{Reason, Value};

/// A null in a column of scaled integers or instants.
pub(crate) const NULL: i64 = i64::MIN;
/// A null in a column of text.
pub(crate) const NO_CODE: u32 = u32::MAX;

/// One column of a table.
#[derive(Debug, Clone)]
pub(crate) enum Column {
    /// Numbers as integers of one scale: 2.55 at scale 2 is 255.
    Scaled { values: Vec<i64>, scale: u32 },
    /// Numbers that do not fit integers of one scale.
    Exact(Vec<Option<Decimal>>),
    /// Texts by their number in a dictionary without duplicates.
    Text { codes: Vec<u32>, entries: Arc<[Arc<str>]> },
    /// True or false.
    Bool(Vec<Option<bool>>),
    /// Days.
    Date(Vec<Option<Date>>),
    /// Instants in microseconds.
    Instant(Vec<i64>),
}

impl Column {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Scaled { values, .. } | Self::Instant(values) => values.len(),
            Self::Exact(values) => values.len(),
            Self::Text { codes, .. } => codes.len(),
            Self::Bool(values) => values.len(),
            Self::Date(values) => values.len(),
        }
    }

    /// The value of one row; past the end it is null.
    pub(crate) fn value(&self, row: usize) -> Value {
        let found = match self {
            Self::Scaled { values, scale } => {
                values.get(row).copied().filter(|value| *value != NULL).map(|v| scaled(v, *scale))
            }
            Self::Exact(values) => values.get(row).copied().flatten().map(Value::Number),
            Self::Text { codes, entries } => codes
                .get(row)
                .and_then(|code| usize::try_from(*code).ok())
                .and_then(|code| entries.get(code))
                .map(|text| Value::Text(Arc::clone(text))),
            Self::Bool(values) => values.get(row).copied().flatten().map(Value::Bool),
            Self::Date(values) => values.get(row).copied().flatten().map(Value::Date),
            Self::Instant(values) => {
                values.get(row).copied().filter(|at| *at != NULL).map(instant)
            }
        };
        found.unwrap_or(Value::missing(Reason::NullValue))
    }
}

/// A scaled integer as a value.
pub(crate) fn scaled(value: i64, scale: u32) -> Value {
    Decimal::try_from_i128_with_scale(i128::from(value), scale)
        .map_or(Value::missing(Reason::Overflow), Value::Number)
}

/// Microseconds as an instant.
pub(crate) fn instant(at: i64) -> Value {
    Timestamp::from_microsecond(at).map_or(Value::missing(Reason::Domain), Value::DateTime)
}
