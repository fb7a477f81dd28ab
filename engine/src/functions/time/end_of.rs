//! The end of a unit of time.

use crate::calendar::TimeUnit;
use crate::functions::arguments::{UNFIT, instant};
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Type, Value};

pub(crate) const END_OF: FunctionSpec = FunctionSpec {
    name: "end_of",
    aliases: &[],
    family: Family::Time,
    signature: "end_of(d, unit)",
    summary: "The end of the calendar unit that contains a day or an instant.",
    details: "This is the first instant of the next unit, so `x < end_of(d, month)` means within \
        the month; `EOMONTH` in spreadsheets gives the last day instead. Uses the time zone and \
        calendar of the store.",
    parameters: &[
        Parameter::required("d", ParameterKind::Date),
        Parameter::required("unit", ParameterKind::Unit),
    ],
    examples: &[
        Example { formula: "end_of(@2026-02-17, month)", result: "2026-03-01 00:00:00" },
        Example { formula: "end_of(@2026-02-17, quarter)", result: "2026-04-01 00:00:00" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(|_| Ok(Type::DateTime), call),
};

fn call(arguments: &[Value], environment: &Environment<'_>) -> Value {
    let [moment, Value::Text(unit)] = arguments else { return UNFIT };
    let (Some(instant), Some(unit)) = (instant(moment, environment), TimeUnit::from_name(unit))
    else {
        return UNFIT;
    };
    environment.calendar.end_of(instant, unit).map_or(UNFIT, Value::DateTime)
}

#[cfg(test)]
mod tests {
    use super::END_OF;
    use crate::functions::testing::{at, on, shown, word};

    #[test]
    fn an_end_is_the_next_start() {
        for (arguments, expected) in [
            (vec![on("2026-02-17"), word("month")], "2026-03-01T00:00:00Z"),
            (vec![at("2026-02-01T00:00:00Z"), word("month")], "2026-03-01T00:00:00Z"),
            (vec![on("2024-02-29"), word("day")], "2024-03-01T00:00:00Z"),
        ] {
            assert_eq!(shown(&END_OF, &arguments), expected, "{arguments:?}");
        }
    }
}
