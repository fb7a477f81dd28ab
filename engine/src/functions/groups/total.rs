//! The value over all groups.

use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const TOTAL: FunctionSpec = FunctionSpec {
    name: "total",
    aliases: &[],
    family: Family::Groups,
    signature: "total(x, keep: dimension)",
    summary: "The formula without the grouping, except for the dimension given by `keep`.",
    details: "The value is computed over all rows, so it is also correct for averages and distinct \
        counts. The period and the filters still apply. Without a grouping it is the formula \
        itself.",
    parameters: &[
        Parameter::required("x", ParameterKind::Any),
        Parameter::optional("keep", ParameterKind::Dimension, DefaultValue::Nothing),
    ],
    examples: &[
        Example { formula: "total(sum(orders.total))", result: "$200.00" },
        Example { formula: "total(avg(orders.total))", result: "$66.67" },
    ],
    exact: true,
    behaviour: Behaviour::Special(Special::Total),
};
