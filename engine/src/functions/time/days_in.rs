//! The number of days in a period.

use rust_decimal::Decimal;

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, DefaultValue, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::Value;

pub(crate) const DAYS_IN: FunctionSpec = FunctionSpec {
    name: "days_in",
    aliases: &[],
    family: Family::Time,
    signature: "days_in(period, full: false)",
    summary: "The number of calendar days of a period.",
    details: "Counts the elapsed part, including the current day in full; `full: true` counts the \
        whole period. Days are those of the store's time zone, so clock changes do not matter. A \
        period without a beginning or an end is null (domain).",
    parameters: &[
        Parameter::required("period", ParameterKind::Period),
        Parameter::optional("full", ParameterKind::Bool, DefaultValue::Bool(false)),
    ],
    examples: &[
        Example { formula: "days_in(period)", result: "28" },
        Example { formula: "sum(orders.total) / days_in(period)", result: "$7.14" },
    ],
    exact: true,
    behaviour: Behaviour::number(call),
};

fn call(arguments: &[Value], environment: &Environment<'_>) -> Value {
    let [Value::Period(period), Value::Bool(full)] = arguments else { return UNFIT };
    let calendar = environment.calendar;
    let days = if *full { calendar.days_in(**period) } else { calendar.elapsed_days_in(**period) };
    days.map_or(UNFIT, |days| Value::Number(Decimal::from(days)))
}

#[cfg(test)]
mod tests {
    use super::DAYS_IN;
    use crate::calendar::Period;
    use crate::functions::testing::{flag, period, shown};
    use crate::types::Value;

    #[test]
    fn a_day_that_has_begun_counts() {
        for (arguments, expected) in [
            (vec![period("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"), flag(false)], "28"),
            (vec![period("2026-02-01T00:00:00Z", "2026-02-02T00:00:01Z"), flag(false)], "2"),
            (vec![period("2026-02-01T00:00:00Z", "2026-02-01T00:00:00Z"), flag(true)], "0"),
            (vec![Value::period(Period::ALWAYS), flag(true)], "null (domain)"),
        ] {
            assert_eq!(shown(&DAYS_IN, &arguments), expected, "{arguments:?}");
        }
    }
}
