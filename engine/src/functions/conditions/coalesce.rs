//! The first non-null value.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const COALESCE: FunctionSpec = FunctionSpec {
    name: "coalesce",
    aliases: &[],
    family: Family::Conditions,
    signature: "coalesce(a, b, …)",
    summary: "The first argument that is not null.",
    details: "Nulls are skipped for any reason, including a division by zero. If all arguments are \
        null, the result is the last one. All arguments have the same unit. Like `COALESCE` in \
        SQL; with two arguments the same as `a default b`.",
    parameters: &[
        Parameter::required("a", ParameterKind::Any),
        Parameter::repeated("b", ParameterKind::Any),
    ],
    examples: &[
        Example { formula: "coalesce(null, 3)", result: "3" },
        Example { formula: "coalesce(1 / 0, null, 7)", result: "7" },
    ],
    exact: true,
    behaviour: Behaviour::Special(Special::Coalesce),
};
