//! The semantics of the operators, in one place for whole values and for rows.

use std::cmp::Ordering;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use super::program::Op;
use crate::check::{Arithmetic, Comparison};
use crate::functions::{Behaviour, Environment, FunctionSpec, MAX_TEXT_BYTES, Nulls};
use crate::number;
use crate::types::{Reason, Value};

pub(crate) fn arithmetic(
    op: Arithmetic,
    left: &Value,
    right: &Value,
    env: &Environment<'_>,
) -> Value {
    if left.is_missing() {
        return left.clone();
    }
    if right.is_missing() {
        return right.clone();
    }
    match op {
        Arithmetic::Shift => shift(left, right, false, env),
        Arithmetic::ShiftBack => shift(left, right, true, env),
        Arithmetic::Between => between(left, right, env),
        Arithmetic::Add
        | Arithmetic::Subtract
        | Arithmetic::Multiply
        | Arithmetic::Divide
        | Arithmetic::Power => on_numbers(left, right, |left, right| numbers(op, left, right)),
    }
}

/// Applies an operation to two numbers; the first null is the result.
fn on_numbers(
    left: &Value,
    right: &Value,
    operation: impl FnOnce(Decimal, Decimal) -> Result<Decimal, Reason>,
) -> Value {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => operation(*left, *right).into(),
        (Value::Missing(_), _) => left.clone(),
        (_, Value::Missing(_)) => right.clone(),
        // Amounts in several currencies.
        (Value::List(_), _) | (_, Value::List(_)) => Value::missing(Reason::MixedCurrency),
        _ => Value::missing(Reason::Domain),
    }
}

fn numbers(op: Arithmetic, left: Decimal, right: Decimal) -> Result<Decimal, Reason> {
    match op {
        Arithmetic::Add => number::add(left, right),
        Arithmetic::Subtract => number::subtract(left, right),
        Arithmetic::Multiply => number::multiply(left, right),
        Arithmetic::Divide => number::divide(left, right),
        Arithmetic::Power => number::power(left, right),
        Arithmetic::Shift | Arithmetic::ShiftBack | Arithmetic::Between => Err(Reason::Domain),
    }
}

/// Moves a date or an instant by a calendar step or by seconds.
fn shift(date: &Value, step: &Value, back: bool, env: &Environment<'_>) -> Value {
    let moved = match (date, step) {
        (_, Value::Span(span)) => {
            let span = if back { span.reversed() } else { Some(*span) };
            span.and_then(|span| match date {
                Value::Date(date) => env.calendar.add_date(*date, span).map(Value::Date),
                Value::DateTime(at) => env.calendar.add(*at, span).map(Value::DateTime),
                _ => None,
            })
        }
        (_, Value::Number(seconds)) => {
            let seconds = if back { number::negate(*seconds) } else { *seconds };
            instant_of(date, env).and_then(|at| {
                let nanoseconds = seconds.checked_mul(Decimal::from(1_000_000_000))?;
                let nanoseconds = i128::try_from(nanoseconds.round()).ok()?;
                crate::calendar::Calendar::add_nanoseconds(at, nanoseconds).map(Value::DateTime)
            })
        }
        _ => None,
    };
    moved.unwrap_or(Value::missing(Reason::Overflow))
}

/// Returns the seconds from `right` to `left`; between two dates, whole days of 24 hours.
fn between(left: &Value, right: &Value, env: &Environment<'_>) -> Value {
    if let (Value::Date(left), Value::Date(right)) = (left, right) {
        let days = crate::calendar::Calendar::days_between(*right, *left);
        return number::multiply(Decimal::from(days), Decimal::from(86_400)).into();
    }
    let (Some(left), Some(right)) = (instant_of(left, env), instant_of(right, env)) else {
        return Value::missing(Reason::Domain);
    };
    let difference = left.as_nanosecond().saturating_sub(right.as_nanosecond());
    number::from_scaled(difference, 9).map(|seconds| seconds.normalize()).into()
}

fn instant_of(value: &Value, env: &Environment<'_>) -> Option<Timestamp> {
    match value {
        Value::DateTime(at) => Some(*at),
        Value::Date(date) => env.calendar.start_of_day(*date),
        _ => None,
    }
}

/// Compares two values. The result is two-valued: with a null on either side only `!=` holds.
pub(crate) fn compare(op: Comparison, left: &Value, right: &Value, env: &Environment<'_>) -> bool {
    let Some(order) = order(left, right, env) else { return op == Comparison::NotEqual };
    holds(op, order)
}

pub(crate) const fn holds(op: Comparison, order: Ordering) -> bool {
    match op {
        Comparison::Equal => order.is_eq(),
        Comparison::NotEqual => order.is_ne(),
        Comparison::Less => order.is_lt(),
        Comparison::LessOrEqual => order.is_le(),
        Comparison::Greater => order.is_gt(),
        Comparison::GreaterOrEqual => order.is_ge(),
    }
}

/// Returns the order of two values of one kind. A date and an instant compare by the day in the
/// calendar's zone.
pub(crate) fn order(left: &Value, right: &Value, env: &Environment<'_>) -> Option<Ordering> {
    let day = |at: &Timestamp| -> Date { env.calendar.date_of(*at) };
    Some(match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.cmp(right),
        (Value::Text(left), Value::Text(right)) => left.cmp(right),
        (Value::Bool(left), Value::Bool(right)) => left.cmp(right),
        (Value::Date(left), Value::Date(right)) => left.cmp(right),
        (Value::DateTime(left), Value::DateTime(right)) => left.cmp(right),
        (Value::DateTime(left), Value::Date(right)) => day(left).cmp(right),
        (Value::Date(left), Value::DateTime(right)) => left.cmp(&day(right)),
        _ => return None,
    })
}

