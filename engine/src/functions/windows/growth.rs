//! Relative change.

use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const GROWTH: FunctionSpec = FunctionSpec {
    name: "growth",
    aliases: &[],
    family: Family::Windows,
    signature: "growth(x, cmp)",
    summary: "The change since an earlier period, as a fraction of the earlier value.",
    details: "The comparison is with the previous period, or `last_week`, `last_month`, \
        `last_year`, or a step back such as `52 weeks`. The result is null (division_by_zero) from \
        zero, and null (not_comparable) from a negative value, of which a percentage would be \
        misleading. An incomplete period is compared with the same part of the earlier one.",
    parameters: &[
        Parameter::required("x", ParameterKind::Any),
        Parameter::optional("cmp", ParameterKind::Span, DefaultValue::Word("previous")),
    ],
    examples: &[
        Example { formula: "growth(sum(orders.total))", result: "100.0%" },
        Example { formula: "growth(count(orders), last_month)", result: "50.0%" },
        Example { formula: "growth(sum(orders.total), 4 weeks)", result: "100.0%" },
        Example {
            formula: "growth(sum(orders.total), last_year)",
            result: "null (division_by_zero)",
        },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Growth),
};
