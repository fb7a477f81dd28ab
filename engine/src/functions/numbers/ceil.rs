//! Rounding up.

use super::round::rounded;
use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::functions::units;
use crate::number::Rounding;

pub(crate) const CEIL: FunctionSpec = FunctionSpec {
    name: "ceil",
    aliases: &[],
    family: Family::Numbers,
    signature: "ceil(x, digits = 0)",
    summary: "The smallest value with the given digits that is not below the argument.",
    details: "Rounds up, so negative numbers towards zero: the ceiling of -2.5 is -2. Like `CEIL` \
        in SQL; `CEILING` in spreadsheets takes a multiple as the second argument; here it is \
        digits. Negative digits round to tens, hundreds and so on. A percentage is rounded as its \
        fraction: `ceil(12.34%, 3)` keeps one digit of the percent; a duration is rounded in \
        seconds.",
    parameters: &[
        Parameter::required("x", ParameterKind::Quantity),
        Parameter::optional("digits", ParameterKind::Number, DefaultValue::Number(0)),
    ],
    examples: &[
        Example { formula: "ceil(2.1)", result: "3" },
        Example { formula: "ceil(-2.5)", result: "-2" },
        Example { formula: "ceil(12.341, 2)", result: "12.35" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(units::OF_FIRST, |given, _| rounded(given, Rounding::Ceiling)),
};

#[cfg(test)]
mod tests {
    use super::CEIL;
    use crate::functions::testing::{number, shown};

    #[test]
    fn up_is_towards_zero_below_it() {
        for (arguments, expected) in [
            (vec![number("2.1"), number("0")], "3"),
            (vec![number("-2.5"), number("0")], "-2"),
            (vec![number("101"), number("-2")], "200"),
        ] {
            assert_eq!(shown(&CEIL, &arguments), expected, "{arguments:?}");
        }
    }
}
