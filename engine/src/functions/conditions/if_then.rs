//! Conditional values.

use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const IF: FunctionSpec = FunctionSpec {
    name: "if",
    aliases: &[],
    family: Family::Conditions,
    signature: "if(condition, then, otherwise)",
    summary: "One value if a condition holds, another if not.",
    details: "Only the chosen value is computed, so `if(n = 0, 0, x / n)` is safe. A condition on \
        a null does not hold. Without the last argument, the result of a false condition is null \
        (no_branch). Both values have the same unit. Like `IF` in spreadsheets and `CASE` in SQL.",
    parameters: &[
        Parameter::required("condition", ParameterKind::Bool),
        Parameter::required("then", ParameterKind::Any),
        Parameter::optional("otherwise", ParameterKind::Any, DefaultValue::Nothing),
    ],
    examples: &[
        Example { formula: "if(count(orders) > 2, 'busy', 'quiet')", result: "busy" },
        Example { formula: "if(1 > 2, 10)", result: "null (no_branch)" },
    ],
    exact: true,
    behaviour: Behaviour::Special(Special::If),
};
