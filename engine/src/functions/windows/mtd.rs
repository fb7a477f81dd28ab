//! The month to date.

use crate::calendar::TimeUnit;
use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const MTD: FunctionSpec = FunctionSpec {
    name: "mtd",
    aliases: &[],
    family: Family::Windows,
    signature: "mtd(x)",
    summary: "The formula from the start of the month to the end of the period, or to the present \
        if that is earlier.",
    details: "Short for `to_date(x, month)`. In a retail calendar, months are groups of weeks.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[Example { formula: "mtd(sum(orders.total))", result: "$200.00" }],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::ToDateOf(TimeUnit::Month)),
};
