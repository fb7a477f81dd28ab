//! The cumulative share.

use crate::functions::spec::{
    Behaviour, BucketForm, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const RUNNING_SHARE: FunctionSpec = FunctionSpec {
    name: "running_share",
    aliases: &[],
    family: Family::Windows,
    signature: "running_share(x)",
    summary: "The cumulative share: the part of the whole request's value that is reached by the \
        end of each bucket.",
    details: "The same as `running(x) / overall(x)`, for each group by itself. Sums, counts and \
        distinct counts rise to 100%. Null (division_by_zero) if the value of the whole request \
        is zero. If the request is not split by time, it is 100%.",
    parameters: &[Parameter::required("x", ParameterKind::Quantity)],
    examples: &[
        Example { formula: "running_share(sum(orders.total))", result: "100.0%" },
        Example {
            formula: "running_share(sum(orders.total where total > 500 USD))",
            result: "null (division_by_zero)",
        },
    ],
    exact: true,
    behaviour: Behaviour::Buckets(BucketForm::RunningShare),
};
