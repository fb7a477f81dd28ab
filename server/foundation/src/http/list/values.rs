//! Parses the values that a column is compared with.

use rusqlite::types::Value;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::{HttpError, invalid};
use crate::clock::{DAY_LEN, Timestamp};
use crate::database::listing::{Column, Kind, Operator};
use crate::http::query::MAX_SEARCH_CHARS;

/// Limit: wildcards in one pattern, since each multiplies the work.
const MAX_WILDCARDS: usize = 4;

/// Parses one value of a column.
pub(super) fn read(column: &Column, operator: Operator, text: &str) -> Result<Value, HttpError> {
    let may_be_null = matches!(operator, Operator::AnyOf | Operator::NoneOf)
        && matches!(column.kind, Kind::Id | Kind::Time);
    if may_be_null && text == "null" {
        return Ok(Value::Null);
    }
    let value = match column.kind {
        Kind::Id | Kind::Text | Kind::Code | Kind::Link => bounded(operator, text),
        Kind::LowerCase => bounded(operator, &text.to_lowercase()),
        Kind::Word(words) => words.contains(&text).then(|| Value::Text(text.to_owned())),
        Kind::Time => instant(text),
        Kind::Integer => integer(text).map(Value::Integer),
        Kind::Boolean => text.parse::<bool>().ok().map(|truth| Value::Integer(truth.into())),
        Kind::Money { digits } => minor(text, digits).map(Value::Integer),
    };
    value.ok_or_else(|| refused(column, text))
}

/// Returns the 400 for an invalid value of a column, with the possible words.
pub(super) fn refused(column: &Column, got: &str) -> HttpError {
    let name = column.name;
    let got: String = got.chars().take(MAX_SEARCH_CHARS).collect();
    let expected = if let Kind::Word(words) = column.kind {
        format!(", expected one of {}", words.join(", "))
    } else {
        String::new()
    };
    invalid(name, format!("Value for field '{name}' is not valid: '{got}'{expected}"))
}

fn bounded(operator: Operator, text: &str) -> Option<Value> {
    let is_long = text.chars().count() > MAX_SEARCH_CHARS;
    let is_costly = operator == Operator::Like && text.matches(['%', '_']).count() > MAX_WILDCARDS;
    (!is_long && !is_costly).then(|| Value::Text(text.to_owned()))
}

/// Parses an instant. A day stays a text, because the statement looks up the store's time zone.
fn instant(text: &str) -> Option<Value> {
    let at: Timestamp = text.parse().ok()?;
    let is_day = text.len() == DAY_LEN;
    Some(if is_day { Value::Text(text.to_owned()) } else { Value::Integer(at.as_millis()) })
}

/// Parses a whole number, without a plus sign.
fn integer(text: &str) -> Option<i64> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

/// Limit: digits before the decimal point of an amount.
pub(super) const MAX_AMOUNT_DIGITS: usize = 12;

/// Parses an amount in major units as an integer with this many decimal places; none if it has more.
fn minor(text: &str, digits: u32) -> Option<i64> {
    let amount = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) =
        amount.split_once('.').map_or((amount, None), |(whole, fraction)| (whole, Some(fraction)));
    let is_number = |text: &str, max_len: usize| {
        (1..=max_len).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let max_fraction = usize::try_from(digits).ok()?;
    if !is_number(whole, MAX_AMOUNT_DIGITS)
        || !fraction.is_none_or(|text| is_number(text, max_fraction))
    {
        return None;
    }
    let major: Decimal = text.parse().ok()?;
    let scale = Decimal::from(10_i64.checked_pow(digits)?);
    let minor = major.checked_mul(scale)?;
    if minor.fract().is_zero() { minor.to_i64() } else { None }
}
