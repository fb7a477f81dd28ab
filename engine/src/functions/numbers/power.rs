//! Exponentiation.

use crate::functions::arguments::UNFIT;
use crate::functions::spec::{
    Behaviour, Environment, Example, Family, FunctionSpec, Parameter, ParameterKind,
};
use crate::number;
use crate::types::Value;

pub(crate) const POWER: FunctionSpec = FunctionSpec {
    name: "power",
    aliases: &[],
    family: Family::Numbers,
    signature: "power(base, exponent)",
    summary: "A plain number to the power of another.",
    details: "The same as `base ^ exponent`. Integer exponents are exact while they fit. A \
        fractional power of a negative base is null (domain), and a negative power of zero is null \
        (division_by_zero). Like `POWER` in spreadsheets and SQL.",
    parameters: &[
        Parameter::required("base", ParameterKind::Number),
        Parameter::required("exponent", ParameterKind::Number),
    ],
    examples: &[
        Example { formula: "power(2, 5)", result: "32" },
        Example { formula: "power(2, -1)", result: "0.5" },
        Example { formula: "power(-8, 0.5)", result: "null (domain)" },
    ],
    exact: false,
    behaviour: Behaviour::number(call),
};

fn call(arguments: &[Value], _: &Environment<'_>) -> Value {
    let [Value::Number(base), Value::Number(exponent)] = arguments else { return UNFIT };
    number::power(*base, *exponent).into()
}

#[cfg(test)]
mod tests {
    use super::POWER;
    use crate::functions::testing::{number, shown};

    #[test]
    fn whole_exponents_are_exact() {
        for (arguments, expected) in [
            (vec![number("2"), number("5")], "32"),
            (vec![number("1.1"), number("2")], "1.21"),
            (vec![number("2"), number("-1")], "0.5"),
            (vec![number("-8"), number("0.5")], "null (domain)"),
        ] {
            assert_eq!(shown(&POWER, &arguments), expected, "{arguments:?}");
        }
    }
}
