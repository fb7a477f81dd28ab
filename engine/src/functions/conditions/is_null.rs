//! A test for null.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const IS_NULL: FunctionSpec = FunctionSpec {
    name: "is_null",
    aliases: &[],
    family: Family::Conditions,
    signature: "is_null(x)",
    summary: "True if the value is null, for any reason.",
    details: "The same as `x is null`. The result is never null. Like `ISBLANK` in spreadsheets.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "is_null(1 / 0)", result: "true" },
        Example { formula: "is_null(0)", result: "false" },
    ],
    exact: true,
    behaviour: Behaviour::Special(Special::IsNull),
};
