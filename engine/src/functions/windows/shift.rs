//! The period shifted by a span.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const SHIFT: FunctionSpec = FunctionSpec {
    name: "shift",
    aliases: &[],
    family: Family::Windows,
    signature: "shift(x, span)",
    summary: "The formula in the period shifted by a calendar step; negative steps go back.",
    details: "Both ends move by the step; a day that does not exist becomes the last of its month. \
        `52 weeks` keeps weekdays, `1 year` keeps dates; in a retail calendar, a year back is the \
        same weeks of the previous retail year.",
    parameters: &[
        Parameter::required("x", ParameterKind::Any),
        Parameter::required("span", ParameterKind::Span),
    ],
    examples: &[
        Example { formula: "shift(sum(orders.total), -1 month)", result: "$100.00" },
        Example { formula: "shift(count(orders), -4 weeks)", result: "2" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Shift),
};
