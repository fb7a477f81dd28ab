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
    summary: "The formula in the same dates one week earlier.",
    details: "Both ends of the period move back by one week. Seven calendar days, so each weekday \
        meets itself. As comparisons in spreadsheets and DAX do it: the period moves, rows \
        stay where they are.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "last_week(sum(orders.total))", result: "$200.00" },
        Example { formula: "last_week(count(orders))", result: "3" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Last(TimeUnit::Week)),
};
