//! The earliest value.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const FIRST: FunctionSpec = FunctionSpec {
    name: "first",
    aliases: &[],
    family: Family::Aggregates,
    signature: "first(field)",
    summary: "The value of the earliest row, by the date of its source.",
    details: "Rows of the same instant are ordered by their key. Null values are skipped, so this \
        is the earliest known value; over no values the result is null (no_rows).",
    parameters: &[Parameter::required("field", ParameterKind::Any)],
    examples: &[
        Example { formula: "first(orders.total)", result: "$100.00" },
        Example { formula: "first(orders.status)", result: "completed" },
        Example { formula: "first(orders.total where total > 500 USD)", result: "null (no_rows)" },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::First),
};
