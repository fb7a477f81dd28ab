//! A test for impossible operations.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const IS_ERROR: FunctionSpec = FunctionSpec {
    name: "is_error",
    aliases: &[],
    family: Family::Conditions,
    signature: "is_error(x)",
    summary: "True if the value is null because an operation was impossible.",
    details: "A division by zero, an overflow, a missing rate and a value outside the domain of a \
        function are errors. Missing data is not an error: no rows, an empty field, a period \
        without coverage, a missing input. The result is never null. Like `ISERROR` in \
        spreadsheets.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "is_error(1 / 0)", result: "true" },
        Example { formula: "is_error(avg(orders.total where total > 500 USD))", result: "false" },
        Example { formula: "is_error(5)", result: "false" },
    ],
    exact: true,
    behaviour: Behaviour::Special(Special::IsError),
};
