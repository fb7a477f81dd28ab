//! The share of rows that meet a condition.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const SHARE_OF: FunctionSpec = FunctionSpec {
    name: "share_of",
    aliases: &[],
    family: Family::Aggregates,
    signature: "share_of(source where condition)",
    summary: "The share of the rows of a source for which a condition holds.",
    details: "The number of matching rows divided by the number of all rows in the period; null \
        (no_rows) without rows. A condition on a null does not hold. The same as `count(source \
        where c) / count(source)`, except that the latter is null (division_by_zero) over no rows.",
    parameters: &[Parameter::required("rows", ParameterKind::Any)],
    examples: &[
        Example { formula: "share_of(orders where status = 'completed')", result: "33.3%" },
        Example { formula: "share_of(orders where total > 500 USD)", result: "0.0%" },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::ShareOf),
};
