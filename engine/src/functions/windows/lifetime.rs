//! The value over all time so far.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const LIFETIME: FunctionSpec = FunctionSpec {
    name: "lifetime",
    aliases: &[],
    family: Family::Windows,
    signature: "lifetime(x)",
    summary: "The formula from the beginning of the data to the end of the period, or to the \
        present if that is earlier.",
    details: "The value accumulates from period to period. Filters and groups still apply.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "lifetime(sum(orders.total))", result: "$300.00" },
        Example { formula: "lifetime(count_distinct(orders.customer_id))", result: "3" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Lifetime),
};
