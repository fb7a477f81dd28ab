//! A duration in hours.

use rust_decimal::Decimal;

use crate::functions::arguments::{UNFIT, seconds_of};
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::number;
use crate::types::Value;

pub(crate) const HOURS: FunctionSpec = FunctionSpec {
    name: "hours",
    aliases: &[],
    family: Family::Time,
    signature: "hours(duration)",
    summary: "A duration as a plain number of hours, with its fraction.",
    details: "An hour is 3,600 seconds. A null argument makes the result null.",
    parameters: &[Parameter::required("duration", ParameterKind::Duration)],
    examples: &[
        Example { formula: "hours(2 days)", result: "48" },
        Example { formula: "hours(90 minutes)", result: "1.5" },
    ],
    exact: true,
    behaviour: Behaviour::number(call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let Some(seconds) = seconds_of(arguments) else { return UNFIT };
    number::divide(seconds, Decimal::from(3_600)).into()
}

#[cfg(test)]
mod tests {
    use super::HOURS;
    use crate::functions::testing::{number, shown};

    #[test]
    fn fractions_stay() {
        for (arguments, expected) in [(vec![number("5400")], "1.5"), (vec![number("-3600")], "-1")]
        {
            assert_eq!(shown(&HOURS, &arguments), expected, "{arguments:?}");
        }
    }
}
