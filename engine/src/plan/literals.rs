//! Constants and names as formulas write them.

use crate::types::{Currency, Value};

/// Formats a constant as formulas write it; a number keeps all its digits.
pub(super) fn constant(value: &Value, currency: Option<Currency>) -> String {
    match value {
        Value::Missing(missing) => format!("null({})", missing.reason.name()),
        Value::Number(number) => match currency {
            Some(currency) => format!("{number} {}", currency.code()),
            None => number.to_string(),
        },
        Value::Text(text) => format!("{text:?}"),
        Value::Bool(truth) => truth.to_string(),
        Value::Date(date) => format!("@{date}"),
        Value::DateTime(at) => at.to_string(),
        Value::Period(period) => format!("{} to {}", period.start, period.end),
        Value::Span(span) => span.to_string(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(|item| constant(item, None)).collect();
            format!("list({})", items.join(", "))
        }
    }
}

/// Formats the name of a slot as formulas write it: in brackets unless it is a plain word.
pub(super) fn name(name: &str) -> String {
    let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    if is_word { name.to_owned() } else { format!("[{}]", name.replace(']', "]]")) }
}
