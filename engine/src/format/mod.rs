//! Display text of values, by unit, rule or pattern.
//!
//! Displayed values are rounded half away from zero; [`exact()`] rounds nothing. Nothing here
//! computes. Start at [`value`].

mod digits;
mod duration;
mod pattern;
mod quantity;
mod time;

#[cfg(test)]
mod tests;

use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

pub(crate) use pattern::check_pattern_of;
pub use pattern::{PatternError, check_pattern, pattern};

use crate::number;
use crate::types::{Type, Unit, Value};

/// The display format of a metric; unset properties follow from the unit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FormatRules {
    /// A pattern as for [`pattern()`], which replaces the unit's format, currency symbols included.
    pub pattern: Option<String>,
    /// Digits after the point. A duration then shows only its longest part.
    pub decimals: Option<u32>,
    /// A text before the value, after a minus sign, in place of the currency symbol.
    pub prefix: Option<String>,
    /// A text after the value.
    pub suffix: Option<String>,
    /// The text for null.
    pub null_text: Option<String>,
    /// Whether large numbers are abbreviated: `1.2M`.
    pub compact: bool,
}

/// Formats a value for display, in the format of `ty`.
///
/// The type need not be the inferred one: a share of type number shows as `50.0%` if `ty` is a
/// percentage. A pattern that does not suit the value is ignored.
pub fn value(value: &Value, ty: &Type, rules: &FormatRules, zone: &TimeZone) -> String {
    if let Value::Missing(missing) = value {
        let reason = missing.reason.name();
        return rules.null_text.clone().unwrap_or_else(|| format!("null ({reason})"));
    }
    if let Value::List(items) = value {
        let item_type = if let Type::List(item_type) = ty { item_type } else { ty };
        let items: Vec<String> =
            items.iter().map(|item| self::value(item, item_type, rules, zone)).collect();
        return items.join(", ");
    }
    let by_pattern = rules.pattern.as_deref().and_then(|text| pattern(text, value, zone).ok());
    let text = match (by_pattern, value) {
        (Some(text), _) => text,
        (None, Value::Number(number)) => {
            let unit = ty.unit().cloned().unwrap_or(Unit::NUMBER);
            return quantity::quantity(*number, &unit, rules);
        }
        (None, _) => plain(value, zone),
    };
    let (prefix, suffix) = (rules.prefix.as_deref(), rules.suffix.as_deref());
    let (sign, text) = match text.strip_prefix('-') {
        Some(digits) if value.as_number().is_some() => ("-", digits),
        _ => ("", text.as_str()),
    };
    format!("{sign}{}{text}{}", prefix.unwrap_or_default(), suffix.unwrap_or_default())
}

/// Formats a value that is not a quantity.
fn plain(value: &Value, zone: &TimeZone) -> String {
    match value {
        Value::DateTime(at) => time::datetime(*at, zone),
        Value::Period(period) => time::period(**period, zone),
        Value::Missing(_)
        | Value::Number(_)
        | Value::Text(_)
        | Value::Bool(_)
        | Value::Date(_)
        | Value::Span(_)
        | Value::List(_) => exact(value),
    }
}

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
