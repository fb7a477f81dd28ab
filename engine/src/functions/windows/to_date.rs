//! The period from the start of a unit to date.

use crate::functions::spec::{
    Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind, WindowForm,
};

pub(crate) const TO_DATE: FunctionSpec = FunctionSpec {
    name: "to_date",
    aliases: &[],
    family: Family::Windows,
    signature: "to_date(x, unit)",
    summary: "The formula from the start of a calendar unit to the end of the period, or to the \
        present if that is earlier.",
    details: "The unit is the one that contains the last moment of the period. Weeks start on the \
        first weekday of the calendar, and quarters and years are fiscal if the calendar is. Like \
        `TOTALYTD` and similar functions in DAX.",
    parameters: &[
        Parameter::required("x", ParameterKind::Any),
        Parameter::required("unit", ParameterKind::Unit),
    ],
    examples: &[
        Example { formula: "to_date(sum(orders.total), month)", result: "$200.00" },
        Example { formula: "to_date(sum(orders.total), quarter)", result: "$300.00" },
    ],
    exact: true,
    behaviour: Behaviour::Window(WindowForm::ToDate),
};
