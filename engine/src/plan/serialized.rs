//! Values in a serialized plan: numbers, days and instants are lossless texts.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::calendar::{Period, TimeSpan};
use crate::number;
use crate::types::{Reason, Value};

/// The serialized form of a value.
#[derive(Serialize, Deserialize)]
enum SerializedValue {
    Null(Reason),
    Number(String),
    Text(Arc<str>),
    Bool(bool),
    Date(String),
    Instant(String),
    Period { start: String, end: String, as_of: String },
    Span(TimeSpan),
    List(Vec<Self>),
}

impl From<&Value> for SerializedValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::Missing(missing) => Self::Null(missing.reason),
            Value::Number(number) => Self::Number(number.to_string()),
            Value::Text(text) => Self::Text(Arc::clone(text)),
            Value::Bool(truth) => Self::Bool(*truth),
            Value::Date(date) => Self::Date(date.to_string()),
            Value::DateTime(at) => Self::Instant(at.to_string()),
            Value::Period(period) => Self::Period {
                start: period.start.to_string(),
                end: period.end.to_string(),
                as_of: period.as_of.to_string(),
            },
            Value::Span(span) => Self::Span(*span),
            Value::List(items) => Self::List(items.iter().map(Self::from).collect()),
        }
    }
}

impl TryFrom<SerializedValue> for Value {
    type Error = String;

    fn try_from(stored: SerializedValue) -> Result<Self, String> {
        Ok(match stored {
            SerializedValue::Null(reason) => Self::missing(reason),
            SerializedValue::Number(text) => {
                let number = number::parse(&text);
                Self::Number(number.ok_or_else(|| format!("`{text}` is no number"))?)
            }
            SerializedValue::Text(text) => Self::Text(text),
            SerializedValue::Bool(truth) => Self::Bool(truth),
            SerializedValue::Date(text) => Self::Date(read(&text)?),
            SerializedValue::Instant(text) => Self::DateTime(read(&text)?),
            SerializedValue::Period { start, end, as_of } => Self::period(Period {
                start: read(&start)?,
                end: read(&end)?,
                as_of: read(&as_of)?,
            }),
            SerializedValue::Span(span) => Self::Span(span),
            SerializedValue::List(items) => {
                Self::List(items.into_iter().map(Self::try_from).collect::<Result<_, _>>()?)
            }
        })
    }
}

fn read<T: std::str::FromStr<Err = jiff::Error>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: jiff::Error| error.to_string())
}

/// Serde functions for one value.
pub(super) mod value {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use super::SerializedValue;
    use crate::types::Value;

    pub(crate) fn serialize<S: Serializer>(value: &Value, to: S) -> Result<S::Ok, S::Error> {
        SerializedValue::from(value).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        Value::try_from(SerializedValue::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// Serde functions for a list of values.
pub(super) mod values {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::SerializedValue;
    use crate::types::Value;

    pub(crate) fn serialize<S: Serializer>(values: &[Value], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(values.iter().map(SerializedValue::from))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Value>, D::Error> {
        let stored = Vec::<SerializedValue>::deserialize(from)?;
        stored.into_iter().map(|one| Value::try_from(one).map_err(D::Error::custom)).collect()
    }
}
