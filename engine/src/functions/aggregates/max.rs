//! The largest value.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const MAX: FunctionSpec = FunctionSpec {
    name: "max",
    aliases: &[],
    family: Family::Aggregates,
    signature: "max(x, …)",
    summary: "The largest value of a field, or the largest of several arguments.",
    details: "With one argument it is an aggregate over rows, which skips nulls and is null \
        (no_rows) over no rows. With two or more arguments it returns the largest of them, like \
        `MAX` in spreadsheets and `GREATEST` in SQL; a null argument then makes the result null. Dates, instants and texts \
        compare too, texts by code points.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "max(orders.total)", result: "$100.00" },
        Example { formula: "max(orders.created_at)", result: "2026-02-21 18:30:00" },
        Example { formula: "max(orders.country)", result: "FR" },
        Example { formula: "max(sum(orders.total), 500 USD)", result: "$500.00" },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::Maximum),
};
