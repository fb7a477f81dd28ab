//! The state at the end.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const CLOSING: FunctionSpec = FunctionSpec {
    name: "closing",
    aliases: &[],
    family: Family::Windows,
    signature: "closing(x)",
    summary: "The formula over the last snapshot that the period has reached.",
    details: "For snapshot sources such as stock levels: the rows of the last day before the end \
        of the period, or before the present if that is earlier. For events: everything up to that \
        time.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[Example { formula: "closing(sum(inventory.on_hand))", result: "5" }],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Closing),
};
