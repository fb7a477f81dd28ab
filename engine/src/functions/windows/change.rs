//! Absolute change.

use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const CHANGE: FunctionSpec = FunctionSpec {
    name: "change",
    aliases: &[],
    family: Family::Windows,
    signature: "change(x, cmp)",
    summary: "The change since an earlier period, in the unit of the value.",
    details: "The comparison is with the previous period, or `last_week`, `last_month`, \
        `last_year`, or a step back such as `52 weeks`. An incomplete period is compared with the \
        same part of the earlier one. Null on either side makes the result null.",
    parameters: &[
        Parameter::required("x", ParameterKind::Any),
        Parameter::optional("cmp", ParameterKind::Span, DefaultValue::Word("previous")),
    ],
    examples: &[
        Example { formula: "change(sum(orders.total))", result: "$100.00" },
        Example { formula: "change(count(orders), last_month)", result: "1" },
        Example { formula: "change(sum(orders.total), last_year)", result: "$200.00" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Change),
};
