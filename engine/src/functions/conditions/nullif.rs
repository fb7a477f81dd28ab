//! Null in place of a given value.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const NULLIF: FunctionSpec = FunctionSpec {
    name: "nullif",
    aliases: &[],
    family: Family::Conditions,
    signature: "nullif(a, b)",
    summary: "Null if both arguments are equal, otherwise the first argument.",
    details: "The null has the reason `null`. If either argument is null, the result is the first \
        argument. Like `NULLIF` in SQL; a division by zero does not need it here.",
    parameters: &[
        Parameter::required("a", ParameterKind::Any),
        Parameter::required("b", ParameterKind::Any),
    ],
    examples: &[
        Example { formula: "nullif(3, 3)", result: "null (null)" },
        Example { formula: "nullif(3, 4)", result: "3" },
    ],
    exact: true,
    behaviour: Behaviour::Special(Special::NullIf),
};
