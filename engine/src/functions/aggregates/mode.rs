//! The most frequent value.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const MODE: FunctionSpec = FunctionSpec {
    name: "mode",
    aliases: &[],
    family: Family::Aggregates,
    signature: "mode(x)",
    summary: "The most frequent value, or the smallest of several that are equally frequent.",
    details: "Works on texts, dates and conditions as well as on numbers. Texts differ by case \
        and are ordered by code points. Nulls are skipped; without values the result is null \
        (no_rows). Like `MODE` in spreadsheets, which give an error if no value occurs twice, \
        and `mode()` in PostgreSQL, which does not define its result for ties.",
    parameters: &[Parameter::required("x", ParameterKind::Any)],
    examples: &[
        Example { formula: "mode(orders.country)", result: "DE" },
        Example { formula: "mode(orders.total)", result: "$20.00" },
        Example { formula: "mode(orders.country where status = 'pending')", result: "FR" },
        Example { formula: "mode(orders.total where total > 500 USD)", result: "null (no_rows)" },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::Mode),
};
