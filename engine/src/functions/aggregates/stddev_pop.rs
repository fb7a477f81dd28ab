//! The standard deviation of a whole population.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const STDDEV_POP: FunctionSpec = FunctionSpec {
    name: "stddev_pop",
    aliases: &[],
    family: Family::Aggregates,
    signature: "stddev_pop(x)",
    summary: "The standard deviation of a whole population, in the unit of the values.",
    details: "The root of `variance_pop`, like `STDEVP` in spreadsheets and `STDDEV_POP` in SQL. \
        For a sample use `stddev`. Nulls are skipped; without values the result is null \
        (no_rows). Not exact, because of the root.",
    parameters: &[Parameter::required("x", ParameterKind::Quantity)],
    examples: &[
        Example { formula: "stddev_pop(orders.total)", result: "$33.99" },
        Example { formula: "stddev_pop(orders.total where status = 'pending')", result: "$0.00" },
    ],
    exact: false,
    behaviour: Behaviour::Aggregate(AggregateFunction::PopulationDeviation),
};
