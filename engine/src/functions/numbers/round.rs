//! Rounding to a number of digits.

use crate::functions::arguments::{UNFIT, whole};
use crate::functions::spec::{
    Behaviour, DefaultValue, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::functions::units;
use crate::number::{self, Rounding};
use crate::types::Value;

pub(crate) const ROUND: FunctionSpec = FunctionSpec {
    name: "round",
    aliases: &[],
    family: Family::Numbers,
    signature: "round(x, digits = 0, mode: half_up)",
    summary: "The value rounded to digits after the point, in the same unit.",
    details: "Ties round away from zero, like `ROUND` in spreadsheets and numeric columns in \
        PostgreSQL. Other modes are half_even, floor, ceiling and truncate. Negative digits round \
        to tens, hundreds and so on. A percentage is rounded as its fraction: `round(12.34%, 3)` \
        keeps one digit of the percent; a duration is rounded in seconds. A non-integer number of \
        digits makes the result null (domain).",
    parameters: &[
        Parameter::required("x", ParameterKind::Quantity),
        Parameter::optional("digits", ParameterKind::Number, DefaultValue::Number(0)),
        Parameter::optional(
            "mode",
            ParameterKind::Word(&["half_up", "half_even", "floor", "ceiling", "truncate"]),
            DefaultValue::Word("half_up"),
        ),
    ],
    examples: &[
        Example { formula: "round(2.345, 2)", result: "2.35" },
        Example { formula: "round(-2.5)", result: "-3" },
        Example { formula: "round(2.5, mode: half_even)", result: "2" },
        Example { formula: "round(1234 USD, -2)", result: "$1,200.00" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(units::OF_FIRST, call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [number_and_digits @ .., Value::Text(mode)] = arguments else { return UNFIT };
    Rounding::from_name(mode).map_or(UNFIT, |mode| rounded(number_and_digits, mode))
}

/// Rounds the first argument to the digits in the second; null (domain) where those are not whole.
pub(super) fn rounded(arguments: &[Value], mode: Rounding) -> Value {
    let [Value::Number(x), Value::Number(digits)] = arguments else { return UNFIT };
    whole(*digits).map_or(UNFIT, |digits| number::round(*x, digits, mode).into())
}

#[cfg(test)]
mod tests {
    use super::ROUND;
    use crate::functions::testing::{number, shown, word};

    #[test]
    fn ties_follow_the_mode() {
        for (arguments, expected) in [
            (vec![number("2.345"), number("2"), word("half_up")], "2.35"),
            (vec![number("-2.5"), number("0"), word("half_up")], "-3"),
            (vec![number("2.5"), number("0"), word("half_even")], "2"),
            (vec![number("-2.1"), number("0"), word("floor")], "-3"),
            (vec![number("2.1"), number("0"), word("ceiling")], "3"),
            (vec![number("-2.9"), number("0"), word("truncate")], "-2"),
            (vec![number("1250"), number("-2"), word("half_up")], "1300"),
            (vec![number("1.5"), number("0.5"), word("half_up")], "null (domain)"),
        ] {
            assert_eq!(shown(&ROUND, &arguments), expected, "{arguments:?}");
        }
    }
}
