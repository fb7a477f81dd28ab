//! The running total.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const RUNNING: FunctionSpec = FunctionSpec {
    name: "running",
    aliases: &[],
    family: Family::Windows,
    signature: "running(x)",
    summary: "The formula from the start of the whole request to the end of each of its buckets.",
    details: "With one value for each day of a month, the value of a day covers the month up to \
        that day. Without a grouping by time it is the formula itself. Aggregated anew and \
        not added up, so counts of different customers are right.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "running(sum(orders.total))", result: "$200.00" },
        Example { formula: "running(count(orders))", result: "3" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Running),
};
