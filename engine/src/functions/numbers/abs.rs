//! The absolute value.

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::functions::units;
use crate::types::Value;

pub(crate) const ABS: FunctionSpec = FunctionSpec {
    name: "abs",
    aliases: &[],
    family: Family::Numbers,
    signature: "abs(x)",
    summary: "The value without its sign, in the same unit.",
    details: "As `ABS` in spreadsheets and SQL. A null argument makes the result null.",
    parameters: &[Parameter::required("x", ParameterKind::Quantity)],
    examples: &[
        Example { formula: "abs(-4)", result: "4" },
        Example { formula: "abs(-5 USD)", result: "$5.00" },
    ],
    exact: true,
    behaviour: Behaviour::scalar(units::OF_FIRST, call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Number(x)] = arguments else { return UNFIT };
    Value::Number(x.abs())
}

#[cfg(test)]
mod tests {
    use super::ABS;
    use crate::functions::testing::{number, shown};

    #[test]
    fn only_the_sign_is_removed() {
        for (arguments, expected) in
            [(vec![number("-4.50")], "4.5"), (vec![number("0")], "0"), (vec![number("3")], "3")]
        {
            assert_eq!(shown(&ABS, &arguments), expected, "{arguments:?}");
        }
    }
}
