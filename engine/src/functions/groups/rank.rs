//! The rank among groups, or among the buckets of the request.

use crate::functions::spec::{
    Behaviour, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind, Special,
};

pub(crate) const RANK: FunctionSpec = FunctionSpec {
    name: "rank",
    aliases: &[],
    family: Family::Groups,
    signature: "rank(x, by: dimension)",
    summary: "The rank of a group among the groups, or of a bucket among the buckets: 1 for the \
        largest value.",
    details: "Equal values share a rank and the ranks after them are skipped, like `RANK` in SQL. \
        With `by`, groups are ranked among those that differ only in that dimension. With `by: \
        period` the buckets of the request are ranked, for each group by itself. A null has no \
        rank, and the result keeps its reason.",
    parameters: &[
        Parameter::required("x", ParameterKind::Any),
        Parameter::optional("by", ParameterKind::DimensionOrPeriod, DefaultValue::Nothing),
    ],
    examples: &[
        Example { formula: "rank(sum(orders.total))", result: "1" },
        Example { formula: "rank(sum(orders.total), by: period)", result: "1" },
    ],
    exact: true,
    behaviour: Behaviour::Special(Special::Rank),
};
