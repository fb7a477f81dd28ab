//! The exponential function.

use crate::functions::arguments::of_number;
use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind};
use crate::number;

pub(crate) const EXP: FunctionSpec = FunctionSpec {
    name: "exp",
    aliases: &[],
    family: Family::Numbers,
    signature: "exp(x)",
    summary: "The exponential function of a plain number.",
    details: "The result is null (overflow) beyond 28 digits, and 0 below 28 decimal places. \
        Inexact. Like `EXP` in spreadsheets and SQL.",
    parameters: &[Parameter::required("x", ParameterKind::Number)],
    examples: &[
        Example { formula: "exp(0)", result: "1" },
        Example { formula: "exp(1000)", result: "null (overflow)" },
    ],
    exact: false,
    behaviour: Behaviour::number(|given, _| of_number(given, number::exp)),
};

#[cfg(test)]
mod tests {
    use super::EXP;
    use crate::functions::testing::{number, shown};

    #[test]
    fn a_result_of_more_than_28_digits_is_null() {
        for (arguments, expected) in
            [(vec![number("0")], "1"), (vec![number("1000")], "null (overflow)")]
        {
            assert_eq!(shown(&EXP, &arguments), expected, "{arguments:?}");
        }
    }
}
