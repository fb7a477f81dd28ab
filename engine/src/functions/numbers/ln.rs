//! The natural logarithm.

use crate::functions::arguments::of_number;
use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind};
use crate::number;

pub(crate) const LN: FunctionSpec = FunctionSpec {
    name: "ln",
    aliases: &[],
    family: Family::Numbers,
    signature: "ln(x)",
    summary: "The natural logarithm of a plain number.",
    details: "The result is null (domain) for zero and negative numbers. Inexact. Like `LN` in \
        spreadsheets and SQL.",
    parameters: &[Parameter::required("x", ParameterKind::Number)],
    examples: &[
        Example { formula: "ln(1)", result: "0" },
        Example { formula: "ln(0)", result: "null (domain)" },
    ],
    exact: false,
    behaviour: Behaviour::number(|given, _| of_number(given, number::ln)),
};

#[cfg(test)]
mod tests {
    use super::LN;
    use crate::functions::testing::{number, shown};

    #[test]
    fn zero_has_no_logarithm() {
        for (arguments, expected) in [
            (vec![number("1")], "0"),
            (vec![number("0")], "null (domain)"),
            (vec![number("-1")], "null (domain)"),
        ] {
            assert_eq!(shown(&LN, &arguments), expected, "{arguments:?}");
        }
    }
}
