//! A fixed period.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const DURING: FunctionSpec = FunctionSpec {
    name: "during",
    aliases: &[],
    family: Family::Windows,
    signature: "during(x, period)",
    summary: "The formula in a fixed period, independent of the requested one.",
    details: "Years and quarters are fiscal if the calendar is, and months are those of the \
        calendar. A week such as `@2026-W05` is one of ISO 8601, from Monday to Sunday, in every \
        calendar. A future part of the period does not count yet.",
    parameters: &[
        Parameter::required("x", ParameterKind::Any),
        Parameter::required("period", ParameterKind::Period),
    ],
    examples: &[
        Example { formula: "during(sum(orders.total), @2026-01)", result: "$100.00" },
        Example { formula: "during(count(orders), @2026-Q1)", result: "5" },
        Example { formula: "during(count(orders), @2026-02-21)", result: "1" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::During),
};
