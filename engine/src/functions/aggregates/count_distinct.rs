//! The number of distinct values.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const COUNT_DISTINCT: FunctionSpec = FunctionSpec {
    name: "count_distinct",
    aliases: &[],
    family: Family::Aggregates,
    signature: "count_distinct(field)",
    summary: "The number of distinct values of a field.",
    details: "Null does not count as a value. Over no rows the count is 0. A field that links to \
        another source counts the rows of that source: `count_distinct(orders.customer_id)` is a \
        count of customers. Texts are case-sensitive. Amounts in the currencies of their rows are \
        counted in one currency at a time, `where currency = 'EUR'`. Like `COUNT(DISTINCT x)` in SQL.",
    parameters: &[Parameter::required("field", ParameterKind::Any)],
    examples: &[
        Example { formula: "count_distinct(orders.customer_id)", result: "3" },
        Example {
            formula: "count_distinct(orders.customer_id where status != 'cancelled')",
            result: "2",
        },
        Example { formula: "count_distinct(orders.country)", result: "2" },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::CountDistinct),
};
