//! The variance of a whole population.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const VARIANCE_POP: FunctionSpec = FunctionSpec {
    name: "variance_pop",
    aliases: &[],
    family: Family::Aggregates,
    signature: "variance_pop(x)",
    summary: "The variance of a whole population, in the square of the unit of the values.",
    details: "Divides by the number of values, like `VARP` in spreadsheets and `VAR_POP` in SQL. \
        For a sample use `variance`, which has the same units. Nulls are skipped; one value has \
        the variance 0, and without values the result is null (no_rows).",
    parameters: &[Parameter::required("x", ParameterKind::Quantity)],
    examples: &[
        Example { formula: "variance_pop(orders.total / 1 USD)", result: "1,155.56" },
        Example {
            formula: "variance_pop(orders.total / 1 USD where status = 'pending')",
            result: "0.00",
        },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::PopulationVariance),
};
