//! The latest value.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const LAST: FunctionSpec = FunctionSpec {
    name: "last",
    aliases: &[],
    family: Family::Aggregates,
    signature: "last(field)",
    summary: "The value of the latest row, by the date of its source.",
    details: "Rows of the same instant are ordered by their key. Null values are skipped, so this \
        is the latest known value; over no values the result is null (no_rows).",
    parameters: &[Parameter::required("field", ParameterKind::Any)],
    examples: &[
        Example { formula: "last(orders.total)", result: "$80.00" },
        Example { formula: "last(orders.status)", result: "pending" },
        Example { formula: "last(orders.country where status != 'pending')", result: "DE" },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::Last),
};
