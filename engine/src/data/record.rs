//! A context record: values by name, for computing a formula without any source.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use crate::types::Currency;

/// Values by name: aggregated values, columns, or rows.
///
/// Names are case-insensitive and ignore whitespace; `previous(net_sales)` is a name too.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    values: BTreeMap<String, RecordValue>,
}

/// One value of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordValue {
    /// No value.
    Null,
    /// True or false.
    Bool(bool),
    /// A number, exactly as written.
    Number(Decimal),
    /// Text; read as a number, date or instant where one is needed.
    Text(String),
    /// An amount with its currency.
    Money(Decimal, Currency),
    /// Several values: a list, or a column when the name is `source.field`.
    List(Vec<RecordValue>),
    /// Named values: a row, or the start and end of a period.
    Fields(BTreeMap<String, RecordValue>),
}

/// The reason why a record cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The text is not JSON, or not an object.
    #[error("the context is not a JSON object: {0}")]
    Malformed(String),
    /// A name occurs twice.
    #[error("`{0}` is given twice")]
    Duplicate(String),
    /// A number has more than 28 digits.
    #[error("`{name}`: {number} has more than 28 digits")]
    Number {
        /// The name of the value.
        name: String,
        /// The number as written.
        number: String,
    },
    /// The amount beside a currency is a text that is not a number.
    #[error("`{name}`: the amount `{text}` is not a number")]
    Amount {
        /// The name of the value.
        name: String,
        /// The amount as written.
        text: String,
    },
    /// A currency that ISO 4217 does not list.
    #[error("`{name}`: `{code}` is no currency of ISO 4217")]
    Currency {
        /// The name of the value.
        name: String,
        /// The code as written.
        code: String,
    },
}

/// Normalizes a name for comparison: lower case, without whitespace.
pub(crate) fn plain_name(name: &str) -> String {
    name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

impl Record {
    /// Creates an empty record.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a value and returns the record.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<RecordValue>) -> Self {
        self.set(name, value);
        self
    }

    /// Sets a value and returns the one it replaces.
    pub fn set(&mut self, name: &str, value: impl Into<RecordValue>) -> Option<RecordValue> {
        self.values.insert(plain_name(name), value.into())
    }

    /// Returns the value of a name.
    pub fn get(&self, name: &str) -> Option<&RecordValue> {
        self.values.get(&plain_name(name))
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &RecordValue)> {
        self.values.iter().map(|(name, value)| (name.as_str(), value))
    }
}

impl From<Decimal> for RecordValue {
    fn from(number: Decimal) -> Self {
        Self::Number(number)
    }
}

impl From<i64> for RecordValue {
    fn from(number: i64) -> Self {
        Self::Number(number.into())
    }
}

impl From<&str> for RecordValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<bool> for RecordValue {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl RecordValue {
    /// Returns the kind of value, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "text",
            Self::Money(..) => "money",
            Self::List(_) => "a list",
            Self::Fields(_) => "an object",
        }
    }

    /// Returns the text that a column reader accepts; `None` for lists and rows.
    pub(crate) fn cell(&self) -> Option<String> {
        Some(match self {
            Self::Null => String::new(),
            Self::Bool(truth) => truth.to_string(),
            Self::Number(number) | Self::Money(number, _) => crate::number::to_plain(*number),
            Self::Text(text) => text.clone(),
            Self::List(_) | Self::Fields(_) => return None,
        })
    }
}
