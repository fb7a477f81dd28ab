//! A division with a default.

use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const SAFE_DIV: FunctionSpec = FunctionSpec {
    name: "safe_div",
    aliases: &[],
    family: Family::Conditions,
    signature: "safe_div(a, b, otherwise)",
    summary: "The quotient of the first two arguments, or the third if the quotient is null.",
    details: "Short for `a / b default otherwise`: the default replaces every null, not only a \
        division by zero. Without the third argument it is `a / b`, which is never an error, like \
        `SAFE_DIVIDE` in BigQuery.",
    parameters: &[
        Parameter::required("a", ParameterKind::Quantity),
        Parameter::required("b", ParameterKind::Quantity),
        Parameter::optional("otherwise", ParameterKind::Quantity, DefaultValue::Nothing),
    ],
    examples: &[
        Example { formula: "safe_div(6, 3, 0)", result: "2" },
        Example { formula: "safe_div(6, 0, 1)", result: "1" },
        Example { formula: "safe_div(6, 0)", result: "null (division_by_zero)" },
    ],
    exact: true,
    behaviour: Behaviour::Special(Special::SafeDivide),
};
