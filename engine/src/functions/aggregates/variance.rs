//! The variance.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const VARIANCE: FunctionSpec = FunctionSpec {
    name: "variance",
    aliases: &[],
    family: Family::Aggregates,
    signature: "variance(x)",
    summary: "The sample variance, in the square of the unit of the values.",
    details: "The sum of the squared distances from the mean, divided by the number of values \
        minus one, like `VAR` in spreadsheets and `VAR_SAMP` in SQL. `stddev` is its root. \
        Counts give a plain number, ratios a ratio, and durations the square of a time. Money \
        has no square: use `stddev(x)`, or divide by a unit first. Nulls are skipped; with fewer \
        than two values the result is null (no_rows). Rounded once, to 28 digits.",
    parameters: &[Parameter::required("x", ParameterKind::Quantity)],
    examples: &[
        Example { formula: "variance(orders.total / 1 USD)", result: "1,733.33" },
        Example { formula: "variance(count(orders) per week)", result: "0.3" },
        Example {
            formula: "variance(orders.total / 1 USD where status = 'pending')",
            result: "null (no_rows)",
        },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::Variance),
};
