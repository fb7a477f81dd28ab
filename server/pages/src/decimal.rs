//! Numbers in responses of the API.

use rust_decimal::Decimal;
use serde_json::Value;

/// Reads a number of the API, which is a string if it has many digits.
pub(super) fn read(value: &Value) -> Option<Decimal> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    text.parse().ok().or_else(|| Decimal::from_scientific(&text).ok())
}
