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

/// Returns a number of characters if the number is whole and not negative. One too large to be held becomes the largest,
/// which is beyond any text.
pub(super) fn natural(number: Decimal) -> Option<usize> {
    let is_natural = number.is_integer() && number >= Decimal::ZERO;
    let count = || number.to_i64().and_then(|count| usize::try_from(count).ok());
    is_natural.then(|| count().unwrap_or(usize::MAX))
}

/// Returns the day of a date or an instant, in the zone of the store.
pub(super) fn day(value: &Value, environment: &Environment<'_>) -> Option<Date> {
    if let Value::DateTime(at) = value {
        return Some(environment.calendar.date_of(*at));
    }
    if let Value::Date(day) = value { Some(*day) } else { None }
}

/// Returns the instant itself, or the start of a day in the zone of the store.
pub(super) fn instant(value: &Value, environment: &Environment<'_>) -> Option<Timestamp> {
    if let Value::DateTime(at) = value {
        return Some(*at);
    }
    environment.calendar.start_of_day(day(value, environment)?)
}

/// Returns the result of a function for a number, the only argument.
pub(super) fn of_number(
    arguments: &[Value],
    function: fn(Decimal) -> Result<Decimal, Reason>,
) -> Value {
    let [Value::Number(x)] = arguments else { return UNFIT };
    function(*x).into()
}

/// Returns a part of a date or an instant, the only argument, as a number.
pub(super) fn date_part(
    arguments: &[Value],
    part: DatePart,
    environment: &Environment<'_>,
) -> Value {
    let number = match arguments {
        [Value::Date(day)] => environment.calendar.date_part(*day, part),
        [Value::DateTime(at)] => environment.calendar.part(*at, part),
        _ => return UNFIT,
    };
    Value::Number(Decimal::from(number))
}

/// Returns the length of a duration, the only argument, in seconds; a step such as `48 hours` counts
/// if its length is fixed.
pub(super) fn seconds_of(arguments: &[Value]) -> Option<Decimal> {
    match arguments {
        [Value::Number(seconds)] => Some(*seconds),
        [Value::Span(span)] => span.seconds().map(Decimal::from),
        _ => None,
    }
}
