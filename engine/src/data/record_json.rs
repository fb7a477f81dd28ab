//! Records from JSON: numbers are read as exact text, never through a float.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::{Number, Value as Json};

use super::record::{Record, RecordError, RecordValue, plain_name};
use crate::types::Currency;

impl Record {
    /// Reads a JSON object.
    ///
    /// A number keeps every digit written. `{"amount": …, "currency": …}` is money. Two keys with the
    /// same normalized name, such as `Sales` and `sales`, are an error.
    pub fn from_json(text: &str) -> Result<Self, RecordError> {
        let json: Json = serde_json::from_str(text)
            .map_err(|error| RecordError::Malformed(error.to_string()))?;
        let Json::Object(fields) = json else {
            return Err(RecordError::Malformed("it is another kind of value".to_owned()));
        };
        let mut record = Self::new();
        for (name, value) in fields {
            let value = read(&name, value)?;
            if record.set(&name, value).is_some() {
                return Err(RecordError::Duplicate(plain_name(&name)));
            }
        }
        Ok(record)
    }
}

/// Converts a JSON value. The JSON parser bounds the recursion: it rejects more than 128 levels.
fn read(name: &str, json: Json) -> Result<RecordValue, RecordError> {
    Ok(match json {
        Json::Null => RecordValue::Null,
        Json::Bool(truth) => RecordValue::Bool(truth),
        Json::String(text) => RecordValue::Text(text),
        Json::Number(number) => RecordValue::Number(number_of(name, number.as_str())?),
        Json::Array(items) => {
            let items: Result<_, _> = items.into_iter().map(|item| read(name, item)).collect();
            RecordValue::List(items?)
        }
        Json::Object(fields) => {
            let mut row = BTreeMap::new();
            for (key, value) in fields {
                if row.insert(plain_name(&key), read(&key, value)?).is_some() {
                    return Err(RecordError::Duplicate(plain_name(&key)));
                }
            }
            money(name, row)?
        }
    })
}

/// Converts an object: one with amount and currency is money, any other a row.
fn money(name: &str, fields: BTreeMap<String, RecordValue>) -> Result<RecordValue, RecordError> {
    let (Some(amount), Some(RecordValue::Text(code)), 2) =
        (fields.get("amount"), fields.get("currency"), fields.len())
    else {
        return Ok(RecordValue::Fields(fields));
    };
    let amount = match amount {
        RecordValue::Number(amount) => *amount,
        RecordValue::Text(text) if serde_json::from_str::<Number>(text).is_ok() => {
            number_of(name, text)?
        }
        RecordValue::Text(text) => crate::number::parse(text)
            .ok_or_else(|| RecordError::Amount { name: name.to_owned(), text: shortened(text) })?,
        RecordValue::Null
        | RecordValue::Bool(_)
        | RecordValue::Money(..)
        | RecordValue::List(_)
        | RecordValue::Fields(_) => return Ok(RecordValue::Fields(fields)),
    };
    let currency = Currency::from_code(&code.to_ascii_uppercase());
    let currency = currency
        .ok_or_else(|| RecordError::Currency { name: name.to_owned(), code: code.clone() })?;
    Ok(RecordValue::Money(amount, currency))
}

/// Parses a JSON number, which may have an exponent.
fn number_of(name: &str, text: &str) -> Result<Decimal, RecordError> {
    let number = crate::number::parse(text).or_else(|| crate::number::parse_scientific(text));
    number.ok_or_else(|| RecordError::Number { name: name.to_owned(), number: shortened(text) })
}

/// The start of a text, for a message.
fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}
