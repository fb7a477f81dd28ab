//! A duration in seconds.

use crate::functions::arguments::{UNFIT, seconds_of};
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::Value;

pub(crate) const SECONDS: FunctionSpec = FunctionSpec {
    name: "seconds",
    aliases: &[],
    family: Family::Time,
    signature: "seconds(duration)",
    summary: "A duration as a plain number of seconds, with its fraction.",
    details: "Durations are stored in seconds, so nothing is rounded. A null argument makes the \
        result null.",
    parameters: &[Parameter::required("duration", ParameterKind::Duration)],
    examples: &[Example { formula: "seconds(2 minutes)", result: "120" }],
    exact: true,
    behaviour: Behaviour::number(call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    seconds_of(arguments).map_or(UNFIT, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::SECONDS;
    use crate::functions::testing::{number, shown};

    #[test]
    fn fractions_stay() {
        for (arguments, expected) in [(vec![number("120")], "120"), (vec![number("0.5")], "0.5")] {
            assert_eq!(shown(&SECONDS, &arguments), expected, "{arguments:?}");
        }
    }
}
