//! Values in a serialized plan: numbers, days and instants are lossless texts.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::calendar::{Period, TimeSpan};
use crate::number;
use crate::types::{Reason, Value};

/// The serialized form of a value.
#[derive(Serialize, Deserialize)]
enum Stored {
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

impl From<&Value> for Stored {
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

impl TryFrom<Stored> for Value {
    type Error = String;

    fn try_from(stored: Stored) -> Result<Self, String> {
        Ok(match stored {
            Stored::Null(reason) => Self::missing(reason),
            Stored::Number(text) => {
                let number = number::parse(&text);
                Self::Number(number.ok_or_else(|| format!("`{text}` is no number"))?)
            }
            Stored::Text(text) => Self::Text(text),
            Stored::Bool(truth) => Self::Bool(truth),
            Stored::Date(text) => Self::Date(read(&text)?),
            Stored::Instant(text) => Self::DateTime(read(&text)?),
            Stored::Period { start, end, as_of } => Self::period(Period {
                start: read(&start)?,
                end: read(&end)?,
                as_of: read(&as_of)?,
            }),
            Stored::Span(span) => Self::Span(span),
            Stored::List(items) => {
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

    use super::Stored;
    use crate::types::Value;

    pub(crate) fn serialize<S: Serializer>(value: &Value, to: S) -> Result<S::Ok, S::Error> {
        Stored::from(value).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
        Value::try_from(Stored::deserialize(from)?).map_err(D::Error::custom)
    }
}

/// Serde functions for a list of values.
pub(super) mod values {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use super::Stored;
    use crate::types::Value;

    pub(crate) fn serialize<S: Serializer>(values: &[Value], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(values.iter().map(Stored::from))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Value>, D::Error> {
        let stored = Vec::<Stored>::deserialize(from)?;
        stored.into_iter().map(|one| Value::try_from(one).map_err(D::Error::custom)).collect()
    }
}
