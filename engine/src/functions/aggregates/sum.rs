//! The total of a field.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const SUM: FunctionSpec = FunctionSpec {
    name: "sum",
    aliases: &[],
    family: Family::Aggregates,
    signature: "sum(x)",
    summary: "The sum of a quantity over the rows of the period.",
    details: "Rows where the value is null are skipped. Over no rows the sum is 0, in the unit of \
        the field, unlike SQL, where it is null. Sums are exact: they accumulate in 128 bits at \
        one scale. Snapshots are not added over days; see `closing` and `opening`. A list from a \
        context record can be used instead of a field.",
    parameters: &[Parameter::required("x", ParameterKind::Quantity)],
    examples: &[
        Example { formula: "sum(orders.total)", result: "$200.00" },
        Example { formula: "sum(orders.total where status = 'completed')", result: "$100.00" },
        Example { formula: "sum(orders.total where total > 500 USD)", result: "$0.00" },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::Sum),
};
