//! The standard deviation.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const STDDEV: FunctionSpec = FunctionSpec {
    name: "stddev",
    aliases: &[],
    family: Family::Aggregates,
    signature: "stddev(x)",
    summary: "The sample standard deviation, in the unit of the values.",
    details: "Divides by the number of values minus one, like `STDEV` in spreadsheets and \
        `STDDEV_SAMP` in SQL; for a whole population use `stddev_pop`. Null values are skipped; \
        over fewer than two values the result is null (no_rows). The root makes the result \
        inexact.",
    parameters: &[Parameter::required("x", ParameterKind::Quantity)],
    examples: &[
        Example { formula: "stddev(orders.total)", result: "$41.63" },
        Example {
            formula: "stddev(orders.total where status = 'pending')",
            result: "null (no_rows)",
        },
    ],
    exact: false,
    behaviour: Behaviour::Aggregate(AggregateFunction::StandardDeviation),
};
