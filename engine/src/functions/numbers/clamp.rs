//! A value limited to a range.

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::functions::units;
use crate::types::Value;

pub(crate) const CLAMP: FunctionSpec = FunctionSpec {
    name: "clamp",
    aliases: &[],
    family: Family::Numbers,
    signature: "clamp(x, low, high)",
    summary: "The value limited to a range.",
    details: "All three arguments have the same unit. A low bound above the high one makes the \
        result null (domain). The same as `max(low, min(x, high))`.",
    parameters: &[
        Parameter::required("x", ParameterKind::Quantity),
        Parameter::required("low", ParameterKind::Quantity),
        Parameter::required("high", ParameterKind::Quantity),
    ],
    examples: &[
        Example { formula: "clamp(12, 0, 10)", result: "10" },
        Example { formula: "clamp(5, 0, 10)", result: "5" },
        Example { formula: "clamp(1, 10, 0)", result: "null (domain)" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(units::same_unit, call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Number(x), Value::Number(low), Value::Number(high)] = arguments else {
        return UNFIT;
    };
    if low > high {
        return UNFIT;
    }
    Value::Number(*x.max(low).min(high))
}

#[cfg(test)]
mod tests {
    use super::CLAMP;
    use crate::functions::testing::{number, shown};

    #[test]
    fn bounds_belong_to_the_range() {
        for (arguments, expected) in [
            (vec![number("12"), number("0"), number("10")], "10"),
            (vec![number("-1"), number("0"), number("10")], "0"),
            (vec![number("10"), number("0"), number("10")], "10"),
            (vec![number("1"), number("10"), number("0")], "null (domain)"),
        ] {
            assert_eq!(shown(&CLAMP, &arguments), expected, "{arguments:?}");
        }
    }
}