pub(crate) fn negate(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(number::negate(*number)),
        other => other.clone(),
    }
}

pub(crate) fn concat(left: &Value, right: &Value) -> Value {
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => {
            if left.len().saturating_add(right.len()) > MAX_TEXT_BYTES {
                return Value::missing(Reason::Overflow);
            }
            Value::Text(Arc::from([&**left, &**right].concat()))
        }
        (Value::Text(_), other) | (other, _) => other.clone(),
    }
}

/// Returns whether an instant or a day lies in the elapsed part of a period.
pub(crate) fn in_period(value: &Value, period: &Value, env: &Environment<'_>) -> bool {
    let (Some(at), Value::Period(period)) = (instant_of(value, env), period) else { return false };
    period.holds(at)
}

/// Returns whether a condition is true; null is not.
pub(crate) const fn is_true(value: &Value) -> bool {
    matches!(value, Value::Bool(true))
}

/// Calls a scalar function.
pub(crate) fn call(spec: &FunctionSpec, arguments: &[Value], env: &Environment<'_>) -> Value {
    let Behaviour::Scalar(scalar) = spec.behaviour else { return Value::missing(Reason::Domain) };
    if scalar.nulls == Nulls::Propagate
        && let Some(missing) = arguments.iter().find(|argument| argument.is_missing())
    {
        return missing.clone();
    }
    (scalar.call)(arguments, env)
}

/// Matches a text against a pattern: `%` is any text, `_` one character. It backtracks to the last
/// `%` only.
pub(crate) fn like(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    let (mut at, mut next) = (0_usize, 0_usize);
    let mut retry: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(next) {
            Some('%') => {
                retry = Some((at, next));
                next = next.saturating_add(1);
            }
            Some(wanted) if *wanted == '_' || text.get(at) == Some(wanted) => {
                at = at.saturating_add(1);
                next = next.saturating_add(1);
            }
            Some(_) | None => {
                let Some((from, star)) = retry else { return false };
                at = from.saturating_add(1);
                next = star.saturating_add(1);
                retry = Some((at, star));
            }
        }
    }
    pattern.get(next..).is_none_or(|rest| rest.iter().all(|c| *c == '%'))
}

/// Returns the growth from `earlier` to `current`; missing where the base is zero or negative.
pub(crate) fn growth(current: &Value, earlier: &Value) -> Value {
    on_numbers(current, earlier, number::growth)
}

/// Applies an operation to the values of its operands, in the order of `Op::operands`.
///
/// Choices get all their operands. Aggregates over lists are left to the evaluator.
pub(crate) fn apply(op: &Op, operands: &[&Value], env: &Environment<'_>) -> Value {
    match (op, operands) {
        (Op::Negate(_), [value]) => negate(value),
        (Op::Not(_), [value]) => Value::Bool(!is_true(value)),
        (Op::And(..), [left, right]) => Value::Bool(is_true(left) && is_true(right)),
        (Op::Or(..), [left, right]) => Value::Bool(is_true(left) || is_true(right)),
        (Op::Arithmetic(op, ..), [left, right]) => arithmetic(*op, left, right, env),
        (Op::Growth(..), [current, earlier]) => growth(current, earlier),
        (Op::Round { digits, rounding, .. }, [value]) => rounded(value, *digits, *rounding),
        (Op::RoundedQuotient { digits, rounding, .. }, [top, bottom]) => {
            rounded(&arithmetic(Arithmetic::Divide, top, bottom, env), *digits, *rounding)
        }
        (Op::Compare(op, ..), [left, right]) => Value::Bool(compare(*op, left, right, env)),
        (Op::Concat(..), [left, right]) => concat(left, right),
        (Op::Default(..), [value, otherwise]) => {
            (if value.is_missing() { *otherwise } else { *value }).clone()
        }
        (Op::Given(..), [given, value]) => {
            (if given.is_missing() { *given } else { *value }).clone()
        }
        (Op::IsNull(_), [value]) => Value::Bool(value.is_missing()),
        (Op::IsError(_), [value]) => Value::Bool(is_error(value)),
        (Op::InList(..), [value, list @ ..]) => {
            Value::Bool(list.iter().any(|item| compare(Comparison::Equal, value, item, env)))
        }
        (Op::InPeriod(..), [value, period]) => Value::Bool(in_period(value, period, env)),
        (Op::Like(_, pattern), [value]) => {
            Value::Bool(matches!(value, Value::Text(text) if like(text, pattern)))
        }
        (Op::Choose(..), [condition, then, otherwise]) => {
            (if is_true(condition) { *then } else { *otherwise }).clone()
        }
        (Op::Call(function, _), arguments) => {
            let arguments: Vec<Value> = arguments.iter().map(|value| (*value).clone()).collect();
            call(function.0, &arguments, env)
        }
        _ => Value::missing(Reason::Domain),
    }
}

fn rounded(value: &Value, digits: u32, rounding: number::Rounding) -> Value {
    match value {
        Value::Number(number) => number::round(*number, i64::from(digits), rounding).into(),
        Value::Missing(_) => value.clone(),
        _ => Value::missing(Reason::Domain),
    }
}

/// Returns whether a value is null for another reason than missing data.
pub(crate) fn is_error(value: &Value) -> bool {
    value.as_missing().is_some_and(|missing| !missing.reason.is_missing_data())
}
