//! Truncation to a number of digits.

use super::round::rounded;
use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::functions::units;
use crate::number::Rounding;

pub(crate) const TRUNC: FunctionSpec = FunctionSpec {
    name: "trunc",
    aliases: &[],
    family: Family::Numbers,
    signature: "trunc(x, digits = 0)",
    summary: "The value truncated to a number of digits.",
    details: "Rounds towards zero, as `TRUNC` in spreadsheets and SQL. Negative digits round to \
        tens, hundreds and so on. A percentage is rounded as its fraction: `trunc(12.34%, \
        3)` keeps one digit of the percent; a duration is rounded in seconds.",
    parameters: &[
        Parameter::required("x", ParameterKind::Quantity),
        Parameter::optional("digits", ParameterKind::Number, DefaultValue::Number(0)),
    ],
    examples: &[
        Example { formula: "trunc(2.7)", result: "2" },
        Example { formula: "trunc(-2.7)", result: "-2" },
        Example { formula: "trunc(12.349, 2)", result: "12.34" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(units::OF_FIRST, |given, _| rounded(given, Rounding::Truncate)),
};

#[cfg(test)]
mod tests {
    use super::TRUNC;
    use crate::functions::testing::{number, shown};

    #[test]
    fn both_sides_go_towards_zero() {
        for (arguments, expected) in [
            (vec![number("2.7"), number("0")], "2"),
            (vec![number("-2.7"), number("0")], "-2"),
            (vec![number("-199"), number("-2")], "-100"),
        ] {
            assert_eq!(shown(&TRUNC, &arguments), expected, "{arguments:?}");
        }
    }
}
