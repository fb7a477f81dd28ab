//! Helpers that read the arguments of functions.

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::spec::Environment;
use crate::calendar::DatePart;
use crate::types::{Reason, Value};

/// The result outside a function's domain, and for arguments that the checker would have refused.
pub(super) const UNFIT: Value = Value::missing(Reason::Domain);

/// Limit: bytes of a text built by a formula.
pub(crate) const MAX_TEXT_BYTES: usize = 64 * 1_024;

/// Returns a text built by a function; null (overflow) above [`MAX_TEXT_BYTES`].
pub(crate) fn bounded(text: String) -> Value {
    if text.len() > MAX_TEXT_BYTES {
        return Value::missing(Reason::Overflow);
    }
    Value::text(text)
}

/// Returns an integer if the number is whole and fits in 64 bits.
pub(super) fn whole(number: Decimal) -> Option<i64> {
    if number.is_integer() { number.to_i64() } else { None }
}

pub(super) fn count_of(items: usize) -> Value {
    Value::Number(Decimal::from(items))
}

/// Returns the day of a date or an instant, in the zone of the store.
pub(super) fn day(value: &Value, environment: &Environment<'_>) -> Option<Date> {
    match value {
        Value::Date(day) => Some(*day),
        Value::DateTime(at) => Some(environment.calendar.date_of(*at)),
        Value::Missing(_)
        | Value::Number(_)
        | Value::Text(_)
        | Value::Bool(_)
        | Value::Period(_)
        | Value::Span(_)
        | Value::List(_) => None,
    }
}

/// Returns the instant itself, or the start of a day in the zone of the store.
pub(super) fn instant(value: &Value, environment: &Environment<'_>) -> Option<Timestamp> {
    if let Value::DateTime(at) = value {
        return Some(*at);
    }
    environment.calendar.start_of_day(day(value, environment)?)
}

/// Returns a part of a date or an instant, as a number.
pub(super) fn date_part(value: &Value, part: DatePart, environment: &Environment<'_>) -> Value {
    let calendar = environment.calendar;
    let number = match value {
        Value::Date(day) => calendar.date_part(*day, part),
        Value::DateTime(at) => calendar.part(*at, part),
        Value::Missing(_)
        | Value::Number(_)
        | Value::Text(_)
        | Value::Bool(_)
        | Value::Period(_)
        | Value::Span(_)
        | Value::List(_) => return UNFIT,
    };
    Value::Number(Decimal::from(number))
}

/// Returns the length of a duration in seconds; a step such as `48 hours` counts if its length is
/// fixed.
pub(super) fn seconds_of(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(seconds) => Some(*seconds),
        Value::Span(span) => span.seconds().map(Decimal::from),
        Value::Missing(_)
        | Value::Text(_)
        | Value::Bool(_)
        | Value::Date(_)
        | Value::DateTime(_)
        | Value::Period(_)
        | Value::List(_) => None,
    }
}
