//! A trailing period.

use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const TRAILING: FunctionSpec = FunctionSpec {
    name: "trailing",
    aliases: &[],
    family: Family::Windows,
    signature: "trailing(x, span, exclude: current)",
    summary: "The formula over the span that ends with the period, or at the present if that is \
        earlier.",
    details: "The span includes the current day. `exclude: current` ends the span at the start of \
        the period, for a comparison with the time before it. The rows of the span are aggregated, \
        so a trailing mean is the mean over the span, not a mean of means.",
    parameters: &[
        Parameter::required("x", ParameterKind::Any),
        Parameter::required("span", ParameterKind::Span),
        Parameter::optional(
            "exclude",
            ParameterKind::Word(&["current", "nothing"]),
            DefaultValue::Word("nothing"),
        ),
    ],
    examples: &[
        Example { formula: "trailing(sum(orders.total), 10 days)", result: "$80.00" },
        Example { formula: "trailing(sum(orders.total), 60 days)", result: "$300.00" },
        Example {
            formula: "trailing(sum(orders.total), 14 days, exclude: current)",
            result: "$60.00",
        },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Trailing),
};
