//! A duration in days.

use rust_decimal::Decimal;

use crate::functions::arguments::{UNFIT, seconds_of};
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::number;
use crate::types::Value;

pub(crate) const DAYS: FunctionSpec = FunctionSpec {
    name: "days",
    aliases: &[],
    family: Family::Time,
    signature: "days(duration)",
    summary: "A duration as a plain number of days, with its fraction.",
    details: "A day is always 24 hours here; for calendar days use `days_between` and `days_in`. A \
        null argument makes the result null.",
    parameters: &[Parameter::required("duration", ParameterKind::Duration)],
    examples: &[
        Example { formula: "days(48 hours)", result: "2" },
        Example { formula: "days(length(period))", result: "28" },
    ],
    exact: true,
    behaviour: Behaviour::number(call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let Some(seconds) = seconds_of(arguments) else { return UNFIT };
    number::divide(seconds, Decimal::from(86_400)).into()
}

#[cfg(test)]
mod tests {
    use super::DAYS;
    use crate::functions::testing::{number, shown};

    #[test]
    fn fractions_stay() {
        for (arguments, expected) in [(vec![number("172800")], "2"), (vec![number("43200")], "0.5")]
        {
            assert_eq!(shown(&DAYS, &arguments), expected, "{arguments:?}");
        }
    }
}
