//! Rounding down.

use super::round::rounded;
use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::functions::units;
use crate::number::Rounding;

pub(crate) const FLOOR: FunctionSpec = FunctionSpec {
    name: "floor",
    aliases: &[],
    family: Family::Numbers,
    signature: "floor(x, digits = 0)",
    summary: "The largest value with the given digits that is not above the argument.",
    details: "Rounds down, so negative numbers away from zero: the floor of -2.5 is -3. Like \
        `FLOOR` in SQL; spreadsheets take a multiple as the second argument; here it is digits. \
        Negative digits round to tens, hundreds and so on. A percentage is rounded as its \
        fraction: `floor(12.34%, 3)` keeps one digit of the percent; a duration is rounded in \
        seconds.",
    parameters: &[
        Parameter::required("x", ParameterKind::Quantity),
        Parameter::optional("digits", ParameterKind::Number, DefaultValue::Number(0)),
    ],
    examples: &[
        Example { formula: "floor(2.7)", result: "2" },
        Example { formula: "floor(-2.5)", result: "-3" },
        Example { formula: "floor(12.345, 2)", result: "12.34" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(units::OF_FIRST, |given, _| rounded(given, Rounding::Floor)),
};

#[cfg(test)]
mod tests {
    use super::FLOOR;
    use crate::functions::testing::{number, shown};

    #[test]
    fn down_is_away_from_zero_below_it() {
        for (arguments, expected) in [
            (vec![number("2.7"), number("0")], "2"),
            (vec![number("-2.5"), number("0")], "-3"),
            (vec![number("199"), number("-2")], "100"),
        ] {
            assert_eq!(shown(&FLOOR, &arguments), expected, "{arguments:?}");
        }
    }
}
