//! The value below which a given share of the values lies.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const PERCENTILE: FunctionSpec = FunctionSpec {
    name: "percentile",
    aliases: &[],
    family: Family::Aggregates,
    signature: "percentile(x, fraction)",
    summary: "The value at a given fraction of the sorted values, interpolated between neighbours.",
    details: "The fraction is a constant between 0 and 1, usually written as a percentage. Exact \
        and interpolated as `PERCENTILE.INC` in spreadsheets and `percentile_cont` in SQL. Null values are skipped; over no values the result is \
        null (no_rows).",
    parameters: &[
        Parameter::required("x", ParameterKind::Quantity),
        Parameter::required("fraction", ParameterKind::Number),
    ],
    examples: &[
        Example { formula: "percentile(orders.total, 90%)", result: "$96.00" },
        Example { formula: "percentile(orders.total, 0%)", result: "$20.00" },
        Example {
            formula: "percentile(orders.total where total > 500 USD, 90%)",
            result: "null (no_rows)",
        },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::Percentile),
};
