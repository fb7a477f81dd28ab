//! The same dates a year earlier.

use crate::calendar::TimeUnit;
use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const LAST_YEAR: FunctionSpec = FunctionSpec {
    name: "last_year",
    aliases: &[],
    family: Family::Windows,
    signature: "last_year(x)",
    summary: "The formula for the same dates one year earlier.",
    details: "Both ends of the period move back by one year. 29 February becomes 28 February. To \
        keep the weekdays, use `shift(x, -52 weeks)`. As in spreadsheets and DAX, the period moves \
        and the rows do not.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "last_year(sum(orders.total))", result: "$0.00" },
        Example { formula: "last_year(avg(orders.total))", result: "null (no_rows)" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::Last(TimeUnit::Year)),
};
