//! Typed columns, compact enough to scan millions of rows.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::types::{Reason, Value};

/// The null of a column of scaled integers or instants.
pub(crate) const NULL: i64 = i64::MIN;
/// The null of a column of text.
pub(crate) const NO_CODE: u32 = u32::MAX;

/// One column of a table.
#[derive(Debug, Clone)]
pub(crate) enum Column {
    /// Numbers as integers of one scale: 2.55 at scale 2 is 255.
    Scaled { values: Vec<i64>, scale: u32 },
    /// Numbers that do not fit integers of one scale.
    Exact(Vec<Option<Decimal>>),
    /// Dictionary-encoded texts; the dictionary is sorted and has no duplicates.
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

    /// Returns the value of a row; null past the end.
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
            Self::Instant(values) => values.get(row).copied().filter(|at| *at != NULL).map(instant),
        };
        found.unwrap_or(Value::missing(Reason::NullValue))
    }
}

/// Creates a text column with a sorted dictionary, so that codes are in the order of the texts.
pub(crate) fn sorted(mut codes: Vec<u32>, entries: Vec<Arc<str>>) -> Column {
    if entries.is_sorted() {
        return Column::Text { codes, entries: Arc::from(entries) };
    }
    let mut order: Vec<(Arc<str>, usize)> = entries.into_iter().zip(0..).collect();
    order.sort_unstable();
    let mut renamed = vec![NO_CODE; order.len()];
    for ((_, old), new) in order.iter().zip(0_u32..) {
        if let Some(slot) = renamed.get_mut(*old) {
            *slot = new;
        }
    }
    for code in &mut codes {
        let new = usize::try_from(*code).ok().and_then(|code| renamed.get(code).copied());
        *code = new.unwrap_or(NO_CODE);
    }
    Column::Text { codes, entries: order.into_iter().map(|(text, _)| text).collect() }
}

pub(super) fn truth(value: &Value) -> Option<bool> {
    if let Value::Bool(truth) = value { Some(*truth) } else { None }
}

pub(super) fn date(value: &Value) -> Option<Date> {
    if let Value::Date(date) = value { Some(*date) } else { None }
}

pub(super) fn micros(value: &Value) -> i64 {
    if let Value::DateTime(at) = value { at.as_microsecond() } else { NULL }
}

/// Converts a scaled integer to a value.
pub(crate) fn scaled(value: i64, scale: u32) -> Value {
    Decimal::try_from_i128_with_scale(i128::from(value), scale)
        .map_or(Value::missing(Reason::Overflow), Value::Number)
}

/// Converts microseconds to an instant.
pub(crate) fn instant(at: i64) -> Value {
    Timestamp::from_microsecond(at).map_or(Value::missing(Reason::Domain), Value::DateTime)
}
