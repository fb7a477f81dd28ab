//! The same dates a month earlier.

use crate::calendar::TimeUnit;
use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const LAST_MONTH: FunctionSpec = FunctionSpec {
    name: "last_month",
    aliases: &[],
    family: Family::Windows,
    signature: "last_month(x)",
    summary: "The formula for the same dates one month earlier.",
    details: "Both ends of the period move back by one month. A day that the earlier month does \
        not have becomes its last day. As in spreadsheets and DAX, the period moves and the rows \
        do not.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "last_month(sum(orders.total))", result: "$100.00" },
        Example { formula: "last_month(count(orders))", result: "2" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Last(TimeUnit::Month)),
};
