//! The quarter to date.

use crate::calendar::TimeUnit;
use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const QTD: FunctionSpec = FunctionSpec {
    name: "qtd",
    aliases: &[],
    family: Family::Windows,
    signature: "qtd(x)",
    summary: "The formula from the start of the quarter to the end of the period, or to the \
        present if that is earlier.",
    details: "Short for `to_date(x, quarter)`. Quarters are fiscal if the calendar is.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[Example { formula: "qtd(sum(orders.total))", result: "$300.00" }],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::ToDateOf(TimeUnit::Quarter)),
};
