//! The moving average of buckets.

use crate::functions::spec::{
    Behaviour, BucketForm, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const MOVING_AVG: FunctionSpec = FunctionSpec {
    name: "moving_avg",
    aliases: &["moving_average"],
    family: Family::Windows,
    signature: "moving_avg(x, n)",
    summary: "The mean of the values of the last `n` buckets of the request, including the \
        current one.",
    details: "Each bucket has the same weight, whatever its length; `trailing` instead computes \
        one value from the rows of a span of time. The first buckets have fewer before them and \
        are the mean of those. Nulls are skipped; if all values are null, the result is the null \
        of the current bucket. Each group has its own series. Like `AVG(x) OVER (ROWS BETWEEN n \
        - 1 PRECEDING AND CURRENT ROW)` in SQL.",
    parameters: &[
        Parameter::required("x", ParameterKind::Quantity),
        Parameter::required("n", ParameterKind::Number),
    ],
    examples: &[
        Example { formula: "moving_avg(sum(orders.total), 3)", result: "$200.00" },
        Example {
            formula: "moving_avg(avg(orders.total where total > 500 USD), 3)",
            result: "null (no_rows)",
        },
    ],
    exact: true,
    behaviour: Behaviour::Buckets(BucketForm::MovingAverage),
};
