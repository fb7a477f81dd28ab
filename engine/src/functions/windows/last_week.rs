//! The same dates a week earlier.

use crate::calendar::TimeUnit;
use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const LAST_WEEK: FunctionSpec = FunctionSpec {
    name: "last_week",
    aliases: &[],
    family: Family::Windows,
    signature: "last_week(x)",
    summary: "The formula for the same dates one week earlier.",
    details: "Both ends of the period move back by one week. This is seven calendar days, so \
        weekdays match. As in spreadsheets and DAX, the period moves and the rows do not.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "last_week(sum(orders.total))", result: "$200.00" },
        Example { formula: "last_week(count(orders))", result: "3" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Last(TimeUnit::Week)),
};
