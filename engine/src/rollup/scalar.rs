//! Single values: of dimensions, keys and currency columns.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::types::{Reason, Value};

/// A single value that can be ordered and stored: of a dimension, of a key, of a currency column.
///
/// Numbers compare by value, whatever their scale.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ScalarValue {
    /// A missing value.
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(#[serde(with = "digits")] Decimal),
    /// A text.
    Text(Arc<str>),
    /// A day, in ISO 8601.
    Date(Date),
    /// An instant in microseconds since 1970 in UTC.
    Instant(i64),
}

impl ScalarValue {
    /// Converts it to a [`Value`].
    pub fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::missing(Reason::NullValue),
            Self::Bool(truth) => Value::Bool(*truth),
            Self::Number(number) => Value::Number(*number),
            Self::Text(text) => Value::Text(Arc::clone(text)),
            Self::Date(date) => Value::Date(*date),
            Self::Instant(at) => Timestamp::from_microsecond(*at)
                .map_or(Value::missing(Reason::Domain), Value::DateTime),
        }
    }
}

/// Missing values, periods, spans and lists become [`ScalarValue::Null`].
impl From<&Value> for ScalarValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::Bool(truth) => Self::Bool(*truth),
            Value::Number(number) => Self::Number(*number),
            Value::Text(text) => Self::Text(Arc::clone(text)),
            Value::Date(date) => Self::Date(*date),
            Value::DateTime(at) => Self::Instant(at.as_microsecond()),
            Value::Missing(_) | Value::Period(_) | Value::Span(_) | Value::List(_) => Self::Null,
        }
    }
}

/// A decimal as its digits and its scale.
mod digits {
    use rust_decimal::Decimal;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &Decimal, to: S) -> Result<S::Ok, S::Error> {
        (number.mantissa(), number.scale()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Decimal, D::Error> {
        let (mantissa, scale) = <(i128, u32)>::deserialize(from)?;
        Decimal::try_from_i128_with_scale(mantissa, scale).map_err(D::Error::custom)
    }
}
