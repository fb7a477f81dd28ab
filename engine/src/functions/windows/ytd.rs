//! The year to date.

use crate::calendar::TimeUnit;
use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const YTD: FunctionSpec = FunctionSpec {
    name: "ytd",
    aliases: &[],
    family: Family::Windows,
    signature: "ytd(x)",
    summary: "The formula from the start of the year to the end of the period, or to the present \
        if that is earlier.",
    details: "Short for `to_date(x, year)`. The year is fiscal if the calendar is.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "ytd(sum(orders.total))", result: "$300.00" },
        Example { formula: "ytd(count(orders))", result: "5" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::ToDateOf(TimeUnit::Year)),
};
