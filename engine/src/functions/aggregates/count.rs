//! The number of rows or values.

use crate::functions::spec::{
    AggregateFunction, Behaviour, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const COUNT: FunctionSpec = FunctionSpec {
    name: "count",
    aliases: &[],
    family: Family::Aggregates,
    signature: "count(source or field)",
    summary: "The number of rows of a source, or of the rows where a field has a value.",
    details: "Like `COUNT(*)` and `COUNT(x)` in SQL: the name of a source counts its rows, and a \
        field counts the rows where it is not null. Over no rows the count is 0. The result is a \
        count of the rows of that source, so that orders and customers are not added by mistake.",
    parameters: &[Parameter::required("rows", ParameterKind::Any)],
    examples: &[
        Example { formula: "count(orders)", result: "3" },
        Example { formula: "count(orders where status != 'cancelled')", result: "2" },
        Example { formula: "count(customers where first_order_at in period)", result: "1" },
    ],
    exact: true,
    behaviour: Behaviour::Aggregate(AggregateFunction::Count),
};
