//! The smallest value.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const MIN: FunctionSpec = FunctionSpec {
    name: "min",
    aliases: &[],
    family: Family::Aggregates,
    signature: "min(x, …)",
    summary: "The smallest value of a field, or the smallest of several arguments.",
    details: "With one argument it is an aggregate over rows, which skips nulls and is null \
        (no_rows) over no rows. With two or more arguments it returns the smallest of them, like \
        `MIN` in spreadsheets and `LEAST` in SQL; a null argument then makes the result null. Dates, instants and texts \
        compare too, texts by code points.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "min(orders.total)", result: "$20.00" },
        Example { formula: "min(orders.created_at)", result: "2026-02-03 09:00:00" },
        Example { formula: "min(orders.country)", result: "DE" },
        Example { formula: "min(4, 2, 3)", result: "2" },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::Minimum),
};
