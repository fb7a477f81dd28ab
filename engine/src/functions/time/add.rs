//! A date moved by a span.

use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Nulls, Parameter, ParameterKind, Scalar,
};
use crate::types::{Reason, Type, Value};

pub(crate) const ADD: FunctionSpec = FunctionSpec {
    name: "add",
    aliases: &[],
    family: Family::Time,
    signature: "add(d, span)",
    summary: "A day or an instant moved by a calendar step.",
    details: "The same as `d + span`. A day that the month does not have becomes its last day, \
        like `EDATE` in spreadsheets: a month after 31 January is the end of February. Steps of \
        days keep the local time across a clock change. A day moved by hours that are not whole \
        days is null (domain).",
    parameters: &[
        Parameter::required("d", ParameterKind::Date),
        Parameter::required("span", ParameterKind::Span),
    ],
    examples: &[
        Example { formula: "add(@2026-01-31, 1 month)", result: "2026-02-28" },
        Example {
            formula: "add(datetime('2026-02-28 18:30'), 1 day)",
            result: "2026-03-01 18:30:00",
        },
    ],
    exact: true,
    behaviour: Behaviour::Scalar(Scalar {
        result: |types| Ok(types.first().cloned().unwrap_or(Type::NUMBER)),
        call,
        nulls: Nulls::Propagate,
    }),
};

fn call(arguments: &[Value], environment: &Environment<'_>) -> Value {
    let moved = match arguments {
        [Value::Date(day), Value::Span(span)] => {
            environment.calendar.add_date(*day, *span).map(Value::Date)
        }
        [Value::DateTime(instant), Value::Span(span)] => {
            environment.calendar.add(*instant, *span).map(Value::DateTime)
        }
        _ => None,
    };
    moved.unwrap_or(Value::missing(Reason::Domain))
}

#[cfg(test)]
mod tests {
    use super::ADD;
    use crate::calendar::TimeUnit;
    use crate::functions::testing::{at, on, shown, span};

    #[test]
    fn a_day_the_month_lacks_becomes_its_last() {
        for (arguments, expected) in [
            (vec![on("2026-01-31"), span(1, TimeUnit::Month)], "2026-02-28"),
            (vec![on("2026-03-01"), span(-1, TimeUnit::Day)], "2026-02-28"),
            (vec![at("2026-02-28T18:30:00Z"), span(2, TimeUnit::Hour)], "2026-02-28T20:30:00Z"),
            (vec![on("2026-01-31"), span(i64::MAX, TimeUnit::Year)], "null (domain)"),
        ] {
            assert_eq!(shown(&ADD, &arguments), expected, "{arguments:?}");
        }
    }
}
