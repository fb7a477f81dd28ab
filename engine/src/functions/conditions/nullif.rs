//! Null in place of a given value.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const NULLIF: FunctionSpec = FunctionSpec {
    name: "nullif",
    aliases: &[],
    family: Family::Conditions,
    signature: "nullif(a, b)",
    summary: "Null if both arguments are equal, else the first.",
    details: "The null has the reason `null`: it was asked for. If either is null the result is \
        the first. As `NULLIF` in SQL; dividing by zero needs no such guard here.",
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
