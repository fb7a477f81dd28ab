//! Exact text of values, for machines.

use crate::number;
use crate::types::Value;

/// Returns the value in full: numbers as plain decimals, instants as RFC 3339 in UTC, days as ISO
/// 8601, periods as `start/end`, lists in brackets, null as `null`.
pub fn exact(value: &Value) -> String {
    match value {
        Value::Missing(_) => "null".to_owned(),
        Value::Number(number) => number::to_plain(*number),
        Value::Text(text) => text.to_string(),
        Value::Bool(truth) => truth.to_string(),
        Value::Date(date) => date.to_string(),
        Value::DateTime(at) => at.to_string(),
        Value::Period(period) => format!("{}/{}", period.start, period.end),
        Value::Span(span) => span.to_string(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(exact).collect();
            format!("[{}]", items.join(", "))
        }
    }
}
