//! The mean.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const AVG: FunctionSpec = FunctionSpec {
    name: "avg",
    aliases: &["average"],
    family: Family::Aggregates,
    signature: "avg(x)",
    summary: "The mean of a quantity over the rows of the period, or of its values for each key.",
    details: "Rows where the value is null are skipped; they do not count as zero. Over no rows \
        the mean is null (no_rows), not a division by zero. `avg(x per day)` is the mean of one \
        value for each day of the period, and days without rows count as 0 if the value is \
        additive. The quotient has 28 decimal places, rounded half to even. Like `AVG` in SQL and \
        `AVERAGE` in spreadsheets.",
    parameters: &[Parameter::required("x", ParameterKind::Quantity)],
    examples: &[
        Example { formula: "avg(orders.total)", result: "$66.67" },
        Example { formula: "avg(sum(orders.total) per day)", result: "$7.14" },
        Example { formula: "avg(orders.total where total > 500 USD)", result: "null (no_rows)" },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::Average),
};
