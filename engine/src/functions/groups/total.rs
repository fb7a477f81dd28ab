//! The value over all groups.

use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const TOTAL: FunctionSpec = FunctionSpec {
    name: "total",
    aliases: &[],
    family: Family::Groups,
    signature: "total(x, keep: dimension)",
    summary: "The formula with the grouping removed, but for the dimension that is kept.",
    details: "The value is computed anew over all rows, so it is right for averages and counts of \
        different things too. The period and the filters stay. Without a grouping it is the \
        formula itself.",
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
