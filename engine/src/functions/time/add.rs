//! A date moved by a span.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const ADD: FunctionSpec = FunctionSpec {
    name: "add",
    aliases: &[],
    family: Family::Time,
    signature: "add(d, span)",
    summary: "A day or an instant moved by a calendar step.",
    details: "The same as `d + span`. A day that the month does not have becomes its last day, \
        like `EDATE` in spreadsheets: a month after 31 January is the end of February. Steps of \
        days keep the local time across a clock change. A day moved by hours, minutes or seconds \
        is the instant so long after the day begins. A day outside of the years −9999 to 9999 is \
        null (overflow).",
    parameters: &[
        Parameter::required("d", ParameterKind::Date),
        Parameter::required("span", ParameterKind::Span),
    ],
    examples: &[
        Example { formula: "add(@2026-01-31, 1 month)", result: "2026-02-28" },
        Example { formula: "add(@2026-01-31, 36 hours)", result: "2026-02-01 12:00:00" },
        Example {
            formula: "add(datetime('2026-02-28 18:30'), 1 day)",
            result: "2026-03-01 18:30:00",
        },
    ],
    exact: true,
    behaviour: Behaviour::Special(Special::Add),
};
