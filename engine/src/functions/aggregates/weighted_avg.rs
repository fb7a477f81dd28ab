//! The weighted mean.

use crate::functions::spec::{Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind};

pub(crate) const WEIGHTED_AVG: FunctionSpec = FunctionSpec {
    name: "weighted_avg",
    aliases: &["weighted_average", "weighted_mean"],
    family: Family::Aggregates,
    signature: "weighted_avg(x, weight)",
    summary: "The weighted mean: the mean of `x`, in which each value has a weight.",
    details: "The sum of `x` times the weight, divided by the sum of the weights, over the rows \
        where both have a value. Null (no_rows) if there are none, and null (division_by_zero) \
        if the weights add up to zero. `where`, `per` and `dated by` apply to both, after either \
        argument; `per` has to be after the weight. The weight is a plain number, a count or a \
        duration; it can be money if `x` is not. The same as `SUMPRODUCT(x, w) / SUM(w)` in \
        spreadsheets without empty cells.",
    parameters: &[
        Parameter::required("x", ParameterKind::Quantity),
        Parameter::required("weight", ParameterKind::Quantity),
    ],
    examples: &[
        Example {
            formula: "weighted_avg(orders.total, days_between(created_at, @2026-03-01))",
            result: "$68.30",
        },
        Example {
            formula: "weighted_avg(avg(orders.total), count(orders) per country)",
            result: "$66.67",
        },
        Example { formula: "weighted_avg(orders.total, 0)", result: "null (division_by_zero)" },
        Example {
            formula: "weighted_avg(orders.total where total > 500 USD, 1)",
            result: "null (no_rows)",
        },
    ],
    exact: true,
    behaviour: Behaviour::WeightedAverage,
};
