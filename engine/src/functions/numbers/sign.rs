//! The sign.

use rust_decimal::Decimal;

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::types::Value;

pub(crate) const SIGN: FunctionSpec = FunctionSpec {
    name: "sign",
    aliases: &[],
    family: Family::Numbers,
    signature: "sign(x)",
    summary: "1 for positive numbers, -1 for negative numbers, 0 for zero.",
    details: "The result is a plain number, whatever the unit. Like `SIGN` in spreadsheets and \
        SQL.",
    parameters: &[Parameter::required("x", ParameterKind::Quantity)],
    examples: &[
        Example { formula: "sign(-12.5)", result: "-1" },
        Example { formula: "sign(0)", result: "0" },
    ],
    exact: true,
    behaviour: Behaviour::number(call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Number(x)] = arguments else { return UNFIT };
    let sign = if x.is_zero() {
        Decimal::ZERO
    } else if x.is_sign_negative() {
        Decimal::NEGATIVE_ONE
    } else {
        Decimal::ONE
    };
    Value::Number(sign)
}

#[cfg(test)]
mod tests {
    use super::SIGN;
    use crate::functions::testing::{number, shown};

    #[test]
    fn zero_has_no_sign() {
        for (arguments, expected) in
            [(vec![number("-0.00")], "0"), (vec![number("0.01")], "1"), (vec![number("-7")], "-1")]
        {
            assert_eq!(shown(&SIGN, &arguments), expected, "{arguments:?}");
        }
    }
}
