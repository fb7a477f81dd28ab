//! The period of the whole request.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const OVERALL: FunctionSpec = FunctionSpec {
    name: "overall",
    aliases: &[],
    family: Family::Windows,
    signature: "overall(x)",
    summary: "The formula over the period of the whole request, in each of its buckets.",
    details: "For buckets what `total` is for groups: `x / overall(x)` is the share of a bucket. \
        It is computed from all rows, so it is correct for averages and distinct counts too. If \
        the request is not split by time, it is the formula itself.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "overall(sum(orders.total))", result: "$200.00" },
        Example { formula: "count(orders) / overall(count(orders))", result: "100.0%" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Overall),
};
