//! One value for each of many rows, in the most compact form that holds them.

use std::borrow::Cow;
use std::sync::Arc;

use crate::data::{Column, NO_CODE, NULL, sorted};
use crate::plan::operators::is_true;
use crate::schema::DataType;
use crate::types::{Reason, Value};

#[derive(Debug, Clone)]
pub(crate) enum Vector {
    /// The same value for every row.
    Same(Value),
    /// Numbers as integers of one scale.
    Scaled { values: Vec<i64>, scale: u32 },
    /// Texts by their number in a dictionary.
    Codes { codes: Vec<u32>, entries: Arc<[Arc<str>]> },
    /// Conditions, which are never null.
    Truth(Vec<bool>),
    /// True, false or null.
    Flags(Vec<Option<bool>>),
    /// Instants in microseconds.
    Instants(Vec<i64>),
    /// Values of any other type.
    Values(Vec<Value>),
}

impl Vector {
    pub(crate) fn null() -> Self {
        Self::Same(Value::missing(Reason::NullValue))
    }

    pub(crate) fn value(&self, index: usize) -> Value {
        let found = match self {
            Self::Same(value) => return value.clone(),
            Self::Values(values) => values.get(index).cloned(),
            Self::Truth(values) => values.get(index).copied().map(Value::Bool),
            Self::Flags(values) => values.get(index).copied().flatten().map(Value::Bool),
            Self::Scaled { values, scale } => values
                .get(index)
                .filter(|value| **value != NULL)
                .map(|value| crate::data::scaled(*value, *scale)),
            Self::Codes { codes, entries } => codes
                .get(index)
                .and_then(|code| usize::try_from(*code).ok())
                .and_then(|code| entries.get(code))
                .map(|text| Value::Text(Arc::clone(text))),
            Self::Instants(values) => {
                values.get(index).filter(|at| **at != NULL).map(|at| crate::data::instant(*at))
            }
        };
        found.unwrap_or(Value::missing(Reason::NullValue))
    }

    pub(crate) fn is_missing(&self, index: usize) -> bool {
        match self {
            Self::Same(value) => value.is_missing(),
            Self::Values(values) => values.get(index).is_none_or(Value::is_missing),
            Self::Truth(_) => false,
            Self::Flags(values) => values.get(index).is_none_or(Option::is_none),
            Self::Scaled { values, .. } | Self::Instants(values) => {
                values.get(index).is_none_or(|value| *value == NULL)
            }
            Self::Codes { codes, .. } => codes.get(index).is_none_or(|code| *code == NO_CODE),
        }
    }

    pub(crate) fn is_true(&self, index: usize) -> bool {
        match self {
            Self::Truth(values) => values.get(index).copied().unwrap_or(false),
            Self::Flags(values) => values.get(index).copied() == Some(Some(true)),
            Self::Same(value) => is_true(value),
            Self::Values(values) => values.get(index).is_some_and(is_true),
            Self::Scaled { .. } | Self::Codes { .. } | Self::Instants(_) => false,
        }
    }

    /// Converts `count` rows to a column of this type.
    pub(crate) fn into_column(self, data_type: &DataType, count: usize) -> Column {
        match self {
            Self::Scaled { values, scale } => Column::Scaled { values, scale },
            Self::Codes { codes, entries } => sorted(codes, entries.to_vec()),
            Self::Instants(values) => Column::Instant(values),
            Self::Truth(values) => Column::Bool(values.into_iter().map(Some).collect()),
            Self::Flags(values) => Column::Bool(values),
            Self::Values(values) => Column::of_values(data_type, &values),
            Self::Same(value) => Column::of_values(data_type, &vec![value; count]),
        }
    }

    /// The condition for each of `count` rows.
    pub(crate) fn truths(&self, count: usize) -> Cow<'_, [bool]> {
        match self {
            Self::Truth(values) => Cow::Borrowed(values),
            Self::Flags(values) => values.iter().map(|value| *value == Some(true)).collect(),
            Self::Same(value) => Cow::Owned(vec![is_true(value); count]),
            Self::Scaled { .. } | Self::Codes { .. } | Self::Instants(_) | Self::Values(_) => {
                (0..count).map(|index| self.is_true(index)).collect()
            }
        }
    }

    /// Whether each of `count` rows is null.
    pub(crate) fn missing(&self, count: usize) -> Vec<bool> {
        match self {
            Self::Codes { codes, .. } => codes.iter().map(|code| *code == NO_CODE).collect(),
            Self::Scaled { values, .. } | Self::Instants(values) => {
                values.iter().map(|value| *value == NULL).collect()
            }
            Self::Same(_) | Self::Truth(_) | Self::Flags(_) | Self::Values(_) => {
                (0..count).map(|index| self.is_missing(index)).collect()
            }
        }
    }

    /// The approximate size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let (count, each) = match self {
            Self::Same(_) => (1, size_of::<Value>()),
            Self::Scaled { values, .. } | Self::Instants(values) => (values.len(), 8),
            Self::Codes { codes, .. } => (codes.len(), 4),
            Self::Truth(values) => (values.len(), 1),
            Self::Flags(values) => (values.len(), 1),
            Self::Values(values) => (values.len(), size_of::<Value>()),
        };
        count.saturating_mul(each).saturating_add(size_of::<Self>())
    }
}
