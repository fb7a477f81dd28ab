//! The bucket before.

use crate::functions::spec::{
    Behaviour, BucketForm, DefaultValue, Example, Family, FunctionSpec, Parameter, ParameterKind,
};

pub(crate) const PREVIOUS_BUCKET: FunctionSpec = FunctionSpec {
    name: "previous_bucket",
    aliases: &[],
    family: Family::Windows,
    signature: "previous_bucket(x, n = 1)",
    summary: "The value in the previous bucket of the request, or `n` buckets before.",
    details: "Uses the buckets of the request, whatever their length. If a month is split into \
        weeks, the bucket before the first whole week is the part of a week at the start of the \
        month, where `previous` goes back seven days. Each group has its own series. The first \
        bucket is null (no_bucket), and so is the only bucket of a request that is not split by \
        time. The value is that of the whole bucket, even if the current one has not ended; \
        `previous` cuts both at the same point. Like `LAG` in SQL over the rows of a result.",
    parameters: &[
        Parameter::required("x", ParameterKind::Any),
        Parameter::optional("n", ParameterKind::Number, DefaultValue::Number(1)),
    ],
    examples: &[
        Example { formula: "previous_bucket(sum(orders.total))", result: "null (no_bucket)" },
        Example { formula: "previous_bucket(count(orders), 2) default 0", result: "0" },
    ],
    exact: true,
    behaviour: Behaviour::Buckets(BucketForm::Previous),
};
