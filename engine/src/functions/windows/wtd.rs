//! The week to date.

use crate::calendar::TimeUnit;
use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const WTD: FunctionSpec = FunctionSpec {
    name: "wtd",
    aliases: &[],
    family: Family::Windows,
    signature: "wtd(x)",
    summary: "The formula from the start of the week to the end of the period, or to the present \
        if that is earlier.",
    details: "Short for `to_date(x, week)`. The week starts on the first weekday of the calendar.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[Example { formula: "wtd(sum(orders.total))", result: "$0.00" }],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::ToDateOf(TimeUnit::Week)),
};
