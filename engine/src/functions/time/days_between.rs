//! The number of days between two dates.

use rust_decimal::Decimal;

use crate::calendar::Calendar;
use crate::functions::arguments::{UNFIT, day};
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::Value;

pub(crate) const DAYS_BETWEEN: FunctionSpec = FunctionSpec {
    name: "days_between",
    aliases: &[],
    family: Family::Time,
    signature: "days_between(a, b)",
    summary: "The number of calendar days from the first date to the second.",
    details: "Negative if the second date is earlier. Instants count by their day in the time zone \
        of the store, so a minute across midnight is one day. Like `DATEDIFF` by days in SQL and \
        `DAYS` in spreadsheets, which takes the later date first.",
    parameters: &[
        Parameter::required("a", ParameterKind::Date),
        Parameter::required("b", ParameterKind::Date),
    ],
    examples: &[
        Example { formula: "days_between(@2026-02-01, @2026-02-28)", result: "27" },
        Example { formula: "days_between(@2026-02-28, @2026-02-01)", result: "-27" },
    ],
    exact: true,
    behaviour: Behaviour::number(call),
};

fn call(arguments: &[Value], environment: &Environment<'_>) -> Value {
    let [from, to] = arguments else { return UNFIT };
    let (Some(from), Some(to)) = (day(from, environment), day(to, environment)) else {
        return UNFIT;
    };
    Value::Number(Decimal::from(Calendar::days_between(from, to)))
}

#[cfg(test)]
mod tests {
    use super::DAYS_BETWEEN;
    use crate::functions::testing::{at, on, shown};

    #[test]
    fn days_are_those_of_the_calendar() {
        for (arguments, expected) in [
            (vec![on("2026-02-01"), on("2026-02-28")], "27"),
            (vec![on("2026-02-28"), on("2026-02-01")], "-27"),
            (vec![at("2026-02-01T23:59:00Z"), at("2026-02-02T00:01:00Z")], "1"),
            (vec![on("2024-02-28"), at("2024-03-01T12:00:00Z")], "2"),
        ] {
            assert_eq!(shown(&DAYS_BETWEEN, &arguments), expected, "{arguments:?}");
        }
    }
}
