//! The state at the start.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const OPENING: FunctionSpec = FunctionSpec {
    name: "opening",
    aliases: &[],
    family: Family::Windows,
    signature: "opening(x)",
    summary: "The formula over the last snapshot before the period starts.",
    details: "For snapshot sources such as stock levels: the rows of the last day before the \
        start. For events: everything before the start. Null (no_rows) if the source has no \
        earlier snapshot.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "opening(sum(inventory.on_hand))", result: "10" },
        Example {
            formula: "closing(sum(inventory.on_hand)) - opening(sum(inventory.on_hand))",
            result: "-5",
        },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Opening),
};
