//! The remainder.

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::functions::units;
use crate::number;
use crate::types::Value;

pub(crate) const MOD: FunctionSpec = FunctionSpec {
    name: "mod",
    aliases: &[],
    family: Family::Numbers,
    signature: "mod(a, b)",
    summary: "The remainder of a division, with the sign of the divisor.",
    details: "Like `MOD` in spreadsheets: `mod(-7, 3)` is 2; in SQL it would be -1. Both arguments \
        and the result have the same unit. A divisor of zero makes the result null \
        (division_by_zero). `a` is always `b * div(a, b) + mod(a, b)`.",
    parameters: &[
        Parameter::required("a", ParameterKind::Quantity),
        Parameter::required("b", ParameterKind::Quantity),
    ],
    examples: &[
        Example { formula: "mod(7, 3)", result: "1" },
        Example { formula: "mod(-7, 3)", result: "2" },
        Example { formula: "mod(100 USD, 30 USD)", result: "$10.00" },
        Example { formula: "mod(1, 0)", result: "null (division_by_zero)" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(units::same_unit, call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Number(a), Value::Number(b)] = arguments else { return UNFIT };
    number::remainder(*a, *b).into()
}

#[cfg(test)]
mod tests {
    use super::MOD;
    use crate::functions::testing::{number, shown};

    #[test]
    fn the_sign_is_that_of_the_divisor() {
        for (arguments, expected) in [
            (vec![number("7"), number("3")], "1"),
            (vec![number("-7"), number("3")], "2"),
            (vec![number("7"), number("-3")], "-2"),
            (vec![number("5.5"), number("2")], "1.5"),
            (vec![number("1"), number("0")], "null (division_by_zero)"),
        ] {
            assert_eq!(shown(&MOD, &arguments), expected, "{arguments:?}");
        }
    }
}
