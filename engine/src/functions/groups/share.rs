//! The share of the total over all groups.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const SHARE: FunctionSpec = FunctionSpec {
    name: "share",
    aliases: &[],
    family: Family::Groups,
    signature: "share(x)",
    summary: "The value of a group divided by the value over all groups.",
    details: "The same as `x / total(x)`. Shares of additive values add up to 100%, those of \
        averages do not. Null (division_by_zero) if the total is zero.",
    parameters: &[Parameter::required("x", ParameterKind::Quantity)],
    examples: &[
        Example { formula: "share(sum(orders.total))", result: "100.0%" },
        Example {
            formula: "share(sum(orders.total where total > 500 USD))",
            result: "null (division_by_zero)",
        },
    ],
    exact: true,
    behaviour: Behaviour::Special(Special::Share),
};
