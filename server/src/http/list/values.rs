//! The values that a column is compared with, read from their text.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use rusqlite::types::Value;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::{HttpError, invalid};
use crate::database::listing::{Column, Kind, Operator};
use crate::http::query::MAX_SEARCH_CHARS;

/// Limit: `%` in one pattern, for each multiplies the work.
const MAX_WILDCARDS: usize = 4;

/// Reads one value of a column.
pub(super) fn read(column: &Column, operator: Operator, text: &str) -> Result<Value, HttpError> {
    let may_be_null = matches!(operator, Operator::AnyOf | Operator::NoneOf)
        && matches!(column.kind, Kind::Id | Kind::Time);
    if may_be_null && text == "null" {
        return Ok(Value::Null);
    }
    let value = match column.kind {
        Kind::Id | Kind::Text | Kind::Link => bounded(operator, text),
        Kind::Word(words) => words.contains(&text).then(|| Value::Text(text.to_owned())),
        Kind::Time => instant_ms(text).map(Value::Integer),
        Kind::Integer => text.parse().ok().map(Value::Integer),
        Kind::Boolean => text.parse::<bool>().ok().map(|truth| Value::Integer(truth.into())),
        Kind::Money { digits } => minor(text, digits).map(Value::Integer),
    };
    value.ok_or_else(|| refused(column, text))
}

/// The 400 for a value that does not fit its column.
pub(super) fn refused(column: &Column, got: &str) -> HttpError {
    let name = column.name;
    let got: String = got.chars().take(MAX_SEARCH_CHARS).collect();
    invalid(name, format!("Value for field '{name}' is not valid: '{got}'"))
}

fn bounded(operator: Operator, text: &str) -> Option<Value> {
    let is_long = text.chars().count() > MAX_SEARCH_CHARS;
    let is_costly = operator == Operator::Like && text.matches(['%', '_']).count() > MAX_WILDCARDS;
    (!is_long && !is_costly).then(|| Value::Text(text.to_owned()))
}

/// Milliseconds since 1970 of an instant, or of the first instant of a day in UTC.
fn instant_ms(text: &str) -> Option<i64> {
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some(instant.as_millisecond());
    }
    // A date with a time but without a zone is neither.
    let is_date = text.len() == "2026-01-31".len();
    let date: Date = text.parse().ok().filter(|_| is_date)?;
    Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp().as_millisecond())
}

/// An amount in major units as an integer of this many digits; none when it has more.
fn minor(text: &str, digits: u32) -> Option<i64> {
    let major: Decimal = text.parse().ok()?;
    let scale = Decimal::from(10_i64.checked_pow(digits)?);
    let minor = major.checked_mul(scale)?;
    if minor.fract().is_zero() { minor.to_i64() } else { None }
}
