//! The start of a unit of time.

use crate::calendar::TimeUnit;
use crate::functions::arguments::{UNFIT, instant};
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::{Type, Value};

pub(crate) const START_OF: FunctionSpec = FunctionSpec {
    name: "start_of",
    aliases: &[],
    family: Family::Time,
    signature: "start_of(d, unit)",
    summary: "The first instant of the calendar unit that contains a day or an instant.",
    details: "Uses the time zone and calendar of the store: weeks start on its first weekday, and \
        quarters and years are fiscal if the calendar is. Like `date_trunc` in SQL.",
    parameters: &[
        Parameter::required("d", ParameterKind::Date),
        Parameter::required("unit", ParameterKind::Unit),
    ],
    examples: &[
        Example { formula: "start_of(@2026-02-17, month)", result: "2026-02-01 00:00:00" },
        Example { formula: "start_of(@2026-02-17, week)", result: "2026-02-16 00:00:00" },
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
    environment.calendar.start_of(instant, unit).map_or(UNFIT, Value::DateTime)
}

#[cfg(test)]
mod tests {
    use super::START_OF;
    use crate::functions::testing::{at, on, shown, word};

    #[test]
    fn a_start_is_its_own_start() {
        for (arguments, expected) in [
            (vec![on("2026-02-17"), word("month")], "2026-02-01T00:00:00Z"),
            (vec![at("2026-02-01T00:00:00Z"), word("month")], "2026-02-01T00:00:00Z"),
            (vec![at("2026-02-17T18:45:10Z"), word("hour")], "2026-02-17T18:00:00Z"),
            (vec![on("2026-02-17"), word("year")], "2026-01-01T00:00:00Z"),
            (vec![on("2026-02-17"), word("period")], "null (domain)"),
        ] {
            assert_eq!(shown(&START_OF, &arguments), expected, "{arguments:?}");
        }
    }
}
