//! Helpers for the tests of functions: short arguments and results.

use super::spec::{Behaviour, Environment, FunctionSpec, Misfit};
use crate::calendar::{Calendar, Period, TimeSpan, TimeUnit};
use crate::number;
use crate::types::{Reason, Type, Value};

pub(super) fn number(text: &str) -> Value {
    Value::Number(number::parse(text).unwrap())
}

pub(super) fn word(text: &str) -> Value {
    Value::text(text)
}

pub(super) fn flag(truth: bool) -> Value {
    Value::Bool(truth)
}

pub(super) fn at(text: &str) -> Value {
    Value::DateTime(text.parse().unwrap())
}

pub(super) fn on(text: &str) -> Value {
    Value::Date(text.parse().unwrap())
}

pub(super) fn period(start: &str, end: &str) -> Value {
    Value::period(Period::new(start.parse().unwrap(), end.parse().unwrap()))
}

pub(super) fn span(count: i64, unit: TimeUnit) -> Value {
    Value::Span(TimeSpan::new(count, unit))
}

pub(super) fn missing() -> Value {
    Value::missing(Reason::NullValue)
}

/// Returns the result of a scalar function as plain text, in UTC on 15 March 2026.
pub(super) fn shown(spec: &FunctionSpec, arguments: &[Value]) -> String {
    let Behaviour::Scalar(scalar) = spec.behaviour else {
        panic!("{} is no scalar function", spec.name);
    };
    let calendar = Calendar::default();
    let now = "2026-03-15T00:00:00Z".parse().unwrap();
    written(&(scalar.call)(arguments, &Environment { calendar: &calendar, now }))
}

/// Returns the result type of a scalar function.
pub(super) fn result_type(spec: &FunctionSpec, arguments: &[Type]) -> Result<Type, Misfit> {
    let Behaviour::Scalar(scalar) = spec.behaviour else {
        panic!("{} is no scalar function", spec.name);
    };
    (scalar.result)(arguments)
}

fn written(value: &Value) -> String {
    if let Value::Missing(missing) = value {
        return format!("null ({})", missing.reason.name());
    }
    if let Value::List(items) = value {
        return format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", "));
    }
    crate::format::exact(value)
}
