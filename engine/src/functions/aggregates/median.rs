//! The middle value.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const MEDIAN: FunctionSpec = FunctionSpec {
    name: "median",
    aliases: &[],
    family: Family::Aggregates,
    signature: "median(x)",
    summary: "The middle of the sorted values, or the mean of the two middle ones.",
    details: "The percentile at 50%. Null values are skipped; over no values the result is null \
        (no_rows). Exact, like `MEDIAN` in spreadsheets, never an estimate.",
    parameters: &[Parameter::required("x", ParameterKind::Quantity)],
    examples: &[
        Example { formula: "median(orders.total)", result: "$80.00" },
        Example { formula: "median(orders.total where status != 'cancelled')", result: "$90.00" },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::Percentile),
};
