//! The square root.

use crate::functions::arguments::of_number;
use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind};
use crate::number;

pub(crate) const SQRT: FunctionSpec = FunctionSpec {
    name: "sqrt",
    aliases: &[],
    family: Family::Numbers,
    signature: "sqrt(x)",
    summary: "The square root of a plain number.",
    details: "The root of a negative number is null (domain). Correct to 28 digits. The root of a \
        square is exact, but is also marked as not exact. Like `SQRT` in spreadsheets and SQL.",
    parameters: &[Parameter::required("x", ParameterKind::Number)],
    examples: &[
        Example { formula: "sqrt(16)", result: "4" },
        Example { formula: "sqrt(-1)", result: "null (domain)" },
    ],
    exact: false,
    behaviour: Behaviour::number(|given, _| of_number(given, number::sqrt)),
};

#[cfg(test)]
mod tests {
    use super::SQRT;
    use crate::functions::testing::{number, shown};

    #[test]
    fn squares_have_whole_roots() {
        for (arguments, expected) in [
            (vec![number("16")], "4"),
            (vec![number("2.25")], "1.5"),
            (vec![number("0")], "0"),
            (vec![number("-1")], "null (domain)"),
        ] {
            assert_eq!(shown(&SQRT, &arguments), expected, "{arguments:?}");
        }
    }
}
