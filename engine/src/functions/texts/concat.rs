//! Concatenation.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const CONCAT: FunctionSpec = FunctionSpec {
    name: "concat",
    aliases: &[],
    family: Family::Texts,
    signature: "concat(a, b, …)",
    summary: "The texts joined, one after another.",
    details: "The same as `a & b`. Null on either side makes the result null; use `name default \
        ''` to avoid that. Numbers are joined through `text(x)`. A result over 64 KiB is null \
        (overflow).",
    parameters: &[Parameter::repeated("part", ParameterKind::Text)],
    examples: &[Example { formula: "concat('north', '-', 'west')", result: "north-west" }],
    exact: true,
    behaviour: Behaviour::Special(Special::Concat),
};
