//! The running total.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const RUNNING: FunctionSpec = FunctionSpec {
    name: "running",
    aliases: &[],
    family: Family::Windows,
    signature: "running(x)",
    summary: "The formula from the start of the request to the end of each bucket.",
    details: "With one value per day of a month, the value of a day covers the month up to that \
        day. Without buckets it is the formula itself. Each value is aggregated from the rows, not \
        added up, so distinct counts are correct.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "running(sum(orders.total))", result: "$200.00" },
        Example { formula: "running(count(orders))", result: "3" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Running),
};
